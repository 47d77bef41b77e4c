/** The vector index as a sink of the outbox: what it should hold of a change, and how far it can be trusted to show it. */
import { kindOf, passageId } from '../../../src/core/ids'
import { floats } from '../../../src/core/vectors'
import type { Entry, VectorIndex } from '../../../src/ports'
import { type Ledger, writeMeta } from '../store'
import { batchAfter, cursorOf, type OutboxEntry } from './outbox'

const CALL = 1000 // vectors per call to the index
const SKEW = 5000 // ms by which the index's clock may differ from ours
const INDEXED: ReadonlySet<string | undefined> = new Set(['entity', 'summary', 'community', 'label', 'keyword'])

export async function drainIndex(ledger: Ledger, index: VectorIndex): Promise<void> {
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

/** How far the index can be trusted to show our writes: the tail behind it is scanned by the object itself. */
export async function seen(ledger: Ledger, index: VectorIndex): Promise<void> {
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
