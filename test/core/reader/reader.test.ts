import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparisonOf, yearOf } from '../../../src/core/reader/comparison'
import { confidence } from '../../../src/core/reader/confidence'
import { readQuestion } from '../../../src/core/reader/question'
import { read } from '../../../src/core/reader/read'
import { terms } from '../../../src/core/text/terms'

const passages = [
  {
    id: 'p0',
    title: 'Missolonghi',
    text: 'Missolonghi lies on a lagoon. Lord Byron died there on 19 April 1824, and a park is named after him.',
  },
  { id: 'p1', title: 'Herons', text: 'The grey heron waits without moving. A colony of 42 nests was counted near Kew in 2011.' },
  { id: 'p2', title: 'The Silent Ferry', text: 'The Silent Ferry is a 1987 film directed by Orla Brennan. It was shot in Cork.' },
  { id: 'p3', title: 'Orla Brennan', text: 'Orla Brennan was born in Galway in 1951. She studied law before she made films.' },
  { id: 'p4', title: 'Night Harbour', text: 'Night Harbour is a 1994 film by Tomas Lind.' },
]

function shown(question: string): { answer?: string; sentences: string[] } {
  const { span, sentences } = read(question, passages)
  const text = (slice: { passage: number; start: number; end: number }): string =>
    passages[slice.passage]?.text.slice(slice.start, slice.end) ?? ''
  return { ...(span ? { answer: text(span) } : {}), sentences: sentences.map(text) }
}

describe('the kind of a question', () => {
  it.each([
    ['Who wrote the letter?', 'person'],
    ['To whom was it sent?', 'person'],
    ['Where is the ferry built?', 'place'],
    ['Which large city lies on the lagoon?', 'place'],
    ['In what year did the mill close?', 'year'],
    ['When did the mill close?', 'date'],
    ['How many nests were counted?', 'count'],
    ['How long is the canal?', 'amount'],
    ['What percentage of the nests was empty?', 'amount'],
    ['Why did the mill close?', 'reason'],
    ['Which band recorded it?', 'name'],
    ['Which aviator crossed the bay?', 'person'],
    ['Which Swiss botanist drew the map?', 'person'],
    ['Which communist country bought it?', 'place'],
    ['What did the pilot say?', 'thing'],
    ['Which problem consists of two?', 'thing'],
    ['Did the mill close?', 'yes-no'],
    ['What is a weir?', 'definition'],
    ['What do herons eat?', 'thing'],
    ['Wann wurde die Mühle geschlossen?', 'date'],
    ['Wie viele Nester gab es?', 'count'],
    ['Où se trouve le moulin ?', 'place'],
    ['¿Quién escribió la carta?', 'person'],
    ['What satellite was used when the service began?', 'thing'],
    ['', 'thing'],
  ])('[R1] %s', (question, kind) => {
    expect(readQuestion(question).kind).toBe(kind)
  })
})

describe('reading', () => {
  it('[R2] a sentence that begins with a pronoun is about what its title names; a name that the first sentence lacks, a second brings', () => {
    const organs = [
      {
        id: 'o0',
        title: 'The organ of Lantern Street',
        text: 'The organ of Lantern Street was finished in 1911. It has twenty-six stops.',
      },
      {
        id: 'o1',
        title: 'Libraries',
        text: 'There are official client libraries for Python and Go. A community library for Elixir exists.',
      },
    ]
    const textOf = ({ passage, start, end }: { passage: number; start: number; end: number }): string | undefined =>
      organs[passage]?.text.slice(start, end)
    const { sentences, span } = read('How many stops does the organ of Lantern Street have?', organs)
    expect(sentences.map(textOf)).toEqual(['It has twenty-six stops.'])
    expect(span && textOf(span)).toBe('twenty-six')
    const elixir = read('Is there an official client library for Elixir?', organs)
    expect(elixir.sentences.map(textOf).join(' ')).toContain('for Elixir exists')
  })

  it.each([
    [
      'Who rewrote the Go library?',
      'Client libraries',
      'There are libraries for Python and Go.',
      'The Go library was rewritten by Mireille Aubert.',
    ],
    [
      'Was any message lost in the incident of 9 February?',
      'Report of the incident of 9 February',
      'On 9 February it did not accept messages.',
      'No message was lost.',
    ],
    [
      'Who trained the dogs that guard the sheep?',
      'The herd',
      'Two dogs guard the sheep of Alp Sura: Orso and Luma.',
      'The dogs were trained by Gian Pitsch.',
    ],
    ['What did Anna Berg break?', '', 'BenLind: I mended the kiln, Anna.', 'AnnaBerg: I broke the lamp.'],
  ])('[R290] %s', (question, title, first, second) => {
    const passage = { id: 'p', title, text: `${first} ${second}` }
    const asked = new Map(terms(question).map((term) => [term, { weight: 1, isKnown: true }]))
    const [sentence] = read(question, [passage], asked).sentences
    expect(sentence && passage.text.slice(sentence.start, sentence.end)).toBe(second)
  })

  it('[R440] which of those who do something is answered with a person, not with what has an article, also where something is theirs', () => {
    const flight = {
      id: 'p',
      title: '',
      text: "We do not cross the bay to be first, any more than Irma Hale's real aim was the prize. Her aim and ours in this effort to cross the bay is to serve the Coast Union.",
    }
    const { sentences, span } = read('Which aviator is compared with the effort to cross the bay?', [flight])
    expect(sentences.map(({ start, end }) => flight.text.slice(start, end))[0]).toContain('Irma Hale')
    expect(span === undefined || flight.text.slice(span.start, span.end) === 'Irma Hale').toBe(true)
  })

  it('[R440] “how much” is answered with an amount, in words too, not with how many times as much', () => {
    const cost = { id: 'p', title: '', text: 'The dam cost a million dollars; today ten times as much is spent on dams.' }
    const { span } = read('How much did the dam cost?', [cost])
    expect(span && cost.text.slice(span.start, span.end)).toBe('a million dollars')
    const spent = { ...cost, text: 'Today ten times as much is spent on the dam.' }
    expect(read('How much is spent on the dam?', [spent]).span).toBeUndefined()
  })

  it('[R441] a name that most passages say is no reason for a second sentence', () => {
    const about = { id: 'a', title: '', text: 'The incidence of measles in this valley is three times that of Salz.' }
    const other = { id: 'b', title: '', text: 'A woman of Sursee sang at the fair of Salz.' }
    const ask = (weight: number): number => {
      const weights = new Map(
        terms('measles Sursee compare Salz').map((term) => [term, { weight: term === terms('Sursee')[0] ? weight : 5, isKnown: true }]),
      )
      return read('How do measles in Sursee compare with Salz?', [about, other], weights).sentences.length
    }
    expect([ask(5), ask(0.5)]).toEqual([2, 1])
  })

  it('[R1600] the words of the question alone are no answer to it, unless it asks whether that is so', () => {
    const row = { id: 'r', title: '', text: 'name: heron' }
    const sure = (question: string, text = row.text): number => {
      const asked = new Map(readQuestion(question).terms.map((term) => [term, { weight: 3, isKnown: true }]))
      return confidence(question, [{ ...row, text }], asked, { count: 1 })
    }
    expect(sure('What does the heron eat?')).toBe(0)
    expect(sure('What does the heron weigh?', 'The heron.')).toBe(0)
    expect(sure('What about the heron?', 'name: grey heron')).toBeGreaterThan(0)
    // The label is the answer, or the value is no word that counts.
    expect(sure('What is the capital of Germany?', 'Berlin: capital of Germany')).toBeGreaterThan(0)
    expect(sure('Who is the miller?', 'Otto Brandt: miller')).toBeGreaterThan(0)
    expect(sure('Who proposes a small pond?', 'Ada: How about a small pond?')).toBeGreaterThan(0)
    expect(sure('What is the process of constructing a mill?', 'Construction is the process of constructing a mill.')).toBeGreaterThan(0)
    expect(sure('What is the address of the mill?', 'The mill.')).toBe(0)
    expect(sure('Which day is the mill closed?', 'Monday: mill closed')).toBeGreaterThan(0)
    expect(sure('What is the status?', 'Status: on')).toBeGreaterThan(0)
    expect(sure('Is there a heron?')).toBeGreaterThan(0)
    expect(sure('heron')).toBeGreaterThan(0)
  })

  it('[R2] the date stands in front, its sentence behind', () => {
    expect(shown('When did Lord Byron die?')).toEqual({
      answer: '19 April 1824',
      sentences: ['Lord Byron died there on 19 April 1824, and a park is named after him.'],
    })
  })

  it('[R2] a number is the one beside what is counted', () => {
    expect(shown('How many nests were counted near Kew?').answer).toBe('42')
  })

  it('[R2] the second sentence is the one the first leads to by name, and answers', () => {
    expect(shown('In what year was the director of The Silent Ferry born?')).toEqual({
      answer: '1951',
      sentences: ['The Silent Ferry is a 1987 film directed by Orla Brennan.', 'Orla Brennan was born in Galway in 1951.'],
    })
  })

  it('[R26] of two sides the earlier stands in front, with a sentence about each', () => {
    expect(shown('Which film was released first, Night Harbour or The Silent Ferry?')).toEqual({
      answer: 'The Silent Ferry',
      sentences: ['The Silent Ferry is a 1987 film directed by Orla Brennan.', 'Night Harbour is a 1994 film by Tomas Lind.'],
    })
  })

  it('[R26] what is compared are the sides themselves', () => {
    expect(comparisonOf('Which film has the director who died first, Night Harbour or The Silent Ferry?')).toBeUndefined()
    expect(comparisonOf('Which is better, tea or coffee?')).toBeUndefined()
    expect(comparisonOf('Who is younger, Ana Ruiz or Eva Lind?')).toEqual({
      sides: ['Ana Ruiz', 'Eva Lind'],
      event: 'birth',
      wins: 'latest',
    })
  })

  it.each([
    ['birth', 'Ana Ruiz (9 January 1868 – 12 February 1939) was a chemist.', 1868],
    ['death', 'Ana Ruiz (9 January 1868 – 12 February 1939) was a chemist.', 1939],
    ['birth', 'Ana Ruiz moved in 1890 to Lima, where she was born in 1868.', 1868],
    ['start', 'The mill (300 m long) was founded in 1702 and closed in 1911.', 1702],
    ['death', 'Ana Ruiz (born 1868) was a chemist.', undefined],
  ] as const)('[R26] the year of a %s: %s', (event, sentence, year) => {
    expect(yearOf(event, sentence)).toBe(year)
  })

  it('[R2] whatever is asked of whatever, there are at most two sentences, all slices, the span inside one of them', () => {
    const word = fc.constantFrom(
      'the',
      'heron',
      'Byron',
      '1824',
      '42',
      'nests',
      'in',
      'Kew',
      'died',
      'who',
      'when',
      'how many',
      '.',
      '?',
      '«',
      '鷺',
      'ماء',
      '\u202e',
    )
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (question, texts) => {
        const all = texts.map((one, i) => ({ id: `p${i}`, text: one }))
        const { span, sentences } = read(question, all)
        expect(sentences.length).toBeLessThanOrEqual(2)
        for (const { passage, start, end } of sentences) expect(all[passage]?.text.slice(start, end).length).toBe(end - start)
        if (span) expect(sentences.some((one) => one.passage === span.passage && one.start <= span.start && one.end >= span.end)).toBe(true)
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('[R5] hostile evidence takes no more steps than its length', () => {
    const hostile = [
      '1 '.repeat(20_000),
      `${'('.repeat(20_000)}1999`,
      'A. '.repeat(20_000),
      '9'.repeat(60_000),
      `${'one hundred '.repeat(5_000)}`,
      'born '.repeat(10_000),
    ].map((text, i) => ({ id: `p${i}`, text }))
    for (const question of [
      'How many nests were counted?',
      'When did Byron die?',
      `Who is older, ${'a'.repeat(79)} or ${'b'.repeat(79)}?`,
    ]) {
      expect(read(question, hostile).sentences.length).toBeLessThanOrEqual(2)
    }
  }, 20_000)
})
