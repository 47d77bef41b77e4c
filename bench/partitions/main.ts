/**
 * A corpus in partitions beside one object: recall at 5, how many questions have the same evidence with the same scores, the same pieces in any order, or in the same order, by what
 * share of it the score of a piece differs at most, and milliseconds of the processor for a question: of one graph, of the walk over the joint graph, of the slowest partition of each round (what a question waits for where each has a thread of its
 * own) and of all partitions together. Each graph is an object's own, in SQLite (node:sqlite), with static vectors; what is nearest is known before the clock runs. Passages that stand in several sets word for word are taken once.
 *   npm run bench partitions -- --data <folder> [--sets a,b] [--of keyword,hybrid,auto] [--parts 8] [--rounds 3] [--questions 100]
 *   npm run bench partitions -- --pages 400   (made pages of bench/scale, no data)
 * `--folder`: databases are kept there, and found again. `--make one` or a partition's number makes only that one, so that several can be made at once.
 * `--postings`: of the keyword index, read for a question at most, in each object.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Evidence, present } from '../../src/core/evidence'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Hit, Vector } from '../../src/core/graph/types'
import { answerReads, countsOf, openedOf } from '../../src/core/joint/answering'
import { JointGraph } from '../../src/core/joint/joint-graph'
import { searchIn } from '../../src/core/joint/match'
import { partOf } from '../../src/core/joint/part-of'
import { readLimits } from '../../src/core/joint/reads'
import { questionTerms } from '../../src/core/language/question-terms'
import { retrieveSelected } from '../../src/core/selection'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { summariesAbove, topsOf, treeAbove } from '../../src/core/strategies/erarag/above'
import type { Query, Strategy } from '../../src/core/strategy'
import { cosine, quantize } from '../../src/core/vectors'
import { jointRounds, moreRounds, omittedBy } from '../../src/flows/partitions/walking'
import { theStaticEncoder } from '../lib/encoders'
import { load } from '../lib/processor'
import { contenders } from '../quality/contenders'
import { dataFolder, MULTIHOP, type Passage } from '../quality/corpora'
import { mean, recall } from '../quality/metrics/ranking'
import { joined, made } from './corpora'
import { type Held, held, type Shown } from './held'
import { likeness } from './likeness'

const TOP = 20
/** Milliseconds of the processor: other work on the machine would be in the slowest of several by the clock. */
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
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
    folder: { type: 'string' },
    postings: { type: 'string' },
    make: { type: 'string' },
    mode: { type: 'string' }, // of EraRAG
  },
})
const count = Number(values.parts)
const roundsOf = (strategy: Strategy): number => Number(values.rounds ?? jointRounds(entriesOf(strategy, 'passage') > 0, strategy))
const asked = contenders(values.of)
const strategies = asked.map((one) => one.strategy.name)
const data = values.pages ? made(Number(values.pages)) : joined(dataFolder(values.data), values.sets.split(','))
const every = Math.max(1, Math.floor(data.questions.length / Number(values.questions)))
const questions = data.questions.filter((_, i) => i % every === 0)

const encode = (text: string): Vector => quantize(theStaticEncoder().encode(text))
const inPart = (part: number): readonly Passage[] => data.passages.filter(({ id }) => partOf(id, count) === part)
const hold = (name: string, documents: readonly Passage[]): Promise<Held> =>
  held(documents, strategies, {
    file: values.folder && join(values.folder, `${name}.db`),
    postings: values.postings === undefined ? undefined : Number(values.postings),
  })
if (values.make !== undefined) {
  await hold(values.make, values.make === 'one' ? data.passages : inPart(Number(values.make)))
  process.exit()
}
const one = await hold('one', data.passages)
const parts: Held[] = []
for (let part = 0; part < count; part++) parts.push(await hold(String(part), inPart(part)))
console.log(
  `${data.passages.length} documents, ${one.graph.count('chunk')} chunks, ${questions.length} questions, ${count} partitions, ${load()}`,
)
const settings = { ...defaultSettings, dimensions: one.graph.dimensions }
const tops = parts.map(({ graph }) => topsOf(graph, settings))
const grownFrom = spent()
const tree = treeAbove(tops.flat(), settings)
const above = tree.count('summary') - tops.flat().length
if (above > 0) console.log(`above ${tops.flat().length} top summaries: ${above} summaries, grown in ${(spent() - grownFrom).toFixed(1)} ms`)
for (const { name, strategy, own } of asked)
  for (const line of measured(strategy, { ...own, ...(values.mode ? { mode: values.mode } : {}) })) console.log(`${name.padEnd(8)} ${line}`)
console.log(load())
process.exit()

type Near = { readonly [kind in Shown]: readonly Hit[] }

type Own = NonNullable<(typeof asked)[number]['own']>

interface Times {
  walk: number
  slowest: number
  all: number
}

/** A line for each way; where there is a tree above those of the partitions, both without it and with it, in turn. */
function measured(strategy: Strategy, own: Own): readonly string[] {
  const alone: number[] = []
  let one = 0
  const ways = (strategy.trees && above > 0 ? [false, true] : [false]).map((isRaised) => ({
    isRaised,
    found: [] as number[],
    times: { walk: 0, slowest: 0, all: 0, reads: 0 },
    same: 0,
    sets: 0,
    ordered: 0,
    apart: 0,
    shownAbove: 0,
  }))
  for (const { text, gold } of questions) {
    const whole = askOne(strategy, own, text)
    one += whole.ms
    alone.push(recall(documentsOf(whole.evidence), gold, 5))
    for (const way of ways) {
      const { evidence, reads, ...took } = askParts(strategy, own, text, way.isRaised)
      for (const step of ['walk', 'slowest', 'all'] as const) way.times[step] += took[step]
      way.times.reads += reads
      const like = likeness(whole.evidence, evidence)
      if (like.isSame) way.same++
      if (like.isSet) way.sets++
      if (like.isOrdered) way.ordered++
      way.apart = Math.max(way.apart, like.apart)
      way.shownAbove += evidence.filter(({ id }) => tree.node(id) && !parts.some(({ graph }) => graph.node(id))).length
      way.found.push(recall(documentsOf(evidence), gold, 5))
    }
  }
  const each = (sum: number) => (sum / questions.length).toFixed(1)
  return ways.map(({ isRaised, found, times, same, sets, ordered, apart, shownAbove }) =>
    [
      `recall@5 ${(100 * mean(alone)).toFixed(1)} → ${(100 * mean(found)).toFixed(1)}`,
      `same ${same} of ${questions.length}, the same pieces ${sets}, in the same order ${ordered}, scores apart by ${apart.toPrecision(2)} at most`,
      `ms: one ${each(one)}, walk ${each(times.walk)}, slowest partition ${each(times.slowest)}, all ${each(times.all)}; ×${((times.walk + times.slowest) / one).toFixed(1)}`,
      `reads ${each(times.reads)}`,
      ...(isRaised ? [`with the tree above, ${each(shownAbove)} of its summaries shown`] : []),
    ].join('  '),
  )
}

function askOne(strategy: Strategy, own: Own, text: string) {
  const vector = encode(text)
  const near = nearest(one, vector, strategy)
  const from = spent()
  const query = { text, terms: questionTerms(one.graph, text).terms, near, vector }
  const evidence = present(one.graph, retrieved(strategy, one.graph, query, own), { topK: TOP, budget: 100_000 })
  return { evidence, ms: spent() - from }
}

function askParts(strategy: Strategy, own: Own, text: string, isRaised: boolean) {
  const vector = encode(text)
  const joint = new JointGraph({ count, partOf: (id) => partOf(id, count) })
  const rounds = roundsOf(strategy)
  const omits = omittedBy(strategy, true)
  const shown = parts.map((part) => nearest(part, vector, strategy))
  const among = (kind: Shown) =>
    shown
      .flatMap((one) => one[kind])
      .sort(best)
      .slice(0, entriesOf(strategy, kind))
  let near: Near = { passage: among('passage'), summary: among('summary') }
  const times: Times = { walk: 0, slowest: 0, all: 0 }
  let reads = 0
  for (let round = 0; ; round++) {
    const from = spent()
    const query = {
      text,
      terms: questionTerms(joint, text).terms,
      near: round > 0 ? near : {},
      vector,
    }
    const found = retrieved(strategy, joint, query, own)
    const more = moreRounds(joint, found, TOP)
    const lacking = joint.take()
    const isLast = round > 0 && (lacking.size === 0 || round > rounds + more)
    const evidence = isLast ? present(joint, found, { topK: TOP, budget: 100_000 }) : []
    times.walk += spent() - from
    if (isLast) return { evidence, reads, ...times }
    if (round === 0) joint.begin(parts.map(({ graph }) => countsOf(graph)))
    const took = parts.map(({ graph }, part) => {
      const own = lacking.get(part) ?? []
      reads += own.length
      const began = spent()
      const asked: Query = { text, terms: questionTerms(graph, text).terms, near: {}, vector }
      const search = searchIn(graph)
      const answers = answerReads(graph, own, { search, trees: strategy.trees?.(graph, asked, search), omits })
      const { passage = [], summary = [] } = shown[part] ?? {}
      const opened =
        round === 0
          ? openedOf(
              graph,
              passage.slice(0, readLimits.opened / 2).map((hit) => hit.id),
              omits,
            )
          : undefined
      const ms = spent() - began
      joint.put(part, own, answers)
      if (opened) joint.enter(part, [...passage, ...summary], opened)
      return ms
    })
    if (isRaised && round === 1) {
      const began = spent()
      joint.trees.raise(summariesAbove(tree, settings, (top) => tops.findIndex((own) => own.some((one) => one.id === top)), vector))
      took.push(spent() - began)
      const summary = [...near.summary, ...joint.trees.near(vector)].sort(best)
      near = { ...near, summary: summary.slice(0, entriesOf(strategy, 'summary')) }
    }
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
