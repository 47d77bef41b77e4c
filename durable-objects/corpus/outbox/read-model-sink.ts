/** The read model (D1) as a sink of the outbox: the current state of what changed, and the resulting version. */
import { bearerOf, SENSES } from '../../../src/core/builders/sense-list'
import type { Preload } from '../../../src/core/graph/reader'
import { kindOf } from '../../../src/core/ids'
import type { Published, ReadModel } from '../../../src/ports/read-model'
import { questionsFirst } from '../../../src/question-precedence'
import { isBeingQueried } from '../query-load'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { ModelBatch } from '../tables/meta-values'
import { isForIndexAlone, listOutboxRowsBetween, nextOutboxVersion, type OutboxEntry } from '../tables/outbox'
import { cursorOf, nextBatch } from './outbox'

const SLICE_BYTES = 2_000_000 // in one call, about: the data read from the graph for it is in memory several times
const SLICE_ROWS = 2000 // in one call
const ROWS_BESIDE_QUESTIONS = 100 // while the corpus is being asked: some 5 ms to read, and as much to write if questions share a thread with the databases
const READ_TOGETHER = 500 // entries
const TURN_CALLS = 200 // in one turn: an invocation may make a thousand, and the next alarm continues

/** Sends what is waiting, until the given time. What it could not send keeps its place. */
export async function drainModel(context: CorpusContext, readModel: ReadModel, until = Number.POSITIVE_INFINITY): Promise<void> {
  for (let calls = 0; calls < TURN_CALLS && context.now() < until; calls++) {
    if (isBeingQueried(context)) await questionsFirst.giveWay()
    const batch = batchUnderWay(context)
    if (!batch) return publishVersion(context, readModel)
    const { seq, sent, distinct } = batch
    const upto = completeAfter(context, seq)
    const changes = sliceOf(context, distinct.slice(sent))
    const isLast = sent + changes.length === distinct.length
    const written = await readModel.publish(context.config, { version: context.graph.version, upto: isLast ? upto : 0 }, changes)
    context.databaseSize?.note(written.bytes)
    context.atomically(() => {
      writeMeta(context.sql, metaKeys.modelRows, rowsPublished(context) + written.rows)
      if (isLast) closeBatch(context, seq, upto)
      else writeMeta(context.sql, metaKeys.modelBatch, { seq, sent: sent + changes.length })
    })
  }
}

/** The batch in progress, with the rows it had at the start: what was already sent may have changed since, which a later row records. */
function batchUnderWay(context: CorpusContext): (ModelBatch & { readonly distinct: readonly OutboxEntry[] }) | undefined {
  const cursor = cursorOf(context, 'model')
  const begun = readMeta(context.sql, metaKeys.modelBatch)
  if (begun && begun.seq > cursor) return { ...begun, distinct: distinctOf(entriesUpto(context, cursor, begun.seq)) }
  const batch = nextBatch(context, cursor)
  return batch && { seq: batch.seq, sent: 0, distinct: distinctOf(batch.entries) }
}

function distinctOf(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return [...new Map(entries.filter((one) => !isForIndexAlone(one)).map((one) => [one.join(' '), one])).values()]
}

function entriesUpto({ sql }: Pick<CorpusContext, 'sql'>, after: number, seq: number): readonly OutboxEntry[] {
  return listOutboxRowsBetween(sql, after, seq).flatMap((row) => row.entries)
}

function closeBatch(context: CorpusContext, seq: number, upto: number): void {
  writeMeta(context.sql, metaKeys.cursors.model, seq)
  writeMeta(context.sql, metaKeys.modelVersion, upto)
  deleteMeta(context.sql, metaKeys.modelBatch)
}

/** The version at which the read model is complete once it has been sent everything up to an entry: the one before the next entry's. */
function completeAfter({ sql, graph }: Pick<CorpusContext, 'sql' | 'graph'>, seq: number): number {
  const next = nextOutboxVersion(sql, seq)
  return next === undefined ? graph.version : next - 1
}

/** What one call takes, in its current state: what others commit between two slices is sent again. */
function sliceOf(context: CorpusContext, entries: readonly OutboxEntry[]): Published[] {
  const { graph } = context
  const rows = isBeingQueried(context) ? ROWS_BESIDE_QUESTIONS : SLICE_ROWS
  const changes: Published[] = []
  let bytes = 0
  for (const [at, entry] of entries.entries()) {
    if (bytes >= SLICE_BYTES || changes.length >= rows) break
    if (at % READ_TOGETHER === 0) graph.preload(readsOf(entries.slice(at, Math.min(at + READ_TOGETHER, rows))))
    const change = changeOf(graph, entry)
    changes.push(change)
    bytes += weightOf(change)
  }
  return changes
}

/** If another entity shares the name, it is stored under the name's own id, which most entities have. */
function readsOf(entries: readonly OutboxEntry[]): Preload {
  const nodes = entries.flatMap((entry) => (entry[0] === 'n' || entry[0] === 's' ? [entry[1]] : []))
  const edges = entries.flatMap((entry) => (entry[0] === 'e' ? [{ kind: entry[1], source: entry[2], target: entry[3] }] : []))
  return { nodes, edges, values: [{ space: SENSES, keys: nodes.filter((id) => kindOf(id) === 'entity') }] }
}

/** The approximate size of a change in bytes. Lists count by their length. */
function weightOf(change: Published): number {
  const row = 200
  switch (change.op) {
    case 'put-document':
      return row + change.document.chunks.length * 60
    case 'put-chunk':
      return row + change.chunk.text.length * 2
    case 'put-node':
      return row + change.node.text.length * 2 + JSON.stringify(change.node.data).length
    case 'put-edge':
      return row + (change.edge.data === undefined ? 0 : JSON.stringify(change.edge.data).length)
    default:
      return row
  }
}

/** Rows written to the read model since the corpus was created. What was sent twice was paid twice, unless the first answer never came. */
export function rowsPublished(context: Pick<CorpusContext, 'sql'>): number {
  return readMeta(context.sql, metaKeys.modelRows) ?? 0
}

/** A commit may have nothing for the read model; its version advances anyway, or its readers would wait for it. */
async function publishVersion(context: CorpusContext, readModel: ReadModel): Promise<void> {
  const { version } = context.graph
  if ((readMeta(context.sql, metaKeys.modelVersion) ?? 0) >= version) return
  await readModel.publish(context.config, { version, upto: version }, [])
  writeMeta(context.sql, metaKeys.modelVersion, version)
}

function changeOf(graph: CorpusContext['graph'], entry: OutboxEntry): Published {
  switch (entry[0]) {
    case 'd': {
      const document = graph.document(entry[1])
      return document ? { op: 'put-document', document } : { op: 'drop-document', id: entry[1] }
    }
    case 'c':
    case 'm': {
      const chunk = graph.chunk(entry[1])
      if (!chunk) return { op: 'drop-chunk', id: entry[1] }
      return { op: 'put-chunk', chunk }
    }
    case 'n':
    case 's': {
      const node = graph.node(entry[1])
      if (!node) return { op: 'drop-node', id: entry[1] }
      const { vector: _vector, sum: _sum, ...rest } = node
      const bearer = node.kind === 'entity' && typeof node.data.key === 'string' ? bearerOf(graph, node.id, node.data.key) : undefined
      return { op: 'put-node', node: rest, ...(bearer === undefined ? {} : { bearer }) }
    }
    case 'u':
    case 'v':
      throw new Error('read model: an entry that is only for the index')
    case 'e': {
      const [, kind, source, target] = entry
      const edge = graph.edge(kind, source, target)
      return edge ? { op: 'put-edge', edge } : { op: 'drop-edge', kind, source, target }
    }
  }
}
