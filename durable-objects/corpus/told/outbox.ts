/**
 * What the world outside must be told, in order. An entry names what changed; its present state is read when it is sent, so
 * that sending twice, or sending late, tells the truth, and no entry holds a text. One cursor per sink: when one sink is down
 * the other goes on.
 */
import { MENTIONS, mentionsOf } from '../../../src/core/builders/mention-list'
import { bearerOf, SENSES, sensesOf } from '../../../src/core/builders/sense-list'
import type { Chunk } from '../../../src/core/graph/types'
import { kindOf, passageId } from '../../../src/core/ids'
import { floats } from '../../../src/core/vectors'
import type { Outbound } from '../../../src/outbound-ports'
import type { Entry, Published, ReadModel, VectorIndex } from '../../../src/ports'
import { type Ledger, readMeta, writeMeta } from '../store'
import { sendOwed } from './courier'
import type { Touched } from './touched'

/**
 * d document · c chunk with its number of passages · n node · e edge · and, which only the read model is told: m what a chunk mentions,
 * s by which document an entity is told from its namesakes
 */
export type OutboxEntry =
  | readonly ['d', string]
  | readonly ['c', string, number]
  | readonly ['m', string]
  | readonly ['n', string]
  | readonly ['s', string]
  | readonly ['e', 'relates' | 'member' | 'indicates' | 'links', string, string]

export interface Sinks {
  readonly index: VectorIndex
  readonly readModel: ReadModel
  readonly outbound: Outbound
}

const ROW = 4000 // entries per outbox row: about 250 kB, far below the 2 MB a row may hold
const CALL = 1000 // vectors per call to the index
const SKEW = 5000 // ms by which the index's clock may differ from ours
const TOLD_EDGES: ReadonlySet<string> = new Set(['relates', 'member', 'indicates', 'links'])
const INDEXED: ReadonlySet<string | undefined> = new Set(['entity', 'summary', 'community', 'label', 'keyword'])

/** Enters a commit's changes; returns the last entry's number. */
export function fillOutbox(
  ledger: Ledger,
  changes: readonly Touched[],
  version: number,
  removed: readonly { chunk: Chunk }[] = [],
): number {
  const passages = new Map(removed.map(({ chunk }) => [chunk.id, chunk.passages.length]))
  const entries = new Map<string, OutboxEntry>()
  for (const change of changes) for (const entry of entriesOf(ledger.graph, change, passages)) entries.set(entry.join(' '), entry)
  // A chunk that is told whole is told with what it mentions, a node with what tells it from others.
  for (const [kind, id] of [...entries.values()]) {
    if (kind === 'c') entries.delete(`m ${id}`)
    if (kind === 'n') entries.delete(`s ${id}`)
  }
  const all = [...entries.values()]
  for (let at = 0; at < all.length; at += ROW) {
    ledger.sql.run('INSERT INTO outbox (version, entries) VALUES (?, ?)', version, JSON.stringify(all.slice(at, at + ROW)))
  }
  const seq = lastSeq(ledger)
  ledger.tail.note(ledger.graph, seq, all)
  return seq
}

export function lastSeq(ledger: Pick<Ledger, 'sql'>): number {
  return ledger.sql.one<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'outbox'`)?.seq ?? 0
}

function entriesOf(graph: Ledger['graph'], change: Touched, passages: ReadonlyMap<string, number>): readonly OutboxEntry[] {
  switch (change.op) {
    case 'put-document':
      return [['d', change.document.id]]
    case 'drop-document':
      return [['d', change.id]]
    case 'put-chunk':
      return [['c', change.chunk.id, change.chunk.passages.length]]
    case 'drop-chunk':
      return [['c', change.id, passages.get(change.id) ?? 0]]
    case 'put-node':
      return [['n', change.node.id]]
    case 'drop-node':
      return [['n', change.id]]
    case 'put-edge':
      return edgeEntries(change.edge.kind, change.edge.source, change.edge.target)
    case 'drop-edge':
      return edgeEntries(change.kind, change.source, change.target)
    case 'put-value':
    case 'drop-value':
      if (change.space === SENSES) return namesakes(graph, change.key)
      return change.space === MENTIONS ? [['m', change.key]] : []
    default:
      return [] // ordered indexes and other values never leave the object
  }
}

function edgeEntries(kind: string, source: string, target: string): readonly OutboxEntry[] {
  return TOLD_EDGES.has(kind) ? [['e', kind as 'relates', source, target]] : []
}

/** Whatever bears the name now, and the name's own entity, which may bear it alone again. What bore it besides has no mention left: its node is dropped. */
function namesakes(graph: Ledger['graph'], name: string): readonly OutboxEntry[] {
  const ids = new Set([name, ...sensesOf(graph, name).map((one) => one.entity)])
  return [...ids].map((id) => ['s', id] as const)
}

interface Batch {
  readonly seq: number
  readonly entries: readonly OutboxEntry[]
}

/** The next rows after a cursor, about one call's worth. */
function batchAfter(ledger: Ledger, cursor: number): Batch | undefined {
  const rows = ledger.sql.all<{ seq: number; entries: string }>(
    'SELECT seq, entries FROM outbox WHERE seq > ? ORDER BY seq LIMIT 50',
    cursor,
  )
  const entries: OutboxEntry[] = []
  let seq = cursor
  for (const row of rows) {
    if (seq > cursor && entries.length >= CALL) break
    entries.push(...(JSON.parse(row.entries) as OutboxEntry[]))
    seq = row.seq
  }
  return seq > cursor ? { seq, entries } : undefined
}

export const cursorOf = (ledger: Pick<Ledger, 'sql'>, sink: 'index' | 'model' | 'seen'): number =>
  Number(readMeta(ledger.sql, `told/${sink}`) ?? 0)

/**
 * Sends what is waiting. A sink that fails keeps its place; the other is still served. Between the awaits other requests may
 * commit: they only add entries behind the cursor. Only one drain runs at a time (the caller's flag).
 */
export async function drain(ledger: Ledger, sinks: Sinks): Promise<void> {
  const results = await Promise.allSettled([
    drainIndex(ledger, sinks.index),
    drainModel(ledger, sinks.readModel),
    sendOwed(ledger, sinks.outbound),
  ])
  await seen(ledger, sinks.index).catch(() => undefined) // unknown is not an error: asked again at the next alarm
  prune(ledger)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function drainIndex(ledger: Ledger, index: VectorIndex): Promise<void> {
  for (let cursor = cursorOf(ledger, 'index'); ; ) {
    const batch = batchAfter(ledger, cursor)
    if (!batch) return
    const { puts, drops } = vectorsOf(ledger, batch.entries)
    let mutation = ''
    for (let at = 0; at < drops.length; at += CALL) mutation = await index.remove(drops.slice(at, at + CALL))
    for (let at = 0; at < puts.length; at += CALL) mutation = await index.upsert(puts.slice(at, at + CALL).map((put) => put()))
    cursor = batch.seq
    ledger.atomically(() => {
      writeMeta(ledger.sql, 'told/index', String(batch.seq))
      if (mutation) ledger.sql.run('INSERT OR REPLACE INTO sent (seq, mutation, at) VALUES (?, ?, ?)', batch.seq, mutation, ledger.now())
    })
  }
}

/** What the index should hold of these entries, and what not. Puts are read when their slice is sent: memory stays small. */
function vectorsOf(ledger: Ledger, entries: readonly OutboxEntry[]): { puts: (() => Entry)[]; drops: string[] } {
  const { graph, config } = ledger
  const puts: (() => Entry)[] = []
  const drops: string[] = []
  const put = (id: string, kind: string, layer: number): void => {
    puts.push(() => ({ id, kind, layer, namespace: config.uid, vector: floats(graph.vector(id) ?? new Int8Array(graph.dimensions)) }))
  }
  for (const entry of new Map(entries.map((one) => [one.join(' '), one])).values()) {
    if (entry[0] === 'c') {
      const here = graph.chunk(entry[1]) !== undefined
      for (let i = 0; i < entry[2]; i++) {
        const id = passageId(entry[1], i)
        if (here) put(id, 'passage', 0)
        else drops.push(id)
      }
    } else if (entry[0] === 'n' && INDEXED.has(kindOf(entry[1]))) {
      const node = graph.node(entry[1])
      if (node?.vector && (node.kind !== 'keyword' || node.data.published === true)) put(node.id, node.kind, node.layer)
      else drops.push(entry[1])
    }
  }
  return { puts, drops }
}

async function drainModel(ledger: Ledger, readModel: ReadModel): Promise<void> {
  for (let cursor = cursorOf(ledger, 'model'); ; ) {
    const batch = batchAfter(ledger, cursor)
    if (!batch) {
      await keepUp(ledger, readModel)
      return
    }
    const { version } = ledger.graph
    const rows = await readModel.publish(ledger.config.uid, version, publishedOf(ledger, batch.entries))
    cursor = batch.seq
    ledger.atomically(() => {
      writeMeta(ledger.sql, 'told/model', String(batch.seq))
      writeMeta(ledger.sql, 'told/version', String(version))
      writeMeta(ledger.sql, 'told/rows', String(rowsTold(ledger) + rows))
    })
  }
}

/** Rows written to the read model since the corpus was made. What was sent twice was paid twice, unless the first answer never came. */
export function rowsTold(ledger: Pick<Ledger, 'sql'>): number {
  return Number(readMeta(ledger.sql, 'told/rows') ?? 0)
}

/** A commit may have nothing for the read model; its version moves on all the same, or its readers would wait for it. */
async function keepUp(ledger: Ledger, readModel: ReadModel): Promise<void> {
  const { version } = ledger.graph
  if (Number(readMeta(ledger.sql, 'told/version') ?? 0) >= version) return
  await readModel.publish(ledger.config.uid, version, [])
  writeMeta(ledger.sql, 'told/version', String(version))
}

function publishedOf(ledger: Ledger, entries: readonly OutboxEntry[]): Published[] {
  const distinct = new Map(entries.map((one) => [one.join(' '), one]))
  return [...distinct.values()].map((entry) => published(ledger.graph, entry))
}

function published(graph: Ledger['graph'], entry: OutboxEntry): Published {
  switch (entry[0]) {
    case 'd': {
      const document = graph.document(entry[1])
      return document ? { op: 'put-document', document } : { op: 'drop-document', id: entry[1] }
    }
    case 'c':
    case 'm': {
      const chunk = graph.chunk(entry[1])
      if (!chunk) return { op: 'drop-chunk', id: entry[1] }
      return { op: 'put-chunk', chunk, mentions: mentionsOf(graph, chunk.id).map((one) => [one.entity, one.units.length]) }
    }
    case 'n':
    case 's': {
      const node = graph.node(entry[1])
      if (!node) return { op: 'drop-node', id: entry[1] }
      const { vector: _vector, sum: _sum, ...rest } = node
      const bearer = node.kind === 'entity' && typeof node.data.key === 'string' ? bearerOf(graph, node.id, node.data.key) : undefined
      return { op: 'put-node', node: rest, ...(bearer === undefined ? {} : { bearer }) }
    }
    case 'e': {
      const [, kind, source, target] = entry
      const edge = graph.edge(kind, source, target)
      return edge ? { op: 'put-edge', edge } : { op: 'drop-edge', kind, source, target }
    }
  }
}

/** How far the index can be trusted to show our writes: the tail behind it is scanned by the object itself. */
async function seen(ledger: Ledger, index: VectorIndex): Promise<void> {
  const rows = ledger.sql.all<{ seq: number; mutation: string; at: number }>('SELECT * FROM sent ORDER BY seq')
  if (rows.length === 0) {
    advanceSeen(ledger, cursorOf(ledger, 'index'))
    return
  }
  const { mutation, at } = await index.processed()
  let upto = 0
  for (const row of rows) if (row.mutation === mutation || row.at + SKEW < at) upto = row.seq
  if (upto === 0) return
  ledger.atomically(() => {
    ledger.sql.run('DELETE FROM sent WHERE seq <= ?', upto)
    const open = ledger.sql.one('SELECT 1 FROM sent LIMIT 1')
    advanceSeen(ledger, open ? upto : Math.max(upto, cursorOf(ledger, 'index')))
  })
}

function advanceSeen(ledger: Ledger, seq: number): void {
  if (seq <= cursorOf(ledger, 'seen')) return
  writeMeta(ledger.sql, 'told/seen', String(seq))
  ledger.tail.forget(seq)
}

/** Rows every sink has, and the index shows, are done with. */
function prune(ledger: Ledger): void {
  const upto = Math.min(cursorOf(ledger, 'model'), cursorOf(ledger, 'seen'))
  if (upto > 0) ledger.sql.run('DELETE FROM outbox WHERE seq <= ?', upto)
}

/** Entries not yet sent to both sinks. */
export function waiting(ledger: Pick<Ledger, 'sql'>): number {
  const told = Math.min(cursorOf(ledger, 'model'), cursorOf(ledger, 'index'))
  return ledger.sql.one<{ n: number }>('SELECT count(*) AS n FROM outbox WHERE seq > ?', told)?.n ?? 0
}
