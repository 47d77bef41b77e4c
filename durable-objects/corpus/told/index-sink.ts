/**
 * The vector index as a sink of the outbox. Vectors go in slices, read when their slice is sent, so that memory holds one. Each batch ends
 * with a mark: a vector of the corpus's own that carries the batch's number. Writes become visible in the order in which they were made, so
 * when the mark is visible, everything before it is. No clock is compared, and no other corpus's writes.
 */
import type { GraphReader } from '../../../src/core/graph/reader'
import { vectorizeLimits as limits } from '../../../src/platform-limits'
import type { VectorEntry, VectorIndex } from '../../../src/ports'
import { type Ledger, readMeta, writeMeta } from '../store'
import { delivery } from './delivery'
import { type Held, namesOf, owedOf } from './indexed'
import { type Batch, batchAfter, cursorOf, lastSeq, type OutboxEntry } from './outbox'
import { advanceSeen } from './unseen'

export const UNNAMED = 'index/unnamed' // 'yes', or the entry with which the index holds no id of a release whose ids named no corpus
export const MARK = 'mark' // id and kind of the vector that says how far this corpus's writes are visible; no node has either
const PUTS = limits.safeUpsertVectors - 1 // vectors of a slice: the mark may follow them in one call
const NAMES = 1000 // ids of an earlier release looked for at a time
export const PATIENCE = 600_000 // ms until a mark that does not become visible is sent again: the index may lose a write

/** Sends what is waiting until there is nothing left, or the time is up. What was sent is not sent again. */
export async function drainIndex(ledger: Ledger, index: VectorIndex, until: number): Promise<void> {
  while (ledger.now() < until) {
    const batch = batchAfter(ledger, cursorOf(ledger, 'index'))
    if (!batch) return
    await sendBatch(ledger, index, batch, until)
  }
}

/** Where the next slice begins: it names what a failure was met by. */
export function placeOf(ledger: Pick<Ledger, 'sql'>): readonly [seq: number, entries: number] {
  const cursor = cursorOf(ledger, 'index')
  const [seq, entries] = JSON.parse(readMeta(ledger.sql, 'index/part') ?? '[-1,0]') as [number, number]
  return [cursor, seq === cursor ? entries : 0]
}

async function sendBatch(ledger: Ledger, index: VectorIndex, { seq, entries }: Batch, until: number): Promise<void> {
  const { uid } = ledger.config
  const [cursor, begun] = placeOf(ledger)
  const deliver = delivery(ledger, () => index.upsert(uid, [markOf(ledger, cursor)]))
  const unnamed = readMeta(ledger.sql, UNNAMED)
  let done = begun
  let any = begun > 0
  try {
    for (const slice of slicesOf(ledger.graph, entries, begun)) {
      if (done > begun && ledger.now() >= until) return
      if (unnamed !== undefined) await index.removeUnnamed(uid, slice.names)
      any ||= slice.puts.length + slice.drops.length > 0
      const mark = any && slice.done === entries.length ? [markOf(ledger, seq)] : []
      await deliver.send(slice.drops, (ids) => index.remove(uid, ids))
      await deliver.send<VectorEntry>([...slice.puts, ...mark], (some) => index.upsert(uid, some))
      done = slice.done
    }
  } finally {
    deliver.close()
    if (done > begun && done < entries.length) writeMeta(ledger.sql, 'index/part', JSON.stringify([cursor, done]))
  }
  ledger.atomically(() => {
    writeMeta(ledger.sql, 'told/index', String(seq))
    if (any) ledger.sql.run(`INSERT OR REPLACE INTO sent (seq, mutation, at) VALUES (?, '', ?)`, seq, ledger.now())
    if (seq >= Number(unnamed ?? Number.NaN)) ledger.sql.run('DELETE FROM meta WHERE key = ?', UNNAMED)
  })
}

/** Everything of the corpus is told anew up to the outbox's last entry: with it the ids of an earlier release are gone. */
export function renamesAll(ledger: Pick<Ledger, 'sql'>): void {
  if (readMeta(ledger.sql, UNNAMED) === undefined) return
  const last = lastSeq(ledger)
  if (cursorOf(ledger, 'index') < last) writeMeta(ledger.sql, UNNAMED, String(last))
  else ledger.sql.run('DELETE FROM meta WHERE key = ?', UNNAMED)
}

interface Slice {
  readonly puts: readonly Held[]
  readonly drops: readonly string[]
  /** Whatever the entries name, as an earlier release may have written it. */
  readonly names: readonly string[]
  /** Entries that are told when this slice is. */
  readonly done: number
}

/** One call of each sort at a time, whole entries: only one whose vectors no slice can hold is told by several, the last of which counts it. */
function* slicesOf(graph: GraphReader, entries: readonly OutboxEntry[], begun: number): Generator<Slice> {
  let puts: Held[] = []
  let drops: string[] = []
  let names: string[] = []
  const said = new Set<string>()
  for (let at = begun; at < entries.length; at++) {
    const entry = entries[at] as OutboxEntry
    if (said.has(entry.join(' '))) continue
    said.add(entry.join(' '))
    const owed = owedOf(graph, entry)
    if (puts.length + owed.puts.length > PUTS || drops.length + owed.drops.length > limits.maxDeleteIds || names.length > NAMES) {
      yield { puts, drops, names, done: at }
      puts = []
      drops = []
      names = []
    }
    puts.push(...owed.puts)
    drops.push(...owed.drops)
    names.push(...namesOf(entry))
    while (puts.length > PUTS || drops.length > limits.maxDeleteIds) {
      yield { puts: puts.splice(0, PUTS), drops: drops.splice(0, limits.maxDeleteIds), names: [], done: at }
    }
  }
  yield { puts, drops, names, done: entries.length }
}

/** The index compares by direction and refuses none: any will do, and its kind keeps it out of every answer. */
export function markOf({ graph }: Pick<Ledger, 'graph'>, seq: number): VectorEntry {
  return { id: MARK, kind: MARK, layer: seq, vector: new Int8Array(graph.dimensions).fill(1, 0, 1) }
}

/** Since when something that was sent is not known to be shown; null: all of it is. */
export function invisibleSince(ledger: Pick<Ledger, 'sql' | 'now'>): number | null {
  if (cursorOf(ledger, 'seen') >= cursorOf(ledger, 'index')) return null
  return ledger.sql.one<{ at: number }>('SELECT at FROM sent ORDER BY seq LIMIT 1')?.at ?? ledger.now()
}

/** Asks the index how far it shows our writes: what is behind that is searched by the object itself. */
export async function watchIndex(ledger: Ledger, index: VectorIndex): Promise<void> {
  const told = cursorOf(ledger, 'index')
  if (cursorOf(ledger, 'seen') >= told) return
  const open = ledger.sql.all<{ seq: number; at: number }>('SELECT seq, at FROM sent ORDER BY seq')
  const last = open.at(-1)
  if (!last) {
    advanceSeen(ledger, told) // nothing of it was for the index
    return
  }
  const [mark] = await index.fetch(ledger.config.uid, [MARK])
  const shown = mark && mark.layer <= told ? mark.layer : 0 // an object set back in time may meet a mark from its future
  const newest = open.findLast((one) => one.seq <= shown)
  if (newest) {
    ledger.atomically(() => {
      ledger.sql.run('DELETE FROM sent WHERE seq <= ?', newest.seq)
      writeMeta(ledger.sql, 'index/delay', String(ledger.now() - newest.at))
      advanceSeen(ledger, newest.seq === last.seq ? told : newest.seq)
    })
  } else if (ledger.now() - last.at > PATIENCE) {
    await index.upsert(ledger.config.uid, [markOf(ledger, last.seq)])
    ledger.sql.run('UPDATE sent SET at = ? WHERE seq = ?', ledger.now(), last.seq)
  }
}
