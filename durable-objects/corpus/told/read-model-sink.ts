/** The read model (D1) as a sink of the outbox: the present state of what changed, and the version it amounts to. */
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { bearerOf } from '../../../src/core/builders/sense-list'
import type { Published, ReadModel } from '../../../src/ports'
import { type Ledger, readMeta, writeMeta } from '../store'
import { batchAfter, cursorOf, type OutboxEntry } from './outbox'

export async function drainModel(ledger: Ledger, readModel: ReadModel, until: number): Promise<void> {
  for (let cursor = cursorOf(ledger, 'model'); ; ) {
    const batch = batchAfter(ledger, cursor)
    if (!batch) {
      await keepUp(ledger, readModel)
      return
    }
    if (ledger.now() >= until) return
    const { version } = ledger.graph
    const { rows, bytes } = await readModel.publish(ledger.config, version, publishedOf(ledger, batch.entries))
    ledger.databaseSize?.note(bytes)
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
  await readModel.publish(ledger.config, version, [])
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
