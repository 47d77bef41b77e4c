/**
 * Questions about a whole (a document, several, all): which share of the points that a good answer makes do the answer without a model and the evidence make, and how long are they?
 * The points were listed for each question before any answer was looked at; a point is made where one of its wordings stands there, letter case and marks aside.
 *   npm run bench answers/overview -- [--data <folder>] [--wrong] [--show <number>]
 * `--data` also counts over the development questions how many are taken for one about a whole. `--wrong` lists the points that the answers of `auto` lack, `--show` one answer.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Evidence } from '../../src/core/evidence'
import { compose } from '../../src/core/reader/compose'
import { ANSWERED, confidence } from '../../src/core/reader/confidence'
import type { OverviewPlan } from '../../src/core/reader/overview/plan'
import { overviewQuestion } from '../../src/core/reader/overview/question'
import { type OverviewPassage, readOverview } from '../../src/core/reader/overview/read'
import { read } from '../../src/core/reader/read'
import { enabledBuilders, strategies } from '../../src/core/strategies/registry'
import { countTokens } from '../../src/core/text/tokens'
import { questionDefaults } from '../../src/flows/find'
import { overviewConfidence } from '../../src/flows/overview'
import { theStaticEncoder } from '../lib/encoders'
import { type Corpus, corpus, corpusNames, dataFolder } from '../quality/corpora'
import { type Index, indexed } from '../quality/memory'
import { askedTerms, JUDGES, WORLDS, type World, worldOf } from './cases'

const { values } = parseArgs({
  options: { data: { type: 'string' }, wrong: { type: 'boolean', default: false }, show: { type: 'string' } },
})

interface Asking {
  readonly corpus: string
  readonly q: string
  readonly kind: string
  readonly points: readonly (readonly string[])[]
}
const { orchard, questions } = JSON.parse(readFileSync(join('bench', 'answers', 'overview.json'), 'utf8')) as {
  readonly orchard: World
  readonly questions: readonly Asking[]
}

/** What a corpus is built with, who is asked, and how the answer is made of the evidence. */
interface Contender {
  readonly name: string
  readonly enabled: readonly string[]
  readonly strategy: string
  readonly own?: { readonly [key: string]: boolean }
  /** `sentences`: as other questions are answered; `passages`: the evidence itself, as long as an overview may be; `overview`: as one about all that was found. */
  readonly answer?: 'sentences' | 'passages' | 'overview'
}
const CONTENDERS: readonly Contender[] = [
  { name: '**auto**, from documents', enabled: [], strategy: 'auto' },
  { name: 'hybrid', enabled: [], strategy: 'hybrid', answer: 'sentences' },
  { name: 'hybrid, its passages read as an overview', enabled: [], strategy: 'hybrid', answer: 'overview' },
  { name: 'hybrid, its passages, as long as the answer of auto', enabled: [], strategy: 'hybrid', answer: 'passages' },
  { name: 'auto without overviews', enabled: [], strategy: 'auto', own: { overview: false }, answer: 'sentences' },
  { name: '**auto**, with EraRAG', enabled: ['erarag'], strategy: 'auto' },
  { name: '**auto**, with ArchRAG', enabled: ['archrag'], strategy: 'auto' },
  { name: 'erarag', enabled: ['erarag'], strategy: 'erarag', answer: 'sentences' },
  { name: 'archrag', enabled: ['archrag'], strategy: 'archrag', answer: 'sentences' },
]
const ALL: OverviewPlan = { kind: 'summary', sides: [], looked: 0, from: 'documents' }

const plain = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
/** A point's wording may end in the middle of a word ("insur"). */
const makes = (text: string, point: readonly string[]): boolean => {
  const said = plain(text)
  return point.some((wording) => said.includes(plain(wording).trimEnd()))
}
const share = (text: string, points: Asking['points']): number => points.filter((point) => makes(text, point)).length / points.length

interface Answer {
  readonly text: string
  readonly isRefused: boolean
  readonly evidence: readonly Evidence[]
  readonly overview?: OverviewPlan
  readonly ms: number
}

/** Characters of the answers of `auto`, which is asked first. */
const lengths = new Map<string, number>()

async function answerOf(index: Index, { q }: Asking, { strategy: name, own = {}, answer = 'overview' }: Contender): Promise<Answer> {
  const strategy = strategies.get(name)
  if (!strategy) throw new Error(`no strategy ${name}`)
  const { topK, whole, budget } = questionDefaults
  const { evidence, overview, ms } = await index.ask(strategy, q, { topK, budget, own, ...(name === 'auto' ? { whole } : {}) })
  const sources = evidence.flatMap((one): OverviewPassage[] =>
    one.document === null || one.start === null ? [] : [{ ...one, document: one.document, start: one.start }],
  )
  const asked = askedTerms(index, q)
  const told = { evidence, ms, ...(overview ? { overview } : {}) }
  const isWhole = overview !== undefined && overview.kind !== 'topic'
  const sure = isWhole
    ? overviewConfidence(overview, evidence)
    : confidence(overview?.about ?? q, sources, asked, { meaning: theStaticEncoder(), count: index.graph.count('passage') })
  if (answer === 'passages')
    return {
      ...told,
      text: evidence
        .map((one) => one.text)
        .join('\n')
        .slice(0, lengths.get(q)),
      isRefused: false,
    }
  if (overview || (answer === 'overview' && name !== 'auto'))
    return {
      ...told,
      text: readOverview(sources, overview ?? ALL, { question: q, asked }).text,
      isRefused: overview !== undefined && sure < ANSWERED,
    }
  return { ...told, text: compose(read(q, sources, asked, theStaticEncoder()), sources).text, isRefused: sure < ANSWERED }
}

const table = (...rows: readonly (readonly (string | number)[])[]): void => {
  const [head = []] = rows
  for (const row of [head, head.map(() => '---'), ...rows.slice(1)]) console.log(`| ${row.join(' | ')} |`)
  console.log('')
}
const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length)
const percent = (list: readonly number[]): string => (100 * mean(list)).toFixed(1)
const KINDS = [...new Set(questions.map((one) => one.kind))]

const worlds = new Map<string, Corpus>(
  [...new Set(questions.map((one) => one.corpus))].map((name) => {
    const { passages } = name === 'orchard' ? orchard : worldOf(name)
    return [name, { name, passages, questions: [] }]
  }),
)
const indexes = new Map<string, Index>()
async function indexOf(name: string, enabled: readonly string[]): Promise<Index> {
  const key = `${name} ${enabled.join(' ')}`
  const known = indexes.get(key) ?? (await indexed(worlds.get(name) as Corpus, 'static', enabledBuilders(enabled)))
  indexes.set(key, known)
  return known
}

const rows: (string | number)[][] = []
for (const contender of CONTENDERS) {
  const answers: Answer[] = []
  for (const question of questions) answers.push(await answerOf(await indexOf(question.corpus, contender.enabled), question, contender))
  const points = (text: (one: Answer) => string): number[] => questions.map((one, i) => share(text(answers[i] as Answer), one.points))
  const said = points((one) => (one.isRefused ? '' : one.text))
  const shown = points((one) => one.evidence.map((piece) => `${piece.title ?? ''}: ${piece.text}`).join('\n'))
  rows.push([
    contender.name,
    percent(said),
    ...KINDS.map((kind) => percent(said.filter((_, i) => questions[i]?.kind === kind))),
    answers.filter((one) => one.isRefused).length,
    mean(answers.map((one) => countTokens(one.text))).toFixed(0),
    percent(shown),
    mean(answers.map((one) => one.evidence.reduce((sum, piece) => sum + piece.tokens, 0))).toFixed(0),
    mean(answers.map((one) => one.ms)).toFixed(1),
  ])
  if (contender.name !== '**auto**, from documents') continue
  for (const [i, { q, points: all }] of questions.entries()) {
    const { text, overview } = answers[i] as Answer
    lengths.set(q, text.length)
    if (values.wrong)
      console.log(
        i,
        overview?.kind ?? 'NOT SEEN',
        q,
        '→ lacks',
        JSON.stringify(all.filter((point) => !makes(text, point)).map(([first]) => first)),
      )
    if (values.show === String(i)) console.log(`${q}\n${text}\n`)
  }
}
table(
  [
    '',
    `points made by the answer, % (${questions.length} questions)`,
    ...KINDS,
    'refused',
    'tokens of it',
    'points in the evidence, %',
    'tokens of it',
    'ms',
  ],
  ...rows,
)

/** Development questions, and our own worlds' ordinary ones: none is about a whole unless somebody wrote one. */
if (values.data !== undefined) await falseAlarms(dataFolder(values.data))

async function falseAlarms(folder: string): Promise<void> {
  const counted: (string | number)[][] = [['set', 'questions', 'with the form of one about a whole', 'taken for one', 'which']]
  const ours = [...WORLDS, ...JUDGES].map((name) => {
    const { passages, questions: own } = worldOf(name)
    return { name, passages, questions: own.map(({ q }) => ({ text: q })) }
  })
  const sets = [...ours, ...corpusNames.map((name) => ({ ...corpus(folder, name, true), name }))]
  for (const { name, passages, questions: own } of sets) {
    const formed = own.filter(({ text }) => overviewQuestion(text))
    const index = formed.length > 0 ? await indexed({ name, passages, questions: [] }, 'none', enabledBuilders([])) : undefined
    const taken: string[] = []
    for (const { text } of formed) {
      const strategy = strategies.get('auto')
      const asked = index && strategy && (await index.ask(strategy, text))
      if (asked?.overview) taken.push(text)
    }
    counted.push([name, own.length, formed.length, taken.length, taken.join('; ')])
  }
  table(...counted)
}
