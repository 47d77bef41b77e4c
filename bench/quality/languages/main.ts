/**
 * What telling languages apart is worth: texts and questions of our own in six languages, each in a corpus of its own and all in one, found by terms as they
 * were before (those of English) and as they are; questions in English over each; and how many questions are refused that the texts answer, or do not.
 *   npm run bench quality/languages [-- --kinds keyword,hybrid,auto] [--compounds]
 * `--compounds` measures one thing alone: German with its compounds parted (compounds.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { idf } from '../../../src/core/channels/lexical'
import { documentLanguage, mayBeEnglish, questionLanguage } from '../../../src/core/language/detect'
import { frequenciesOf, questionTerms } from '../../../src/core/language/question-terms'
import { ANSWERED, confidence } from '../../../src/core/reader/confidence'
import { strategies } from '../../../src/core/strategies/registry'
import { isLanguage, stemmed } from '../../../src/core/text/languages'
import { distinct, terms } from '../../../src/core/text/terms'
import { theStaticEncoder } from '../../lib/encoders'
import type { Passage } from '../corpora'
import { type Index, indexed } from '../memory'
import { endsOf, partsOf, vocabularyOf, withParts } from './compounds'

interface Texts {
  readonly language: string
  readonly passages: readonly Passage[]
  readonly questions: readonly { readonly q: string; readonly gold: readonly string[]; readonly en?: string }[]
}

const { values } = parseArgs({
  options: { kinds: { type: 'string', default: 'keyword,hybrid,auto' }, compounds: { type: 'boolean', default: false } },
})
const folder = join('bench', 'quality', 'languages', 'texts')
const sets = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts)
const kinds = values.kinds.split(',').flatMap((name) => strategies.get(name) ?? [])
const builders = [...new Map(kinds.flatMap((one) => one.builders).map((one) => [one.name, { ...one, unitVectors: false }])).values()]
const ofAll = sets.map((set) => ({
  ...set,
  passages: set.passages.map((one) => ({ ...one, id: `${set.language}/${one.id}` })),
  questions: set.questions.map((one) => ({ ...one, gold: one.gold.map((id) => `${set.language}/${id}`) })),
}))
const everything = ofAll.flatMap((set) => set.passages)
const share = (part: number, whole: number): string => (whole > 0 ? ((100 * part) / whole).toFixed(0) : '–')
const table = (rows: readonly (readonly string[])[]): void => {
  const [head = []] = rows
  for (const row of [head, head.map(() => '---'), ...rows.slice(1)]) console.log(`| ${row.join(' | ')} |`)
  console.log('')
}

const untold = (passages: readonly Passage[]): Passage[] => passages.map((one) => ({ ...one, language: null }))
const built = (passages: readonly Passage[]): Promise<Index> => indexed({ name: 'languages', passages, questions: [] }, 'static', builders)

/** Share of questions whose document is among the first five, and the first, by way. */
async function found(index: Index, questions: readonly { readonly q: string; readonly gold: readonly string[] }[]): Promise<string[]> {
  const out: string[] = []
  for (const kind of kinds) {
    let [five, one] = [0, 0]
    for (const { q, gold } of questions) {
      const { documents } = await index.ask(kind, q, { topK: 30 })
      if (gold.some((id) => documents.slice(0, 5).includes(id))) five++
      if (gold.includes(documents[0] ?? '')) one++
    }
    out.push(`${share(five, questions.length)} / ${share(one, questions.length)}`)
  }
  return out
}

/** Of those that the texts answer, and of those that they do not. */
async function refused(index: Index, set: Texts): Promise<string[]> {
  const auto = strategies.get('auto')
  const counts = { can: 0, cannot: 0 }
  const sides = { can: set.questions.filter((one) => one.gold.length > 0), cannot: set.questions.filter((one) => one.gold.length === 0) }
  for (const side of ['can', 'cannot'] as const) {
    for (const { q } of sides[side]) {
      const { evidence } = auto ? await index.ask(auto, q, { topK: 10, budget: 4000 }) : { evidence: [] }
      const count = index.graph.count('passage')
      const asked = new Map(
        frequenciesOf(index.graph, questionTerms(index.graph, q), 64).map(([term, passages]) => [
          term,
          { weight: idf(count, passages), isKnown: passages > 0 },
        ]),
      )
      if (confidence(q, evidence, asked, { meaning: mayBeEnglish(q) ? theStaticEncoder() : undefined, count }) < ANSWERED) counts[side]++
    }
  }
  return [`${counts.can} of ${sides.can.length}`, `${counts.cannot} of ${sides.cannot.length}`]
}

const heads = kinds.map((one) => one.name)
const answerable = (set: Texts) => set.questions.filter((one) => one.gold.length > 0)

if (values.compounds) {
  const rows: string[][] = [
    ['German', 'texts with parts', ...heads.map((name) => `${name} recall@5 / @1`), 'refused that are answered', 'refused that are not'],
  ]
  for (const set of ofAll.filter((one) => one.language === 'de')) {
    const own = set.passages.map((one) => one.text)
    const asked = set.questions.map((one) => one.q)
    for (const [name, known, part] of [
      ['whole words', vocabularyOf([]), partsOf],
      ['parted by the texts’ own words', vocabularyOf(own), partsOf],
      ['by those and the questions’', vocabularyOf([...own, ...asked]), partsOf],
      ['by how they begin and end, at most', vocabularyOf([...own, ...asked]), endsOf],
    ] as const) {
      const parted = (text: string): string => withParts(text, known, part)
      const index = await built(set.passages.map((one) => ({ ...one, text: parted(one.text) })))
      const questions = set.questions.map((one) => ({ ...one, q: parted(one.q) }))
      rows.push([
        name,
        String(own.filter((text) => parted(text) !== text).length),
        ...(await found(index, answerable({ ...set, questions }))),
        ...(await refused(index, { ...set, questions })),
      ])
    }
  }
  table(rows)
  process.exit(0)
}
const own: string[][] = [
  ['language', 'terms', ...heads.map((name) => `${name} recall@5 / @1`), 'refused that are answered', 'refused that are not'],
]
for (const set of ofAll) {
  for (const [name, passages] of [
    ['common', untold(set.passages)],
    ['its own', set.passages],
  ] as const) {
    const index = await built(passages)
    own.push([set.language, name, ...(await found(index, answerable(set))), ...(await refused(index, set))])
  }
}
console.log('Each language in a corpus of its own')
table(own)

const mixed: string[][] = [['language', 'terms', ...heads.map((name) => `${name} recall@5 / @1`)]]
const [before, after] = [await built(untold(everything)), await built(everything)]
for (const set of ofAll) {
  mixed.push([set.language, 'common', ...(await found(before, answerable(set)))])
  mixed.push([set.language, 'its own', ...(await found(after, answerable(set)))])
}
console.log('All six in one corpus')
table(mixed)

const english = ofAll.map((set) => ({ ...set, questions: set.questions.flatMap(({ en, gold }) => (en ? [{ q: en, gold }] : [])) }))
const across: string[][] = [['texts', ...heads.map((name) => `${name} recall@5 / @1`)]]
for (const set of english) across.push([set.language, ...(await found(after, set.questions))])
console.log('Asked in English, all six in one corpus')
table(across)

const told = (list: readonly { readonly text: string; readonly language: string }[], by: (text: string) => string | undefined): string =>
  `${list.filter((one) => by(one.text) === one.language).length} of ${list.length}`
const documents = sets.flatMap((set) => set.passages.map(({ text }) => ({ text, language: set.language })))
const questions = sets.flatMap((set) => set.questions.map(({ q }) => ({ text: q, language: set.language })))
const spoken = [...stemmed].filter((one) => sets.some((set) => set.language === one && isLanguage(one)))
console.log(
  `Languages told: documents ${told(documents, (text) => documentLanguage(text, undefined))}, questions ${told(questions, (text) => questionLanguage(text, spoken))}`,
)

const ENGLISH = 'When was the oldest of the stone bridges over the upper river built, and who paid the masons for their work?'
const GERMAN = 'Wann wurde die älteste der steinernen Brücken über den oberen Fluss gebaut, und wer bezahlte die Maurer?'
for (const [name, make] of [
  ['terms of an English question, as they were', () => distinct(terms(ENGLISH))],
  ['as they are, in a corpus without other languages', () => questionTerms({ stemmings: () => [undefined] }, ENGLISH)],
  ['as they are, in a corpus of four', () => questionTerms({ stemmings: () => [undefined, 'de', 'es', 'ru'] }, ENGLISH)],
  ['a German question there', () => questionTerms({ stemmings: () => [undefined, 'de', 'es', 'ru'] }, GERMAN)],
] as const) {
  const rounds = 3000
  for (let i = 0; i < rounds; i++) make()
  const start = performance.now()
  for (let i = 0; i < rounds; i++) make()
  console.log(`${name}: ${(((performance.now() - start) / rounds) * 1000).toFixed(1)} µs`)
}
