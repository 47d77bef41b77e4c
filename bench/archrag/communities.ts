/**
 * Communities on the graph of the recorded extraction: modularity of our Leiden, SCAN and spectral clustering beside graphology's Louvain (uncapped, and split again and
 * again by the same cap), and the paper's CHI and Sim with and without attributes. An entity's vector is the mean of its passages'. `--data <folder> [--cap 15]`
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UndirectedGraph } from 'graphology'
import louvain from 'graphology-communities-louvain'
import { connectedParts, countOf } from '../../src/core/algorithms/connected-parts'
import { leiden } from '../../src/core/algorithms/leiden'
import { modularity } from '../../src/core/algorithms/modularity'
import { type WeightedEdge, weightedGraph } from '../../src/core/algorithms/weighted-graph'
import { random } from '../../src/core/random'
import { cosine, mean } from '../../src/core/vectors'
import { option, type Row, report, round } from '../erarag/world'
import { DIMENSIONS, embedAll } from '../lib/embeddings'
import { dataFolder } from '../quality/corpora'
import { scan } from '../variants/scan'
import { spectral } from '../variants/spectral'
import { quality } from './world'

interface Recorded {
  readonly docs: readonly { readonly title: string; readonly text: string; readonly extracted_triples: readonly (readonly string[])[] }[]
}

const cap = Number(option('cap') ?? 15)
const text = readFileSync(join(dataFolder(option('data')), 'multihop/musique_train100.openie-gpt3.5.json'), 'utf8')
const { docs } = JSON.parse(text.replaceAll(': NaN', ': null')) as Recorded
const passages = await embedAll(docs.map((one) => `${one.title}\n${one.text}`))
const ids = new Map<string, number>()
const held: Int8Array[][] = []
const weights = new Map<number, WeightedEdge>()
const numberOf = (name: string, passage: number): number => {
  const key = name.toLowerCase().trim()
  const id = ids.get(key) ?? ids.size
  ids.set(key, id)
  held[id] = [...(held[id] ?? []), passages[passage] as Int8Array]
  return id
}
const SPACE = 1 << 20
docs.forEach((doc, passage) => {
  for (const triple of doc.extracted_triples) {
    const [head, , tail] = triple.map(String)
    if (triple.length !== 3 || !head?.trim() || !tail?.trim() || head.toLowerCase().trim() === tail.toLowerCase().trim()) continue
    const [a, b] = [numberOf(head, passage), numberOf(tail, passage)]
    const [u, v] = [Math.min(a, b), Math.max(a, b)]
    weights.set(u * SPACE + v, { u, v, weight: (weights.get(u * SPACE + v)?.weight ?? 0) + 1 })
  }
})
const size = ids.size
const edges = [...weights.values()]
const graph = weightedGraph(size, edges)
const vectors = held.map((list) => mean(list, DIMENSIONS))
const attributed = weightedGraph(
  size,
  edges.map(({ u, v }) => ({ u, v, weight: Math.max(0.01, cosine(vectors[u] as Int8Array, vectors[v] as Int8Array)) })),
)

function louvainOf(nodes: readonly number[], inside: readonly WeightedEdge[]): readonly number[] {
  const one = new UndirectedGraph()
  for (const u of nodes) one.addNode(String(u))
  for (const { u, v, weight } of inside) one.addEdge(String(u), String(v), { weight })
  const numbers = random('louvain')
  const found = louvain(one, { rng: () => numbers.next() })
  return nodes.map((u) => found[String(u)] ?? 0)
}

function split(nodes: readonly number[], max: number): number[][] {
  const here = new Set(nodes)
  const found = louvainOf(
    nodes,
    edges.filter(({ u, v }) => here.has(u) && here.has(v)),
  )
  const parts = new Map<number, number[]>()
  nodes.forEach((u, i) => {
    const part = parts.get(found[i] as number) ?? []
    parts.set(found[i] as number, part)
    part.push(u)
  })
  return [...parts.values()].flatMap((part) => {
    if (part.length <= max) return [part]
    if (parts.size > 1) return split(part, max)
    return Array.from({ length: Math.ceil(part.length / max) }, (_, i) => part.slice(i * max, (i + 1) * max))
  })
}

function numbered(parts: readonly (readonly number[])[]): Int32Array {
  const out = new Int32Array(size)
  parts.forEach((part, i) => {
    for (const u of part) out[u] = i
  })
  return out
}

const rows: Row[] = []
function row(way: string, make: () => Int32Array): void {
  const start = performance.now()
  const communities = make()
  const ms = performance.now() - start
  const count = countOf(communities)
  const sizes = new Map<number, number>()
  for (const one of communities) sizes.set(one, (sizes.get(one) ?? 0) + 1)
  const { chi, sim } = quality(vectors, communities)
  rows.push({
    way,
    communities: count,
    largest: Math.max(...sizes.values()),
    connected: countOf(connectedParts(graph, communities)) === count ? 'yes' : 'no',
    modularity: round(modularity(graph, communities), 4),
    CHI: round(chi, 3),
    Sim: round(sim, 4),
    ms: Math.round(ms),
  })
  console.log(JSON.stringify(rows.at(-1)))
}

const all = [...Array(size).keys()]
row('Louvain', () => Int32Array.from(louvainOf(all, edges)))
row('Leiden', () => leiden(graph, { seed: 1, max: size }))
row(`Louvain split, ${cap}`, () => numbered(split(all, cap)))
row(`Leiden, ${cap}`, () => leiden(graph, { seed: 1, max: cap }))
row(`SCAN, ${cap}`, () => scan(graph, { seed: 1, max: cap }))
row(`Spectral, ${cap}`, () => spectral(graph, { seed: 1, max: cap }))
row(`Leiden by cosine, ${cap}`, () => leiden(attributed, { seed: 1, max: cap }))
row(`SCAN by cosine, ${cap}`, () => scan(attributed, { seed: 1, max: cap }))
row(`Spectral by cosine, ${cap}`, () => spectral(attributed, { seed: 1, max: cap }))
report('archrag-communities', `Communities of ${size} recorded entities and ${edges.length} relations`, rows)
