/**
 * A corpus in partitions beside one object: recall at 5, how many questions have the same evidence with the same scores, and processor milliseconds of a
 * question: of one graph, of the walk over the joint graph, of the slowest partition of each round (what a question waits for where each has a thread of its
 * own) and of all partitions together. Each graph is an object's own, in SQLite (node:sqlite), with static vectors; what is nearest is known before the clock runs. Passages that stand in several sets word for word are taken once.
 *   npm run bench partitions -- --data <folder> [--sets a,b] [--of keyword,hybrid,auto] [--parts 8] [--rounds 3] [--questions 100]
 *   npm run bench partitions -- --pages 400   (made pages of bench/scale, no data)
 */
import { parseArgs } from 'node:util'
import { type Evidence, present } from '../../src/core/evidence'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Hit, Vector } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'
import { JointGraph } from '../../src/core/joint/joint-graph'
import { partOf } from '../../src/core/joint/part-of'
import { answerReads, countsOf, openedOf, readLimits } from '../../src/core/joint/reads'
import { questionTerms } from '../../src/core/language/question-terms'
import { retrieveSelected } from '../../src/core/selection'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Query, Strategy } from '../../src/core/strategy'
import { cosine, quantize } from '../../src/core/vectors'
import { jointRounds } from '../../src/flows/partitions/walking'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject } from '../lib/object'
import { load } from '../lib/processor'
import { contenders } from '../quality/contenders'
import { type Corpus, corpus, dataFolder, MULTIHOP, type Passage } from '../quality/corpora'
import { mean, recall } from '../quality/metrics/ranking'
import { Corpus as Pages } from '../scale/corpus'

const TOP = 20
const BATCH = 100 // documents taken in at once
const best = (a: Hit, b: Hit): number => b.score - a.score || (a.id < b.id ? -1 : 1)

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    of: { type: 'string', default: 'keyword,hybrid,auto,ppr' },
    parts: { type: 'string', default: '8' },
    rounds: { type: 'string' },
    questions: { type: 'string', default: '1000' },
    pages: { type: 'string' },
  },
})
const count = Number(values.parts)
const roundsOf = (strategy: Strategy): number => Number(values.rounds ?? jointRounds(true, strategy))
const asked = contenders(values.of)
const strategies = asked.map((one) => one.strategy.name)
const data = values.pages ? made(Number(values.pages)) : joined(values.sets.split(','))
const every = Math.max(1, Math.floor(data.questions.length / Number(values.questions)))
const questions = data.questions.filter((_, i) => i % every === 0)

const encode = (text: string): Vector => quantize(theStaticEncoder().encode(text))
const one = held(data.passages)
const parts = Array.from({ length: count }, (_, part) => held(data.passages.filter(({ id }) => partOf(id, count) === part)))
console.log(
  `${data.passages.length} documents, ${one.graph.count('chunk')} chunks, ${questions.length} questions, ${count} partitions, ${load()}`,
)
for (const { name, strategy, own } of asked) console.log(`${name.padEnd(8)} ${measured(strategy, own)}`)
console.log(load())
process.exit()

interface Held {
  readonly graph: GraphReader
  readonly vectors: { readonly [kind in Shown]: readonly { readonly id: string; readonly vector: Vector }[] }
}

/** What the index of vectors has. */
type Shown = 'passage' | 'summary'

type Near = { readonly [kind in Shown]: readonly Hit[] }

type Own = NonNullable<(typeof asked)[number]['own']>

interface Times {
  walk: number
  slowest: number
  all: number
}

function measured(strategy: Strategy, own: Own): string {
  const [alone, divided]: [number[], number[]] = [[], []]
  const times = { one: 0, walk: 0, slowest: 0, all: 0, reads: 0 }
  let same = 0
  for (const { text, gold } of questions) {
    const whole = askOne(strategy, own, text)
    times.one += whole.ms
    const { evidence, reads, ...took } = askParts(strategy, own, text)
    for (const step of ['walk', 'slowest', 'all'] as const) times[step] += took[step]
    times.reads += reads
    const shown = (all: readonly Evidence[]) => JSON.stringify(all.map((piece) => [piece.id, piece.score.toFixed(9)]))
    if (shown(whole.evidence) === shown(evidence)) same++
    alone.push(recall(documentsOf(whole.evidence), gold, 5))
    divided.push(recall(documentsOf(evidence), gold, 5))
  }
  const each = (sum: number) => (sum / questions.length).toFixed(1)
  const clock = ((times.walk + times.slowest) / times.one).toFixed(1)
  return [
    `recall@5 ${(100 * mean(alone)).toFixed(1)} → ${(100 * mean(divided)).toFixed(1)}`,
    `same ${same} of ${questions.length}`,
    `ms: one ${each(times.one)}, walk ${each(times.walk)}, slowest partition ${each(times.slowest)}, all ${each(times.all)}; ×${clock}`,
    `reads ${each(times.reads)}`,
  ].join('  ')
}

function askOne(strategy: Strategy, own: Own, text: string) {
  const vector = encode(text)
  const near = nearest(one, vector, strategy)
  const from = performance.now()
  const query = { text, terms: questionTerms(one.graph, text).terms, near, vector }
  const evidence = present(one.graph, retrieved(strategy, one.graph, query, own), { topK: TOP, budget: 100_000 })
  return { evidence, ms: performance.now() - from }
}

function askParts(strategy: Strategy, own: Own, text: string) {
  const vector = encode(text)
  const joint = new JointGraph({ count, partOf: (id) => partOf(id, count) })
  const rounds = roundsOf(strategy)
  const shown = parts.map((part) => nearest(part, vector, strategy))
  const among = (kind: Shown) =>
    shown
      .flatMap((one) => one[kind])
      .sort(best)
      .slice(0, entriesOf(strategy, kind))
  const near: Near = { passage: among('passage'), summary: among('summary') }
  const times: Times = { walk: 0, slowest: 0, all: 0 }
  let reads = 0
  for (let round = 0; ; round++) {
    const from = performance.now()
    const query = {
      text,
      terms: questionTerms(joint, text).terms,
      near: round > 0 ? near : {},
      vector,
    }
    const found = retrieved(strategy, joint, query, own)
    const lacking = joint.take()
    const isLast = round > 0 && (lacking.size === 0 || round > rounds)
    const evidence = isLast ? present(joint, found, { topK: TOP, budget: 100_000 }) : []
    times.walk += performance.now() - from
    if (isLast) return { evidence, reads, ...times }
    if (round === 0) joint.begin(parts.map(({ graph }) => countsOf(graph)))
    const took = parts.map(({ graph }, part) => {
      const own = lacking.get(part) ?? []
      reads += own.length
      const began = performance.now()
      const asked: Query = { text, terms: questionTerms(graph, text).terms, near: {}, vector }
      const answers = answerReads(graph, own, undefined, strategy.trees?.(graph, asked))
      const { passage = [], summary = [] } = shown[part] ?? {}
      const opened =
        round === 0
          ? openedOf(
              graph,
              passage.slice(0, readLimits.opened / 2).map((hit) => hit.id),
            )
          : undefined
      const spent = performance.now() - began
      joint.put(part, own, answers)
      if (opened) joint.enter(part, [...passage, ...summary], opened)
      return spent
    })
    times.slowest += Math.max(...took)
    times.all += took.reduce((sum, ms) => sum + ms, 0)
  }
}

function retrieved(strategy: Strategy, graph: GraphReader, query: Query, own: Own) {
  const options = { topK: TOP, budget: 100_000, trace: false, own }
  const given = { query, scores: new Map<string, number>(), options, settings: defaultSettings, documents: undefined, worth: undefined }
  const found = retrieveSelected(strategy, graph, given)
  if (found.kind === 'wanted') throw new Error(`${strategy.name} wants scores`)
  return found.found
}

function entriesOf(strategy: Strategy, kind: Shown): number {
  return strategy.entries.find((entry) => entry.kind === kind)?.k ?? 0
}

/** As the index of vectors shows them. */
function nearest({ vectors }: Held, vector: Vector, strategy: Strategy): Near {
  const of = (kind: Shown) =>
    vectors[kind]
      .map(({ id, vector: own }): Hit => ({ id, score: cosine(vector, own) }))
      .sort(best)
      .slice(0, entriesOf(strategy, kind))
  return { passage: of('passage'), summary: of('summary') }
}

function documentsOf(evidence: readonly Evidence[]): string[] {
  return [...new Set(evidence.flatMap((piece) => piece.document ?? []))]
}

/** These documents in an object of their own. */
function held(documents: readonly Passage[]): Held {
  const { context, ingest } = localObject(strategies, { dimensions: STATIC_DIMENSIONS })
  for (let at = 0; at < documents.length; at += BATCH) {
    ingest(
      documents.slice(at, at + BATCH).map((document) => ({ ...document, url: null, metadata: {} })),
      (texts) => texts.map(encode),
    )
  }
  const { graph } = context
  const passages = graph.page('chunk', '', 1e9).flatMap((chunk) => (graph.chunk(chunk)?.passages ?? []).map((_, i) => passageId(chunk, i)))
  const withVectors = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const vector = graph.vector(id)
      return vector ? [{ id, vector }] : []
    })
  return { graph, vectors: { passage: withVectors(passages), summary: withVectors(graph.page('summary', '', 1e9)) } }
}

/** Sets as one corpus: ids are told apart by the set, and of equal passages the first stands for all. */
function joined(names: readonly string[]): Corpus {
  const folder = dataFolder(values.data)
  const sets = names.map((name) => corpus(folder, name, true))
  const known = new Map<string, string>()
  const ids = new Map<string, string>()
  const passages = sets.flatMap(({ name, passages: own }) =>
    own.flatMap((passage) => {
      const id = `${name}/${passage.id}`
      const content = `${passage.title}\n${passage.text}`
      const first = known.get(content) ?? id
      known.set(content, first)
      ids.set(id, first)
      return first === id ? [{ ...passage, id }] : []
    }),
  )
  const all = sets.flatMap(({ name, questions: own }) =>
    own.map((question) => ({ ...question, gold: question.gold.map((id) => ids.get(`${name}/${id}`) ?? '') })),
  )
  return { name: names.join(), passages, questions: all }
}

/** Questions about one page each. */
function made(pages: number): Corpus {
  const source = new Pages()
  const passages = Array.from({ length: pages }, (_, n) => source.page(n))
  const byTitle = new Map(passages.map(({ title, id }) => [title, id]))
  const titled = (text: string): string[] => [...byTitle].flatMap(([title, id]) => (text.includes(`What does ${title} say of`) ? [id] : []))
  const all = Array.from({ length: 100 }, (_, n) => source.question(n, pages)).map((text, n) => ({
    id: String(n),
    text,
    gold: titled(text),
    answers: [],
    type: '',
  }))
  return { name: 'pages', passages, questions: all.filter((question) => question.gold.length > 0) }
}
