/** Files as people keep them: headings, lists, tables, minutes; and the forms that answers have in them. */
import { describe, expect, it } from 'vitest'
import { candidatesOf } from '../../../src/core/reader/candidates'
import { compose } from '../../../src/core/reader/compose'
import { expectedIn } from '../../../src/core/reader/expected'
import { likenessBy } from '../../../src/core/reader/likeness'
import { readQuestion } from '../../../src/core/reader/question'
import { read } from '../../../src/core/reader/read'
import { wordsOf } from '../../../src/core/reader/roles'
import { termsSaid } from '../../../src/core/reader/said'
import { spansOf } from '../../../src/core/reader/spans'

const soup = {
  id: 'soup',
  title: 'soup.md',
  text: '# Lentil soup\n\n## Ingredients\n\n- 250 g lentils\n- 2 carrots\n\n## Method\n\n1. Rinse the lentils.\n2. Simmer for 30 minutes.\n\n## Storing\n\nThe soup keeps for four days.',
}
const club = {
  id: 'club',
  title: 'notes',
  text: 'Present: Anna, Bert.\n\n1. Greenhouse. The pane is broken.\n\n2. Plant swap. Will be on Saturday 9 May in the yard.\n\n§ 7 Pets. Hamsters are allowed.',
}
const trip = {
  id: 'trip',
  title: 'Lisbon',
  text: '**Flight out:** TP 1137, Friday 6 June\n**Flight back:** TP 1138, Monday 9 June\n\n| day | morning | afternoon |\n|---|---|---|\n| Saturday | tower | museum |\n| Sunday | beach | fado |\n\n- [ ] book a table at Ramiro (Lena)\n\n## 1.4.0 (2025-03-02)\n\nExport is faster.',
}
const answer = (question: string, passage: typeof soup): string => compose(read(question, [passage]), [passage]).text

describe('files as people keep them', () => {
  it.each([
    ['lentil soup ingredients', soup, '250 g lentils\n- 2 carrots'],
    ['storing', soup, 'The soup keeps for four days.'],
    ['what do we do on saturday afternoon', trip, 'museum. Saturday: tower, museum'],
    ['when was 1.4.0 released', trip, '2025-03-02. 1.4.0 (2025-03-02)'],
  ])('[R550] a heading answers by what stands under it, unless it holds the number: %s', (question, passage, expected) => {
    expect(answer(question, passage)).toBe(expected)
  })

  it.each([
    ['rinse lentils', soup, 'Rinse the lentils.'],
    ['when is the plant swap', club, 'Saturday 9 May. Plant swap. Will be on Saturday 9 May in the yard.'],
    ['pets', club, '§ 7 Pets. Hamsters are allowed.'],
    ['who books the table', trip, 'book a table at Ramiro (Lena)'],
    ['when is the flight back', trip, 'Monday 9 June. **Flight back:** TP 1138, Monday 9 June'],
  ])('[R551] no mark of form and no bare label is shown: %s', (question, passage, expected) => {
    expect(answer(question, passage)).toBe(expected)
  })

  it('[R551] every sentence but its marks is there, in order', () => {
    for (const one of [soup, club, trip]) {
      const lines = candidatesOf(one, 0)
      for (const [i, { start, end, text }] of lines.entries()) {
        expect(one.text.slice(start, end)).toBe(text)
        expect(start).toBeGreaterThanOrEqual(lines[i - 1]?.end ?? 0)
      }
    }
  })

  it('[F2052] a heading alone is no answer', () => {
    const bakery = { id: 'bakery', title: 'Nordic Bakery', text: '## Staff\n\n## Ovens' }
    expect(answer('Who runs the Nordic Bakery company today?', bakery)).toBe('')
  })

  it('[F2111] a word that is a paragraph of its own is a heading', () => {
    const asked = 'Which ovens does the Nordic Bakery have?'
    const bakery = { id: 'bakery', title: 'Nordic Bakery', text: 'Staff\n\nOvens' }
    expect(answer(asked, bakery)).toBe('')
    expect(answer(asked, { ...bakery, text: 'Staff\n\nOvens\n\nTwo of stone.' })).toBe('Two of stone.')
    expect(answer('Who bakes at the Nordic Bakery?', { ...bakery, text: 'Who bakes:\n\n- Otto\n- Marta' })).toContain('Otto')
    expect(answer('面包在哪里？', { ...bakery, text: '面包在磨坊里' })).toBe('面包在磨坊里')
  })

  it('[F2160] a line with the number of a section is a heading, and tells what is under it', () => {
    const asked = 'What should a keeper do before going on leave?'
    const rules = {
      id: 'rules',
      title: 'Rules',
      text: '3.2.4 Going on leave as a keeper\nUse the list of absences, and say who stands in.\n3.2.5 Retiring\nHand in your lamp.',
    }
    expect(answer(asked, rules)).toBe('Use the list of absences, and say who stands in.')
    expect(answer('What costs 3.50 thalers?', { ...rules, text: '3.50 thalers is what a ticket costs.' })).toContain('ticket')
  })

  it('[F2161] the day of a date counts nothing', () => {
    const question = { kind: 'count' as const, text: 'How many developers were there in 1999?', focus: ['develop'] }
    const found = (sentence: string) => spansOf(question, sentence).map(({ start, end }) => sentence.slice(start, end))
    expect(found('It was released on 09 March, after 4 delays.')).toEqual(['4'])
    expect(found('On May 12 developers met 30 others.')).toEqual(['12', '30'])
  })

  it('[R552] words that open the sentence are not repeated in front of it', () => {
    const poster = { id: 'p', title: '', text: 'Dmitri makes the poster. The poster is made by Dmitri.' }
    expect(answer('Who makes the poster?', poster)).toBe('Dmitri makes the poster.')
  })
})

describe('forms of answers', () => {
  it.each([
    ['When did the ice melt?', 'It melted 66 million years ago.', ['66 million years ago']],
    ['When does it close?', 'It closes at 9 pm in summer.', ['9 pm', 'in summer']],
    ['When was it free?', 'At the end of World War I it was.', ['the end of World War I']],
    ['When do we fly?', 'TP 1138 leaves on Monday 9 June.', ['Monday 9 June']],
    ['How long was it open?', 'It was open from 1870 to 1939.', ['from 1870 to 1939']],
    ['How long does it take?', 'That takes several years.', ['several years']],
    ['How old are the fossils?', 'They are about 515 million years old.', ['515 million years']],
    ['How much does the plan cost?', 'It is up 99.95 percent of the time.', []],
    ['How high is the rent?', 'The rent is 845 euros, with three months of notice.', ['845 euros']],
    ['How many guests came?', 'It was attended by 2000 guests.', ['2000']],
    ['How much lower was the sea in the cold phase?', 'It was 120 m lower.', ['120 m']],
  ])('[R553] %s %s', (question, sentence, expected) => {
    expect(spansOf(readQuestion(question), sentence).map(({ start, end }) => sentence.slice(start, end))).toEqual(expected)
  })

  it.each([
    ['How many square miles were burnt?', 'Some 30 square miles were burnt.', 'uncounted', 0],
    ['How many interceptions had they?', 'They led the league with 24.', 'uncounted', 0],
    ['How many musical instruments are there?', 'It has 35 instruments.', 'uncounted', 0],
    ['Where are the rails?', 'They were built in mountainous areas.', 'noPlace', 0],
    ['Where are the rails?', 'They were built of steel.', 'noPlace', 1],
    ['What is the name of the mule?', 'The mule is called Bruno.', 'noName', 0],
    ['What is the name of the mule?', 'The mule carries flour.', 'noName', 1],
    ['When does the pond freeze?', 'It freezes when the wind drops.', 'noDate', 0],
  ] as const)('[R553] %s %s', (text, sentence, sign, expected) => {
    const [one] = candidatesOf({ id: 'p', text: sentence }, 0)
    expect(one && expectedIn(readQuestion(text), { one, next: '' }, { likeness: likenessBy(undefined), words: wordsOf })[sign]).toBe(
      expected,
    )
  })

  it.each([
    ['How was it decided how many camps to build?', 'thing'],
    ['When people are arrested, what do they do?', 'thing'],
    ['When the dam broke, how many people died?', 'count'],
    ['When did the dam break?', 'date'],
  ])('[R554] %s asks for a %s', (question, kind) => {
    expect(readQuestion(question).kind).toBe(kind)
  })

  it('[R555] names of several words also say their initials', () => {
    expect(termsSaid('the American Automobile Association').has('aaa')).toBe(true)
    expect(termsSaid('the Bank of England').has('be')).toBe(true)
  })
})
