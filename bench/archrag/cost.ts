/**
 * What a chunk costs ArchRAG while a corpus grows, over the object's own tables in Node: processor time, rows and the longest slice of each round of
 * growth, beside the other builders; and the communities' modularity beside that of a full clustering of the same links.
 *   npm run bench archrag/cost -- --data <folder> [--texts long|sets] [--passages 2000] [--rounds 20] [--commit 5] [--kilobytes 320] [--every 5] [--encoder static|hash] [--settle] [--detail] [--state]
 * The first half goes in as round 0, the rest in equal rounds, `--commit` documents at a time, or with `--kilobytes` as many as have so much text, as
 * `loam ingest` sends them. One commit follows the other, so the layers above the lowest communities may lag ([A2360]); they follow at the end of round
 * 0 and of the last, or with `--settle` of every round, which counts as its cost. Every `--every` rounds all is clustered anew, and undone.
 * `--state` prints a hash of everything the graph holds in the end, to see that a change of the code changed nothing.
 */
import { createHash } from 'node:crypto'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { modularity } from '../../src/core/algorithms/modularity'
import { draftOf } from '../../src/core/graph/draft'
import { integrate } from '../../src/core/graph/integrate'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Change, Chunk, DocumentRecord, Patch, Vector } from '../../src/core/graph/types'
import { clusterAnew } from '../../src/core/strategies/archrag/build'
import { clusteringOf, parentOf, stateOf } from '../../src/core/strategies/archrag/clustering-state'
import { paperSteps } from '../../src/core/strategies/archrag/clustering-steps'
import { graphOf } from '../../src/core/strategies/archrag/regroup'
import { strategies } from '../../src/core/strategies/registry'
import type { Builder, Update } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import { quantize } from '../../src/core/vectors'
import { option, type Row, report, round } from '../erarag/world'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { openSql } from '../lib/object'
import { load } from '../lib/processor'
import { dataFolder, longDocuments, merged, type Passage } from '../quality/corpora'
import { archSettings, recallByCommunities } from './world'

const HASHED = 512 // dimensions of vectors by the hash of words

const hashed = option('encoder') === 'hash'
const rounds = Number(option('rounds') ?? 20)
const commit = Number(option('commit') ?? 5)
const kilobytes = option('kilobytes')
const every = Number(option('every') ?? 5)
const texts = option('texts') ?? 'long'
const dimensions = hashed ? HASHED : STATIC_DIMENSIONS
const settings = { ...archSettings(JSON.parse(option('archrag') ?? '{}')), dimensions }
const sql = openSql()
const graph = new SqliteGraph({ sql, dimensions })
graph.migrate()
const builders = strategies.get('archrag')?.builders ?? []

interface Tally {
  chunks: number
  others: number
  ms: number
  longest: number
  rows: number
  statements: number
  readonly kinds: Map<string, number>
}
const fresh = (): Tally => ({ chunks: 0, others: 0, ms: 0, longest: 0, rows: 0, statements: 0, kinds: new Map() })

const documents = upTo(
  Number(option('passages') ?? 2000),
  texts === 'sets' ? merged(dataFolder(option('data'))).documents.slice(20) : longDocuments(dataFolder(option('data'))),
)
const half = Math.floor(documents.length / 2)
const out: Row[] = []
let last = half
add(documents.slice(0, half), 0)
for (let one = 1; one <= rounds; one++) {
  const until = half + Math.round((one * (documents.length - half)) / rounds)
  add(documents.slice(last, until), one)
  last = until
}
const size = kilobytes === undefined ? commit : `${kilobytes} kB`
report('archrag-cost', `${texts} documents, ${hashed ? 'hashed words' : 'static encoder'}, ${size} to a commit, ${load()}`, out)
if (option('state') !== undefined) console.log(`state ${stateHash()}`)

function add(list: readonly Passage[], number: number): void {
  const tally = fresh()
  for (const some of commits(list)) take(some, tally)
  if (number === 0 || number === rounds || option('settle') !== undefined) follow(tally)
  const each = (sum: number): number => round(sum / Math.max(1, tally.chunks), 1)
  out.push({
    round: number,
    chunks: graph.count('chunk'),
    entities: graph.count('entity'),
    communities: layersOf(graph),
    'ms a chunk': each(tally.ms),
    'rows a chunk': each(tally.rows),
    'statements a chunk': each(tally.statements),
    'longest ms': round(tally.longest, 0),
    'other builders, ms': each(tally.others),
    ...(number % every === 0 ? quality() : {}),
  })
  console.log(JSON.stringify(out.at(-1)))
  if (option('detail') !== undefined)
    console.log(
      [...tally.kinds]
        .sort((a, b) => b[1] - a[1])
        .map(([kind, sum]) => `${kind} ${each(sum)}`)
        .join(', '),
    )
}

function commits(list: readonly Passage[]): (readonly Passage[])[] {
  const out: Passage[][] = []
  let bytes = 0
  for (const one of list) {
    const size = Buffer.byteLength(one.text)
    const last = out[out.length - 1]
    const fits = kilobytes === undefined ? last && last.length < commit : bytes + size <= 1024 * Number(kilobytes)
    if (last && fits) last.push(one)
    else out.push([one])
    bytes = last && fits ? bytes + size : size
  }
  return out
}

function take(list: readonly Passage[], tally: Tally): void {
  const upserts = list.map((one) => {
    const { name, chunks, placed } = divide({ title: one.title, text: one.text }, settings.chunking)
    const document: DocumentRecord = { id: one.id, title: one.title, name, url: null, metadata: {}, chunks: placed }
    return {
      document,
      chunks: chunks.map((chunk) => ({ chunk, vectors: { passages: vectorsOf(chunk, 'passages'), units: vectorsOf(chunk, 'units') } })),
    }
  })
  const { patch, delta } = integrate(graph, { upserts, deletes: [] })
  apply(patch)
  tally.chunks += delta.added.length
  const changes: Change[] = []
  for (const builder of builders) {
    if (builder.name !== 'archrag') {
      const since = process.cpuUsage()
      const own = builder.update(graph, { ...delta, replies: [], ...(builder.follows ? { changes } : {}) }, settings).patch
      apply(own)
      changes.push(...own)
      tally.others += spent(since)
    } else
      for (let first = true; first || builder.hasBacklog?.(graph); first = false)
        slice(builder, first ? { ...delta, changes } : undefined, tally)
  }
}

/** What an idle object does. */
function follow(tally: Tally): void {
  for (const builder of builders)
    while (builder.name === 'archrag' && builder.isDue?.(graph, settings, false))
      measured(() => builder.consolidate?.(graph, settings), tally)
}

function slice(builder: Builder, delta: Omit<Parameters<Builder['update']>[1], 'replies'> | undefined, tally: Tally): void {
  measured(() => (delta ? builder.update(graph, { ...delta, replies: [] }, settings) : builder.processBacklog?.(graph, settings)), tally)
}

function measured(work: () => Update | undefined, tally: Tally): void {
  const since = process.cpuUsage()
  const before = sql.written()
  const run = statements()
  const patch = work()?.patch ?? []
  apply(patch)
  const ms = spent(since)
  tally.ms += ms
  tally.longest = Math.max(tally.longest, ms)
  tally.rows += sql.written() - before
  tally.statements += statements() - run
  for (const change of patch) tally.kinds.set(kindOf(change), (tally.kinds.get(kindOf(change)) ?? 0) + 1)
}

function statements(): number {
  return [...sql.statements.values()].reduce((sum, one) => sum + one.runs, 0)
}

function kindOf(change: Change): string {
  if (change.op === 'put-value' || change.op === 'drop-value' || change.op === 'put-place' || change.op === 'drop-place')
    return `${change.op} ${change.space}`
  if (change.op === 'put-node') return `${change.op} layer ${change.node.layer}`
  return change.op
}

function apply(patch: Patch): void {
  sql.atomically(() => graph.apply(patch, graph.version + 1))
}

/** Rows of the index and other values of builders included, which the graph's own state leaves out. */
function stateHash(): string {
  const hash = createHash('sha256')
  for (const line of [...graph.lines()].sort()) hash.update(line)
  return hash.digest('hex').slice(0, 16)
}

function layersOf(graph: GraphReader): string {
  return [1, 2, 3, 4].map((layer) => graph.count('community', layer)).join(' · ')
}

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Of the lowest layer: as it is, by Leiden over the very links there are, and clustered anew, links included. */
function quality(): Row {
  const clustering = clusteringOf(draftOf(graph), settings.archrag, false)
  const ids = clustering.rows.ids(0)
  const links = graphOf(clustering, 0, ids).graph
  const numbers = new Map<string, number>()
  const now = Int32Array.from(ids, (id) => {
    const key = parentOf(graph, id) ?? id
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key) ?? 0
  })
  const whole = paperSteps.findCommunities(links, { seed: settings.archrag.seed, max: settings.archrag.max })
  const draft = draftOf(graph)
  for (const change of clusterAnew(graph, settings).patch) {
    if (change.op === 'put-node') draft.putNode(change.node)
    if (change.op === 'drop-node') draft.dropNode(change.id)
    if (change.op === 'put-value') draft.putValue(change.space, change.key, change.value)
  }
  const state = stateOf(draft, 0)
  return {
    modularity: round(modularity(links, now), 4),
    'Leiden, same links': round(modularity(links, whole), 4),
    'clustered anew': round(state?.modularity ?? 0, 4),
    'its communities': layersOf(draft),
    'recall@10 by communities': round(recallByCommunities(graph), 3),
  }
}

function vectorsOf(chunk: Chunk, part: 'passages' | 'units'): Vector[] {
  return chunk[part].map(({ start, end }) => {
    const text = chunk.text.slice(start, end)
    return quantize(hashed ? hashEmbedding(text, HASHED) : theStaticEncoder().encode(text))
  })
}

/** Documents of so many passages. */
function upTo(passages: number, list: readonly Passage[]): readonly Passage[] {
  let sum = 0
  const end = list.findIndex((one) => {
    sum += divide({ title: one.title, text: one.text }, settings.chunking).chunks.reduce((all, chunk) => all + chunk.passages.length, 0)
    return sum >= passages
  })
  return end < 0 ? list : list.slice(0, end + 1)
}
