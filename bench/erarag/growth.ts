/**
 * A corpus that grows: half of it, then ten rounds of 5 %, written eagerly and deferred, against rebuilding each round and one static build. Counts
 * summaries the model is asked for, equal questions once. `--data <folder> [--order scattered|given|similar] [--initial 0,50]`
 */
import { random } from '../../src/core/random'
import type { EraSettings } from '../../src/core/strategies/erarag/settings'
import { parentOf } from '../../src/core/strategies/erarag/tree'
import { embedStatic as embedAll } from '../lib/encoders'
import { corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { type Item, itemsOf, option, PAPER, type Row, report, round, settingsWith, type World, world } from './world'

const ROUNDS = 10
const folder = dataFolder(option('data'))
const names = (option('sets') ?? MULTIHOP.join()).split(',')
const items = await itemsOf(
  names.flatMap((name) => corpus(folder, name, true).passages.map((one) => ({ ...one, id: `${name} ${one.id}` }))),
)
const order = option('order') ?? 'scattered'
// Given: the sets' own order, passages of one question together. Similar: runs of twenty neighbours in the tree, the hardest case for a cut.
const arranged = order === 'scattered' ? random('growth').shuffle(items) : order === 'given' ? items : blocks(await sorted(items), 20)

async function sorted(all: readonly Item[]): Promise<Item[]> {
  const one = world(settingsWith({}, true))
  one.add(all)
  const place = new Map(one.graph.order('erarag/0', { limit: 1_000_000 }).map(({ id }, i) => [id, i]))
  return [...all].sort((a, b) => (place.get(a.chunks[0]?.chunk.id ?? '') ?? 0) - (place.get(b.chunks[0]?.chunk.id ?? '') ?? 0))
}

/** Runs of neighbours, in random order: documents of so many chunks on one matter each. */
function blocks(all: readonly Item[], size: number): Item[] {
  const runs = Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
  return random('blocks').shuffle(runs).flat()
}

/** Summaries, of all layers, that hold one of these chunks. */
function holding(one: World, fresh: readonly Item[]): number {
  const above = new Set<string>()
  for (const { chunk } of fresh.flatMap((item) => item.chunks)) {
    for (let at = parentOf(one.graph, chunk.id); at !== undefined && !above.has(at); at = parentOf(one.graph, at)) above.add(at)
  }
  return above.size
}

interface Grown {
  readonly first: number
  readonly tokens: number
  readonly firstTokens: number
  readonly rounds: number
  readonly settle: number
  readonly held: number
  readonly stale: number
  readonly ms: number
  readonly hash: string
}

async function grown(era: Partial<EraSettings>, initial: number): Promise<Grown> {
  const one = world(settingsWith(era, true))
  const lazy = era.writing === 'lazy'
  const embed = era.regroup === 'summary' ? embedAll : undefined
  const cut = Math.round(arranged.length * initial)
  const step = (arranged.length - cut) / ROUNDS
  if (cut > 0) one.add(arranged.slice(0, cut))
  await one.settle(embed)
  const [first, firstTokens] = [one.asked(), one.tokens()]
  let held = 0
  let ms = 0
  let stale = 0
  for (let i = 0; i < ROUNDS; i++) {
    const fresh = arranged.slice(Math.round(cut + i * step), Math.round(cut + (i + 1) * step))
    ms += one.add(fresh).ms
    if (!lazy) await one.settle(embed)
    held += holding(one, fresh)
    stale += one.graph.order('erarag/stale', { limit: 1_000_000 }).length
  }
  const rounds = one.asked() - first
  await one.settle(embed)
  const { stateHash } = await import('../../src/core/graph/fingerprint')
  return {
    tokens: one.tokens(),
    firstTokens,
    first,
    rounds,
    settle: one.asked() - first - rounds,
    held,
    stale,
    ms: ms / ROUNDS,
    hash: stateHash(one.graph.lines()),
  }
}

/** What building anew would write, at the end of each round. */
function rebuilt(era: Partial<EraSettings>, initial: number): { readonly rounds: number; readonly whole: number } {
  const cut = Math.round(arranged.length * initial)
  const step = (arranged.length - cut) / ROUNDS
  const sizes = Array.from({ length: ROUNDS }, (_, i) => {
    const one = world(settingsWith(era, true))
    one.add(arranged.slice(0, Math.round(cut + (i + 1) * step)))
    return one.summaries()
  })
  return { rounds: sizes.reduce((sum, size) => sum + size, 0), whole: sizes[ROUNDS - 1] ?? 0 }
}

const ways: readonly { readonly name: string; readonly era: Partial<EraSettings> }[] = [
  { name: 'trie cut, members, eager', era: {} },
  { name: 'trie cut, members, deferred', era: { writing: 'lazy' } },
  { name: 'trie cut, text regroup, eager', era: { regroup: 'summary' } },
  { name: 'split and merge, members, eager', era: { segmentation: 'split-merge' } },
  { name: 'split and merge, members, 20 planes', era: { segmentation: 'split-merge', planes: 20 } },
  { name: 'the paper: split and merge by Hamming distance, text regroup, 20 planes', era: PAPER },
  { name: 'the same, 12 planes', era: { ...PAPER, planes: 12 } },
]
const wanted = option('ways')?.split(',').map(Number) ?? ways.map((_, i) => i)
const rows: Row[] = []
for (const initial of (option('initial') ?? '50').split(',').map((share) => Number(share) / 100)) {
  for (const { name, era } of wanted.flatMap((i) => ways[i] ?? [])) {
    const again = rebuilt(era, initial)
    const one = await grown(era, initial)
    rows.push({
      chunks: arranged.length,
      order,
      'initial %': initial * 100,
      way: name,
      first: one.first,
      'ten rounds': one.rounds,
      settle: one.settle,
      'segments holding a new chunk': one.held,
      'made / held': round(one.rounds / one.held),
      'rebuilding ten times': again.rounds,
      'rounds / rebuilding %': round((100 * (one.rounds + one.settle)) / again.rounds, 1),
      static: again.whole,
      'tokens of the rounds, M': round((one.tokens - one.firstTokens) / 1e6),
      'whole growth / static': round((one.first + one.rounds + one.settle) / again.whole),
      'stale after rounds, sum': one.stale,
      'builder ms a round': round(one.ms, 1),
      state: one.hash.slice(0, 8),
    })
  }
}
report(`erarag-growth-${order}${option('initial') ? '-coverage' : ''}`, 'Half of the corpus, then ten rounds of 5 %', rows)
