import { describe, expect, it } from 'vitest'
import type { OverviewPlan } from '../../../src/core/reader/overview/plan'
import { overviewQuestion } from '../../../src/core/reader/overview/question'
import { type OverviewPassage, overviewReaderLimits, readOverview } from '../../../src/core/reader/overview/read'

const kindOf = (question: string): string | undefined => overviewQuestion(question)?.kind

function passage(document: string, text: string, start = 0, title = document): OverviewPassage {
  return { id: `p_${document}.${start}`, document, start, title, text }
}

const REPORT_A =
  'The mill ground 40 tonnes of rye in 2001. The miller bought a mule.\n\nSales rose to 900 crowns. A cat was lost.\n\nThe mill wants a new wheel. Nobody knows why the owl left.'
const REPORT_B = 'The mill ground 22 tonnes of rye in 2002. It rained.\n\nSales fell to 500 crowns. The mule died.'

const asked = new Map<string, { weight: number; isKnown: boolean }>()
const plan = (kind: OverviewPlan['kind'], ...sides: string[][]): OverviewPlan => ({
  kind,
  sides,
  looked: sides.flat().length,
  from: 'documents',
})

describe('questions about a whole', () => {
  it('[R640] are told by their form, in four languages', () => {
    const forms = {
      summary: [
        'What are the main topics?',
        'Please summarise the annual report in three sentences.',
        'Could you give me a short overview of the documents?',
        'What is the letter about?',
        'Which themes do the minutes cover?',
        'Fasse die beiden Berichte bitte kurz zusammen.',
        'Worum geht es in den Dokumenten?',
        'Was sind die wichtigsten Themen der Protokolle?',
        'Kannst du mir einen kurzen Überblick über die Texte geben?'.replace(' geben', ''),
        'Résume le rapport annuel en trois phrases.',
        'Quels sont les principaux thèmes de ces documents ?',
        'De quoi parlent les documents ?',
        'Resume el informe anual, por favor.',
        '¿Cuáles son los temas principales?',
        '¿De qué tratan los documentos?',
      ],
      comparison: [
        'Compare the two reports.',
        'How does the report of 2022 differ from the report of 2023?',
        'What is the difference between the first letter and the second letter?',
        'Vergleiche die Protokolle miteinander!',
        'Wie unterscheidet sich der Bericht 2022 von dem Bericht 2023?',
        'Compare le rapport de 2022 avec celui de 2023.',
        'Compara los dos informes.',
      ],
      common: [
        'What do these documents have in common?',
        'Was haben die Berichte gemeinsam?',
        "Qu'ont les lettres en commun ?",
        '¿Qué tienen en común las actas?',
      ],
    }
    for (const [kind, questions] of Object.entries(forms)) for (const one of questions) expect([one, kindOf(one)]).toEqual([one, kind])
  })

  it('[R640] one for a thing is none, whatever words it has', () => {
    const ordinary = [
      'Who wrote the overview of the reports?',
      'What is the main river of the valley?',
      'When was the summary of the annual report published?',
      'Which main topic did Ada Brant study in Oslo?',
      'How many documents were compared in the study?',
      'Where do the main themes of the opera come from?',
      'What does the summary say about the price of tin?',
      'Resume the broken backup',
      'Worum ging es Anna, als sie den Bericht verbrannte?',
      'Why do the two reports differ in length from the third one that Ada wrote in the winter she spent at sea?',
      'Did Ada and Bela have much in common?',
      '',
      'a '.repeat(400),
    ]
    for (const one of ordinary) expect([one, kindOf(one)]).toEqual([one, undefined])
  })

  it('[R640] what it is about is what it says, without how long the answer is to be', () => {
    expect(overviewQuestion('Summarise the “Annual Report 2023”, in five bullet points, please!')).toMatchObject({
      about: ['the annual report 2023'],
    })
    expect(overviewQuestion('How does A differ from B?')).toMatchObject({ about: ['a', 'b'] })
    expect(overviewQuestion('Give me an overview.')).toMatchObject({ about: [], needs: 'anything' })
  })
})

describe('an overview without a text model', () => {
  it('[R641] has a line for each document, its title in front; every sentence is a slice of its passage', () => {
    const passages = [passage('b', REPORT_B, 0, 'Report 2002'), passage('a', REPORT_A, 0, 'Report 2001')]
    const { text, statements } = readOverview(passages, plan('summary', ['a', 'b']), { question: 'Summarise the reports', asked })
    const lines = text.split('\n')
    expect(lines.map((line) => line.slice(0, 14))).toEqual(['- Report 2001:', '- Report 2002:'])
    expect(lines[0]).toContain('The mill ground 40 tonnes of rye in 2001.')
    for (const { start, end, quote } of statements)
      expect(text.slice(start, end)).toBe(passages[quote.passage]?.text.slice(quote.start, quote.end))
  })

  it('[F2112] rows of a table stand in it as words', () => {
    const table = '| Plan | Refund window |\n|---|---|\n| Free plan with mail | none at all |\n| Team plan with phone | 30 full days |'
    const passages = [passage('plans', table, 0, 'Plans')]
    const { text, statements } = readOverview(passages, plan('summary', ['plans']), { question: 'Summarise the plans', asked })
    expect(text).toBe('Free plan with mail: none at all. Team plan with phone: 30 full days.')
    expect(statements.map(({ start, end }) => text.slice(start, end))).toEqual([
      'Free plan with mail: none at all.',
      'Team plan with phone: 30 full days.',
    ])
    expect(statements.map(({ quote }) => table.slice(quote.start, quote.end))).toEqual([
      '| Free plan with mail | none at all |',
      '| Team plan with phone | 30 full days |',
    ])
  })

  it('[R641] of one document it is a paragraph in the order of the text, with something of each part', () => {
    const { text } = readOverview([passage('a', REPORT_A)], plan('summary', ['a']), { question: 'Summarise it', asked })
    expect(text.startsWith('The mill ground 40 tonnes')).toBe(true)
    expect(text).not.toContain('\n')
    expect(text.indexOf('Sales rose')).toBeLessThan(text.indexOf('The mill wants'))
    expect(text.indexOf('Sales rose')).toBeGreaterThan(0)
  })

  it('[R1391] a long side leaves the other its half of the answer', () => {
    const long = (subject: string) =>
      Array.from(
        { length: 10 },
        (_, i) => `The ${subject} of year ${i} ${'was weighed and sold and carried home by the miller '.repeat(6)}to place ${i}.`,
      ).join('\n\n')
    const passages = [passage('a', long('rye')), passage('b', long('oats'))]
    const { text } = readOverview(passages, plan('comparison', ['a'], ['b']), { question: 'Compare the reports', asked })
    const [one = '', other = ''] = text.split('\n')
    expect(one.length).toBeGreaterThan(600)
    expect(Math.abs(one.length - other.length)).toBeLessThan(overviewReaderLimits.longest)
  })

  it('[R641] a comparison has a line a side and says of each what the other says too', () => {
    const passages = [passage('a', REPORT_A, 0, 'Report 2001'), passage('b', REPORT_B, 0, 'Report 2002')]
    const { text } = readOverview(passages, plan('comparison', ['a'], ['b']), { question: 'Compare the reports', asked })
    const [one = '', two = ''] = text.split('\n')
    expect([one.includes('40 tonnes') && one.includes('900 crowns'), two.includes('22 tonnes') && two.includes('500 crowns')]).toEqual([
      true,
      true,
    ])
  })

  it('[R641] what documents have in common comes from sentences whose words several of them say', () => {
    const passages = [
      passage('a', 'Ada keeps nine goats behind her house. The wheel of the mill must be repaired.'),
      passage('b', 'Bela sold all of his carpets. The mill has a broken wheel again.'),
    ]
    const { text } = readOverview(passages, plan('common', ['a', 'b']), { question: 'What do they have in common?', asked })
    expect(text.split('\n').map((line) => line.includes('wheel'))).toEqual([true, true])
    expect(text.indexOf('wheel')).toBeLessThan(text.indexOf('carpets') < 0 ? text.length : text.indexOf('carpets'))
  })

  it('[R641] a topic is told by the sentences that speak of it', () => {
    const known = new Map([['rye', { weight: 2, isKnown: true }]])
    const told = { ...plan('topic'), about: 'the rye' }
    const { text } = readOverview([passage('a', REPORT_A), passage('b', REPORT_B)], told, { question: 'Summarise the rye', asked: known })
    expect(text).toContain('40 tonnes of rye')
    expect(text).not.toContain('cat')
  })

  it('[R641] however much there is, it keeps its length, and names the documents that have no line', () => {
    const passages = Array.from({ length: 40 }, (_, i) =>
      passage(
        `d${String(i).padStart(2, '0')}`,
        `Number ${i} tells of the stone of village ${i} at great length and of nothing else. ${REPORT_A}`,
        0,
        `Title ${i}`,
      ),
    )
    const { text, statements } = readOverview(
      passages,
      plan(
        'summary',
        passages.map((one) => one.document),
      ),
      { question: 'Was sind die Themen?', asked },
    )
    const lines = text.split('\n')
    expect(lines.length).toBe(overviewReaderLimits.lines + 1)
    expect(lines.at(-1)).toMatch(/^- Außerdem: (?:Title \d+; ){27}Title \d+$/)
    expect(statements.reduce((sum, one) => sum + one.end - one.start, 0)).toBeLessThanOrEqual(overviewReaderLimits.characters)
    expect(readOverview([], plan('summary', []), { question: '', asked })).toEqual({ text: '', statements: [] })
  })
})
