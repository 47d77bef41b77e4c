/**
 * How alike the members of a segment are: mean cosine of chunks to their segment's centroid, for the trie cut, the paper's split and merge, the official
 * packing by integer code, k-means and random groups. Groups of fewer members look more alike, so each way stands beside random groups of
 * its own sizes, and packing, split and merge and k-means are run at the trie cut's mean size. `--data <folder> [--count 2600] [--kmeans yes]`
 */
import { randomHyperplanes, sides } from '../../src/core/algorithms/hyperplanes'
import type { Patch, Vector } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import { type EraSettings, eraDefaults } from '../../src/core/strategies/erarag/settings'
import { segmentOf } from '../../src/core/strategies/erarag/tree'
import { accumulate, cosine } from '../../src/core/vectors'
import { STATIC_DIMENSIONS as DIMENSIONS } from '../lib/encoders'
import { corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { fittedPlanes } from '../variants/erarag'
import { type Item, itemsOf, mean, option, type Row, report, round, settingsWith, world } from './world'

type Groups = readonly (readonly Vector[])[]
const OFFICIAL = 20 // hyperplanes of the official code
const LLOYD = 8 // rounds of k-means

const folder = dataFolder(option('data'))
const all = await itemsOf(
  MULTIHOP.flatMap((name) => corpus(folder, name, true).passages.map((one) => ({ ...one, id: `${name} ${one.id}` }))),
)
const items = random('cohesion')
  .shuffle(all.filter((item) => item.chunks.length === 1))
  .slice(0, Number(option('count') ?? 2600))
const vectors = items.map(vectorOf)

function vectorOf(item: Item): Vector {
  const [vector] = item.chunks[0]?.vectors.passages ?? []
  if (!vector) throw new Error('a chunk without a vector')
  return vector
}

function built(era: Partial<EraSettings>, steps: number, before: Patch = []): { readonly groups: Groups; readonly upper: number } {
  const one = world(settingsWith(era, true))
  one.graph.apply(before)
  const size = Math.ceil(items.length / steps)
  for (let at = 0; at < items.length; at += size) one.add(items.slice(at, at + size))
  const nodes = one.graph.page('summary', '', 1_000_000).flatMap((id) => one.graph.node(id) ?? [])
  const groups = nodes.filter((node) => node.layer === 1).map((node) => segmentOf(node).members.flatMap((id) => one.graph.vector(id) ?? []))
  const upper = nodes
    .filter((node) => node.layer === 2)
    .flatMap((node) => {
      const sums = segmentOf(node).members.flatMap((id) => one.graph.node(id)?.sum ?? [])
      return sums.map((sum) => (node.sum ? cosine(sum, node.sum) : 0))
    })
  return { groups, upper: mean(upper) }
}

/** The official code's packing: buckets of equal codes in the order of their codes as integers, cut as soon as `min` are together. */
function packed(bits: number, min: number, max: number): Groups {
  const planes = randomHyperplanes(224, bits, vectors[0]?.length ?? 0)
  const codes = vectors.map((vector) => ({ vector, code: [...sides(planes, vector)].join('') }))
  const order = codes.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0))
  const out: Vector[][] = []
  let now: Vector[] = []
  for (const { vector } of order) {
    now.push(vector)
    if (now.length < min && now.length < max) continue
    out.push(now)
    now = []
  }
  return now.length > 0 ? [...out, now] : out
}

/** Packing with sizes alternating so that the mean is met. */
function packedAt(bits: number, size: number): Groups {
  const low = packed(bits, Math.floor(size), 1000)
  const high = packed(bits, Math.ceil(size), 1000)
  const share = size - Math.floor(size)
  return [...low.slice(0, Math.round(low.length * (1 - share))), ...high.slice(Math.round(high.length * (1 - share)))]
}

function randomGroups(like: Groups): Groups {
  const shuffled = random('groups').shuffle(vectors)
  let at = 0
  return like.map((group) => {
    at += group.length
    return shuffled.slice(at - group.length, at)
  })
}

function kmeans(count: number): Groups {
  const numbers = random('kmeans')
  let centres: ArrayLike<number>[] = numbers.shuffle(vectors).slice(0, count)
  let groups: Vector[][] = []
  for (let i = 0; i < LLOYD; i++) {
    const unit = centres.map(unitOf)
    groups = centres.map(() => [])
    for (const vector of vectors) groups[nearest(vector, unit)]?.push(vector)
    centres = groups.map((group, j) => (group.length > 0 ? sumOf(group) : (centres[j] as ArrayLike<number>)))
  }
  return groups.filter((group) => group.length > 0)
}

function unitOf(centre: ArrayLike<number>): Float32Array {
  const length = Math.sqrt(Array.from(centre).reduce((sum, one) => sum + one * one, 0)) || 1
  return Float32Array.from(centre, (one) => one / length)
}

function nearest(vector: Vector, centres: readonly Float32Array[]): number {
  let [best, max] = [0, Number.NEGATIVE_INFINITY]
  for (let j = 0; j < centres.length; j++) {
    const centre = centres[j] as Float32Array
    let product = 0
    for (let d = 0; d < vector.length; d++) product += (vector[d] as number) * (centre[d] as number)
    if (product > max) [best, max] = [j, product]
  }
  return best
}

function sumOf(group: readonly Vector[]): Int32Array {
  const sum = new Int32Array(vectors[0]?.length ?? 0)
  for (const vector of group) accumulate(sum, vector)
  return sum
}

/** Mean over chunks of the cosine to their group's centroid. */
function cohesion(groups: Groups): number {
  return mean(
    groups.flatMap((group) => {
      const centre = sumOf(group)
      return group.map((vector) => cosine(vector, centre))
    }),
  )
}

const rows: Row[] = []
function row(way: string, groups: Groups, upper?: number): void {
  const own = cohesion(groups)
  const chance = cohesion(randomGroups(groups))
  const sizes = groups.map((group) => group.length)
  rows.push({
    chunks: vectors.length,
    way,
    segments: groups.length,
    'mean size': round(mean(sizes)),
    smallest: Math.min(...sizes),
    largest: Math.max(...sizes),
    cohesion: round(own, 4),
    'random, same sizes': round(chance, 4),
    gain: round(own - chance, 4),
    'layer 2': upper === undefined ? '' : round(upper, 4),
  })
}

const trie = built({}, 1)
const size = vectors.length / trie.groups.length
row('trie cut 6–12', trie.groups, trie.upper)
const fitted = built({}, 1, fittedPlanes(vectors, eraDefaults, DIMENSIONS))
row('trie cut 6–12, fitted planes', fitted.groups, fitted.upper)
row(`official packing at ${round(size)}, ${OFFICIAL} planes, integer order`, packedAt(OFFICIAL, size))
row(`packing at ${round(size)}, 64 planes, integer order`, packedAt(64, size))
for (const [min, max] of [
  [6, 12],
  [6, 11],
  [5, 12],
  [5, 11],
] as const) {
  const merged = built({ segmentation: 'split-merge', min, max }, 100)
  row(`split and merge ${min}–${max}, 100 rounds`, merged.groups, merged.upper)
}
if (option('kmeans')) row('k-means', kmeans(trie.groups.length))
report('erarag-cohesion', 'Cohesion of segments', rows)
