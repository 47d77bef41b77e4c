/**
 * Recall of passages whose own text is returned, on multi-hop sets: EraRAG beside the baselines; detailed and summarised search over p; segment
 * sizes; after each of ten rounds beside a fresh build; and the time of a search. A summary costs a rank and its tokens.
 * `--data <folder> [--set musique_train100] [--part strategies|rounds|sizes|speed]`
 */
import { present } from '../../src/core/evidence'
import { stateHash } from '../../src/core/graph/fingerprint'
import { random } from '../../src/core/random'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { vector } from '../../src/core/strategies/baselines/vector'
import { erarag } from '../../src/core/strategies/erarag/erarag'
import type { EraSettings } from '../../src/core/strategies/erarag/settings'
import type { Strategy } from '../../src/core/strategy'
import { distinct, terms } from '../../src/core/text/terms'
import { embedStatic as embedAll, STATIC_DIMENSIONS } from '../lib/encoders'
import { type Corpus, corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { nearest } from './nearest'
import {
  type Item,
  itemsOf,
  itemWith,
  mean,
  near as nearby,
  option,
  PAPER,
  quantile,
  type Row,
  report,
  round,
  settingsWith,
  type World,
  world,
} from './world'

type Own = { readonly [name: string]: string | number }
const TOP = 10
const folder = dataFolder(option('data'))
const part = option('part') ?? 'strategies'

interface Score {
  readonly at2: number
  readonly at5: number
  readonly at10: number
  readonly summaries: number
  readonly ms: readonly number[]
}

async function scored(one: World, set: Corpus, strategy: Strategy, own: Own = {}): Promise<Score> {
  const near = nearest(one)
  const questions = await embedAll(set.questions.map((question) => question.text))
  const hits = set.questions.map((question, i) => {
    const asked = questions[i] ?? new Int8Array(0)
    const query = { text: question.text, terms: distinct(terms(question.text)), vector: asked, near: near(asked) }
    const options = { topK: TOP, budget: 4000, trace: false, own }
    const start = performance.now()
    const answer = strategy.retrieve(one.graph, query, new Map(), options, one.settings)
    const ms = performance.now() - start
    const shown = answer.kind === 'evidence' ? present(one.graph, answer.found, { topK: TOP, budget: 4000 }) : []
    const at = (k: number): number => {
      const documents = new Set(shown.slice(0, k).map((item) => item.document))
      return question.gold.filter((id) => documents.has(id)).length / question.gold.length
    }
    return { at2: at(2), at5: at(5), at10: at(10), summaries: shown.filter((item) => item.kind === 'summary').length, ms }
  })
  return {
    at2: 100 * mean(hits.map((hit) => hit.at2)),
    at5: 100 * mean(hits.map((hit) => hit.at5)),
    at10: 100 * mean(hits.map((hit) => hit.at10)),
    summaries: mean(hits.map((hit) => hit.summaries)),
    ms: hits.map((hit) => hit.ms),
  }
}

function cells({ at2, at5, at10, summaries, ms }: Score): Row {
  return {
    'recall@2': round(at2, 1),
    '@5': round(at5, 1),
    '@10': round(at10, 1),
    'summaries shown': round(summaries, 1),
    'ms p50': round(quantile(ms, 0.5)),
  }
}

async function indexedWith(items: readonly Item[], era: Partial<EraSettings> = {}): Promise<World> {
  const one = world(settingsWith(era, era.regroup === 'summary'))
  one.add(items)
  await one.settle(embedAll)
  return one
}

async function strategies(sets: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  const ways: readonly { readonly name: string; readonly strategy: Strategy; readonly own?: Own }[] = [
    { name: 'vector', strategy: vector },
    { name: 'keyword', strategy: keyword },
    { name: 'hybrid', strategy: hybrid },
    { name: 'erarag, collapsed', strategy: erarag },
    { name: 'erarag, collapsed, by cosine', strategy: erarag, own: { rank: 'cosine' } },
    ...['detailed', 'summarised'].flatMap((mode) =>
      [0, 0.25, 0.5, 0.75, 1].map((p) => ({ name: `erarag, ${mode}, p ${p}`, strategy: erarag, own: { mode, p } })),
    ),
  ]
  for (const name of sets) {
    const set = corpus(folder, name, true)
    const one = await indexedWith(await itemsOf(set.passages))
    for (const { name: way, strategy, own } of ways) rows.push({ set: name, way, ...cells(await scored(one, set, strategy, own)) })
  }
  return rows
}

/** Ours, and the paper's full combination: buckets split and merged as chunks come, codes of the summaries' texts, writing only what changed. */
const growing: readonly { readonly way: string; readonly era: Partial<EraSettings>; readonly own?: Own }[] = [
  { way: 'ours', era: {} },
  { way: 'the paper’s', era: PAPER, own: { rank: 'cosine' } },
  { way: 'the paper’s tree, our ranking', era: PAPER },
]

async function rounds(name: string, { way, era, own }: (typeof growing)[number]): Promise<Row[]> {
  const set = corpus(folder, name, true)
  const items = random('rounds').shuffle(await itemsOf(set.passages))
  const grown = await indexedWith(items.slice(0, items.length / 2), era)
  const rows: Row[] = []
  for (let i = 0; i <= 10; i++) {
    const [from, to] = [i - 1, i].map((n) => Math.round(items.length / 2 + (n * items.length) / 20))
    if (i > 0) grown.add(items.slice(from, to))
    await grown.settle(embedAll)
    const fresh = await indexedWith(items.slice(0, to), era)
    const [a, b] = [await scored(grown, set, erarag, own), await scored(fresh, set, erarag, own)]
    const same = stateHash(grown.graph.lines()) === stateHash(fresh.graph.lines())
    rows.push({
      set: name,
      way,
      round: i,
      chunks: to ?? 0,
      'grown, recall@5': round(a.at5, 1),
      'fresh, recall@5': round(b.at5, 1),
      'summaries shown': round(a.summaries, 1),
      'same state': String(same),
    })
  }
  return rows
}

/** δ of the paper's c ± δ around c = 9 (the default is δ = 3), and other c. Below δ = 8/3 no method can keep the bounds. */
async function sizes(name: string): Promise<Row[]> {
  const set = corpus(folder, name, true)
  const items = await itemsOf(set.passages)
  const rows: Row[] = []
  for (const [min, max] of [
    [6, 12],
    [5, 13],
    [3, 15],
    [3, 6],
    [4, 8],
    [8, 16],
    [12, 24],
  ] as const) {
    const one = await indexedWith(items, { min, max })
    rows.push({ set: name, min, max, summaries: one.summaries(), ...cells(await scored(one, set, erarag)) })
  }
  return rows
}

/** Time of a search at 10,000 passages, and of the builder by stage. */
async function speed(): Promise<Row[]> {
  const numbers = random('speed')
  const sets = MULTIHOP.map((name) => corpus(folder, name, true))
  const items = await itemsOf(sets.flatMap((set) => set.passages.map((one) => ({ ...one, id: `${set.name} ${one.id}` }))))
  const first = items.map((item) => item.chunks[0]?.vectors.passages[0]).filter((one) => one !== undefined)
  const more = Array.from({ length: Math.max(0, 10_000 - items.length) }, (_, i) =>
    itemWith(`more ${i}`, nearby(first[numbers.below(first.length)] ?? new Int8Array(STATIC_DIMENSIONS), 0.6, numbers)),
  )
  const one = world(settingsWith({}))
  const built = one.add([...items, ...more])
  const start = performance.now()
  const texts = [...one.tasks.values()].length
  await one.settle(async (list) => list.map((_, i) => first[i % first.length] ?? new Int8Array(STATIC_DIMENSIONS)))
  const settled = performance.now() - start
  const [set] = sets
  const timed = async (strategy: Strategy, own: Own = {}): Promise<Row> => {
    const ms = set ? (await scored(one, set, strategy, own)).ms : []
    return {
      what: `search, ${strategy.name} ${own.mode ?? ''}`,
      count: ms.length,
      'ms p50': round(quantile(ms, 0.5)),
      p95: round(quantile(ms, 0.95)),
    }
  }
  const passages = one.graph.count('passage')
  return [
    { what: `structure and extractive texts of ${passages} passages`, count: 10_000, 'ms p50': round(built.ms / 10_000) },
    { what: 'a summary’s vector taken in', count: texts, 'ms p50': round(settled / texts) },
    await timed(keyword),
    await timed(hybrid),
    await timed(erarag),
    await timed(erarag, { mode: 'detailed' }),
    await timed(erarag, { mode: 'summarised' }),
  ]
}

const set = option('set') ?? 'musique_train100'
if (part === 'strategies')
  report('erarag-recall', 'Recall on multi-hop sets, titles indexed', await strategies(option('set') ? [set] : MULTIHOP))
if (part === 'rounds')
  report('erarag-rounds', 'Ten rounds of growth beside a fresh build', (await Promise.all(growing.map((one) => rounds(set, one)))).flat())
if (part === 'sizes') report('erarag-sizes', 'Bounds of segments', await sizes(set))
if (part === 'speed') report('erarag-speed', 'Time at 10,000 passages', await speed())
