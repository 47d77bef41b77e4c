/**
 * What the corpus's object does for its replicas: it records changes by key, puts the resulting state into the log, lends each replica a lease, and knows
 * up to which point all replicas that may answer have everything. The log's order and digests are kept here, not in the log. A random name, the epoch, is
 * renewed whenever the recorded changes are no longer complete: then every replica begins again.
 */
import type { CopyPage, CopyPlace, Instruction, ReplicationLog, Segment } from '../../../src/ports/replication'
import { cursorOf } from '../outbox/outbox'
import type { CorpusContext, Store } from '../store'
import type { ChangedKey } from '../tables/changed-key'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { lastSeq, listOutboxCopies } from '../tables/outbox'
import {
  beginReplica,
  countUnreplicated,
  deleteAllReplication,
  deleteReplica,
  deleteSegments,
  deleteUnreplicated,
  hasUnreplicated,
  insertUnreplicated,
  listReplicas,
  listSegments,
  newestSegment,
  nextUnreplicated,
  putReplica,
  putSegment,
  readReplica,
  type SegmentRow,
  STALE,
  unwatchTables,
  watchTables,
} from '../tables/replica'
import { listSavedFilters } from '../tables/saved-filter'
import { besideOf } from './beside'
import { type Changes, changeOf, keysOf, pack } from './changes'
import { copyPage } from './copy'

export const LEASE = 15_000 // ms for which a replica may answer without hearing from the writer
const MARGIN = 5000 // ms that the writer waits in addition: clocks run at different speeds
const BYTES = 1024 * 1024 // in a segment, about: it is in memory several times
const KEYS = 2000 // in a row
const CHUNK = 16_384 // bytes in a chunk, about, and
const OTHER = 256 // in anything else
const MAX_UNREPLICATED = 20_000 // rows that wait for a log that accepts nothing; then replicas begin again
const SEGMENTS = 64 // announced at a time

type Writer = Pick<CorpusContext, 'sql' | 'graph' | 'atomically' | 'now'>

/** When the object wakes. Costs nothing if there are no replicas. */
export function resumeRecording({ sql, graph }: Pick<Store, 'sql' | 'graph'>): void {
  if (!hasMeta(sql, metaKeys.replication)) return
  graph.record = (net, version) => {
    const keys = keysOf(net)
    if (keys.length === 0 && version === graph.version) return
    for (let at = 0; at === 0 || at < keys.length; at += KEYS) insertUnreplicated(sql, keys.slice(at, at + KEYS))
  }
}

function begin(writer: Writer): string {
  const epoch = crypto.randomUUID()
  writeMeta(writer.sql, metaKeys.replication, epoch)
  writeMeta(writer.sql, metaKeys.hadReplicas, true)
  writeMeta(writer.sql, metaKeys.replicatedUpTo, lastSeq(writer)) // copies started from now on contain nothing older
  watchTables(writer.sql)
  resumeRecording(writer)
  return epoch
}

/** In a transaction. Leases already lent stay valid: until they have expired, or their replicas have asked, nothing counts as announced. */
export function endReplication({ sql, graph, now }: Pick<Store, 'sql' | 'graph' | 'now'>): void {
  if (!hasMeta(sql, metaKeys.replication)) return
  const newest = newestSegment(sql)
  if (newest && newest.attempt > GONE) noteLeft({ sql, now }, newest.digest === null)
  graph.record = undefined
  unwatchTables(sql)
  deleteAllReplication(sql)
  deleteMeta(sql, metaKeys.replication, metaKeys.replicatedUpTo)
}

/** Keys that nobody asks for may be in the log, or still arrive there (`mayCome`: a write was abandoned). */
function noteLeft({ sql, now }: Pick<Store, 'sql' | 'now'>, mayCome: boolean): void {
  const until = Math.max(readMeta(sql, metaKeys.leftInLog)?.until ?? 0, mayCome ? now() + LATE : 0)
  writeMeta(sql, metaKeys.leftInLog, { isUnseen: true, until })
}

/** What a replica must do next, with a lease. */
export function follow(
  context: CorpusContext,
  { replica, epoch, applied }: { readonly replica: string; readonly epoch: string | null; readonly applied: number | null },
): Instruction {
  const { sql, config, now } = context
  return context.atomically((): Instruction => {
    const until = now() + LEASE + MARGIN
    const known = readReplica(sql, replica)
    const own = readMeta(sql, metaKeys.replication)
    if (own !== undefined && epoch === own && known && applied !== null && known.until > now()) {
      putReplica(sql, { name: replica, applied: Math.max(applied, known.applied), until })
      const rows = listSegments(sql, applied, SEGMENTS).filter((row) => row.digest !== null)
      const segments = rows.map((row) => segmentOf(config.uid, own, row))
      return { kind: 'follow', leaseMs: LEASE, config, visible: cursorOf(context, 'visible'), version: context.graph.version, segments }
    }
    if (own === undefined && isIntegrating(context)) return { kind: 'off' } // the first half of a large change was not recorded
    const given = own ?? begin(context)
    // It may answer from what it has until it has heard this.
    beginReplica(sql, replica, until)
    return { kind: 'anew', leaseMs: LEASE, epoch: given, base: lastWritten(sql), config }
  })
}

/** A replica that says so itself no longer answers. */
export function release({ sql }: Pick<Store, 'sql'>, replica: string): void {
  deleteReplica(sql, replica)
}

export function copy(context: CorpusContext, epoch: string, place: CopyPlace): CopyPage | null {
  const { sql } = context
  if (readMeta(sql, metaKeys.replication) !== epoch || isIntegrating(context)) return null
  const page = copyPage(context, place)
  if (!page.next) insertUnreplicated(sql, []) // so that a segment follows, by which the whole state is compared
  return { ...page, behind: newestSegment(sql)?.n ?? 0 }
}

/** A large change is only half applied: the rows belong to no version. */
export const isIntegrating = ({ sql }: Pick<Store, 'sql'>): boolean => hasMeta(sql, metaKeys.integration)

export const GONE = 0 // attempts of a segment that is no longer in the log
const LATE = 900_000 // ms after which an abandoned write can no longer arrive
const lastWritten = (sql: Store['sql']): number => {
  const newest = newestSegment(sql)
  return newest === undefined ? 0 : newest.digest === null ? newest.n - 1 : newest.n
}

/** Entries of the outbox up to here are in segments, or existed when the first replica began. */
const lastWrittenSeq = (sql: Store['sql']): number =>
  listSegments(sql, 0, Number.MAX_SAFE_INTEGER).findLast((row) => row.digest !== null)?.seq ?? 0

function segmentOf(uid: string, epoch: string, row: SegmentRow): Segment {
  return {
    n: row.n,
    key: keyOf(uid, epoch, row.n, row.attempt),
    digest: row.digest ?? '',
    whole: row.whole === null ? null : (JSON.parse(row.whole) as Segment['whole']),
  }
}

const keyOf = (uid: string, epoch: string, n: number, attempt: number): string => `log/${uid}/${epoch}/${n}-${attempt}`

/** Puts everything waiting into the log, then removes what all replicas have. Idempotent; the next call retries. True: the log has something new. */
export async function replicate(context: CorpusContext, log: ReplicationLog): Promise<boolean> {
  context.atomically(() => {
    if (countUnreplicated(context.sql) > MAX_UNREPLICATED) endReplication(context)
  })
  let sent = 0
  while (await sendSegment(context, log)) sent++
  await prune(context, log)
  return sent > 0
}

/** One segment. False: nothing waits, or not now. */
async function sendSegment(context: CorpusContext, log: ReplicationLog): Promise<boolean> {
  const { sql } = context
  const epoch = readMeta(sql, metaKeys.replication)
  if (epoch === undefined || isIntegrating(context) || !hasUnreplicated(sql)) return false
  const [row, bytes] = context.atomically(() => {
    const newest = newestSegment(sql)
    const isRetry = newest !== undefined && newest.digest === null
    const [changes, upto, isAll] = waiting(context, lastWrittenSeq(sql))
    const whole = isAll ? { version: context.graph.version, state: context.graph.state } : null
    const n = (newest?.n ?? 0) + (isRetry ? 0 : 1)
    // Each attempt has its own name: an abandoned one may still arrive.
    const made = { n, attempt: isRetry ? newest.attempt + 1 : 1, upto, seq: lastSeq({ sql }), digest: null, whole: JSON.stringify(whole) }
    putSegment(sql, made)
    if (isRetry) noteLeft(context, true)
    return [made, pack(changes, context.graph.dimensions)] as const
  })
  const digest = await digestOf(bytes)
  if (!(await log.put(keyOf(context.config.uid, epoch, row.n, row.attempt), bytes)))
    throw new Error('replication: the log has this name already')
  return context.atomically(() => {
    if (readMeta(sql, metaKeys.replication) !== epoch) return false
    putSegment(sql, { ...row, digest })
    deleteUnreplicated(sql, row.upto)
    return true
  })
}

/** The current state of what the next rows name: as much as fits into one segment. */
function waiting(context: CorpusContext, afterSeq: number): readonly [Changes, upto: number, isAll: boolean] {
  const { sql } = context
  const keys = new Map<string, ChangedKey>()
  let upto = 0
  for (let bytes = 0; bytes < BYTES; ) {
    const row = nextUnreplicated(sql, upto)
    if (!row) break
    upto = row.n
    for (const key of row.keys) {
      bytes += key[0] === 'c' ? CHUNK : OTHER
      keys.set(JSON.stringify(key), key)
    }
  }
  const all = [...keys.values()]
  const patch = all.flatMap((key) => changeOf(context, key) ?? [])
  const beside = all.flatMap((key) => (key[0] === 'm' ? [[key[1], besideOf(context, key[1])] as const] : []))
  const filters = all.some(([kind]) => kind === 'f') ? { filters: listSavedFilters(sql) } : {}
  const outbox = listOutboxCopies(sql, Math.max(afterSeq, cursorOf(context, 'visible')), Number.MAX_SAFE_INTEGER)
  return [{ patch, beside, outbox, ...filters }, upto, nextUnreplicated(sql, upto) === undefined]
}

export async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Removes from the log what every replica that may answer has applied, and what nobody asks for: only then is deleted content gone from it. */
async function prune(context: CorpusContext, log: ReplicationLog): Promise<void> {
  const { sql, config, now } = context
  context.atomically(() => {
    for (const { name, until } of listReplicas(sql)) if (until <= now()) deleteReplica(sql, name)
  })
  const epoch = readMeta(sql, metaKeys.replication)
  const living = listReplicas(sql)
  const applied = living.length === 0 ? lastWritten(sql) : Math.min(...living.map((one) => one.applied))
  const rows = listSegments(sql, 0, Number.MAX_SAFE_INTEGER)
  const last = rows.findLast((row) => row.n <= applied && row.digest !== null)
  const left = readMeta(sql, metaKeys.leftInLog)
  if ((last && last.attempt > GONE) || (left && (left.isUnseen || now() < left.until))) {
    const wanted = new Set(rows.flatMap(({ n, attempt }) => (n > applied && epoch ? [keyOf(config.uid, epoch, n, attempt)] : [])))
    const unwanted = (await log.list(`log/${config.uid}/`)).filter((key) => !wanted.has(key))
    if (unwanted.length > 0) await log.remove(unwanted)
  }
  context.atomically(() => {
    if (readMeta(sql, metaKeys.replication) !== epoch) return
    const seen = readMeta(sql, metaKeys.leftInLog)
    if (seen && now() < seen.until) writeMeta(sql, metaKeys.leftInLog, { ...seen, isUnseen: false })
    else deleteMeta(sql, metaKeys.leftInLog)
    if (last) {
      writeMeta(sql, metaKeys.replicatedUpTo, Math.max(last.seq, readMeta(sql, metaKeys.replicatedUpTo) ?? 0))
      deleteSegments(sql, last.n)
      putSegment(sql, { ...last, attempt: GONE }) // numbers and places in the outbox continue from it
    }
    if (listReplicas(sql).length === 0 && !hasUnreplicated(sql)) endReplication(context)
  })
}

/** The outbox number up to which no replica serves anything older, and the log contains nothing older. */
export function replicatedUpTo({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): number {
  const mayHaveOlder = listReplicas(sql).some(({ applied, until }) => until > now() && applied === STALE)
  if (mayHaveOlder || readMeta(sql, metaKeys.leftInLog)?.isUnseen) return 0
  return hasMeta(sql, metaKeys.replication) ? (readMeta(sql, metaKeys.replicatedUpTo) ?? 0) : Number.POSITIVE_INFINITY
}
