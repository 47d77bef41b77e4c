/**
 * A corpus in partitions beside one object: recall at 5, how many questions have the same evidence with the same scores, and processor milliseconds of a
 * question: of one graph, of the walk over the joint graph, of the slowest partition of each round (what a question waits for where each has a thread of its
 * own) and of all partitions together. In memory, static vectors. Passages that stand in several sets word for word are taken once.
 *   npm run bench partitions -- --data <folder> [--sets a,b] [--of keyword,hybrid,auto] [--parts 8] [--rounds 3] [--questions 100]
 *   npm run bench partitions -- --pages 400   (made pages of bench/scale, no data)
 */
import { parseArgs } from 'node:util'
import { type Evidence, present } from '../../src/core/evidence'
import { JointGraph } from '../../src/core/joint/joint-graph'
import { partOf } from '../../src/core/joint/part-of'
import { answerReads, countsOf, openedOf, readLimits } from '../../src/core/joint/reads'
import { questionTerms } from '../../src/core/language/question-terms'
import { retrieveSelected } from '../../src/core/selection'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Strategy } from '../../src/core/strategy'
import { cosine } from '../../src/core/vectors'
import { jointRounds } from '../../src/flows/partitions/retrieve'
import { embedStatic } from '../lib/encoders'
import { load } from '../lib/processor'
import { contenders } from '../quality/contenders'
import { type Corpus, corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { type Index, indexed } from '../quality/memory'
import { mean, recall } from '../quality/metrics/ranking'
import { Corpus as Pages } from '../scale/corpus'

const TOP = 20

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    of: { type: 'string', default: 'keyword,hybrid,auto,ppr' },
    parts: { type: 'string', default: '8' },
    rounds: { type: 'string', default: String(jointRounds) },
    questions: { type: 'string', default: '1000' },
    pages: { type: 'string' },
  },
})
const count = Number(values.parts)
const rounds = Number(values.rounds)
const asked = contenders(values.of)
const builders = [...new Map(asked.flatMap((one) => one.strategy.builders).map((one) => [one.name, one])).values()]
const data = values.pages ? made(Number(values.pages)) : joined(values.sets.split(','))
const every = Math.max(1, Math.floor(data.questions.length / Number(values.questions)))
const questions = data.questions.filter((_, i) => i % every === 0)

const one = await indexed(data, 'static', builders, defaultSettings)
const parts: Index[] = []
for (let part = 0; part < count; part++)
  parts.push(
    await indexed({ ...data, passages: data.passages.filter(({ id }) => partOf(id, count) === part) }, 'static', builders, defaultSettings),
  )
const vectors = parts.map(({ graph }) =>
  graph.page('chunk', '', 1e9).flatMap((id) => (graph.chunk(id)?.passages ?? []).map((passage) => passage.id)),
)
console.log(
  `${data.passages.length} documents, ${one.graph.count('chunk')} chunks, ${questions.length} questions, ${count} partitions, ${rounds} rounds, ${load()}`,
)
for (const { name, strategy, own } of asked) console.log(`${name.padEnd(8)} ${await measured(strategy, own)}`)
console.log(load())
process.exit()

interface Times {
  walk: number
  slowest: number
  all: number
}

async function measured(strategy: Strategy, own: NonNullable<(typeof asked)[number]['own']>): Promise<string> {
  const [alone, divided]: [number[], number[]] = [[], []]
  const times = { one: 0, walk: 0, slowest: 0, all: 0, reads: 0 }
  let same = 0
  for (const { text, gold } of questions) {
    const whole = await one.ask(strategy, text, { topK: TOP, own })
    times.one += whole.ms
    const { evidence, reads, ...took } = await askParts(strategy, own, text)
    for (const step of ['walk', 'slowest', 'all'] as const) times[step] += took[step]
    times.reads += reads
    const shown = (all: readonly Evidence[]) => JSON.stringify(all.map((piece) => [piece.id, piece.score.toFixed(9)]))
    if (shown(whole.evidence) === shown(evidence)) same++
    alone.push(recall(whole.documents, gold, 5))
    divided.push(recall([...new Set(evidence.flatMap((piece) => piece.document ?? []))], gold, 5))
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

async function askParts(strategy: Strategy, own: NonNullable<(typeof asked)[number]['own']>, text: string) {
  const [vector] = await embedStatic([text])
  const joint = new JointGraph({ count, partOf: (id) => partOf(id, count) })
  const k = strategy.entries.find((entry) => entry.kind === 'passage')?.k ?? 0
  const nearest = vectors.map((ids, part) =>
    ids
      .map((id) => ({ id, score: cosine(vector ?? [], parts[part]?.graph.vector(id) ?? []) }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, k),
  )
  const near = nearest
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, k)
  const times: Times = { walk: 0, slowest: 0, all: 0 }
  let reads = 0
  for (let round = 0; ; round++) {
    const from = performance.now()
    const query = {
      text,
      terms: questionTerms(joint, text).terms,
      near: round > 0 && k > 0 ? { passage: near } : {},
      ...(vector ? { vector } : {}),
    }
    const options = { topK: TOP, budget: 100_000, trace: false, own }
    const given = { query, scores: new Map<string, number>(), options, settings: defaultSettings, documents: undefined, worth: undefined }
    const found = retrieveSelected(strategy, joint, given)
    if (found.kind === 'wanted') throw new Error(`${strategy.name} wants scores`)
    const lacking = joint.take()
    const isLast = round > 0 && (lacking.size === 0 || round > rounds)
    const evidence = isLast ? present(joint, found.found, { topK: TOP, budget: 100_000 }) : []
    times.walk += performance.now() - from
    if (isLast) return { evidence, reads, ...times }
    if (round === 0) joint.begin(parts.map(({ graph }) => countsOf(graph)))
    const took = parts.map(({ graph }, part) => {
      const own = lacking.get(part) ?? []
      reads += own.length
      const began = performance.now()
      const answers = answerReads(graph, own)
      const entered = nearest[part] ?? []
      const opened =
        round === 0
          ? openedOf(
              graph,
              entered.slice(0, readLimits.opened / 2).map((hit) => hit.id),
            )
          : undefined
      const spent = performance.now() - began
      joint.put(part, own, answers)
      if (opened) joint.enter(part, entered, opened)
      return spent
    })
    times.slowest += Math.max(...took)
    times.all += took.reduce((sum, ms) => sum + ms, 0)
  }
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
