/**
 * A replica: the same tables and the same graph as the corpus's object, filled by it. It applies changes in order, compares each complete state with the
 * receipt's, and answers only while its lease lasts, from a version that it has completely. If anything does not match, it forgets everything and begins
 * again.
 */
import { embeddingOf } from '../../../src/core/settings'
import type { CopyPage, ReplicatedObject, ReplicationLog, Segment } from '../../../src/ports/replication'
import type { Store } from '../store'
import type { Following } from '../tables/following'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { deleteOutboxRows, insertOutboxCopy } from '../tables/outbox'
import { deleteSavedFilter, listSavedFilters, writeSavedFilter } from '../tables/saved-filter'
import { applyBeside } from './beside'
import { type Changes, unpack } from './changes'
import { FIRST } from './copy'
import { digestOf } from './writer'

export interface ReplicaParts {
  readonly name: string
  readonly store: Store
  readonly writer: ReplicatedObject
  readonly log: Pick<ReplicationLog, 'get'>
  /** Deletes all of its storage, and then creates tables as for an object that wakes for the first time. */
  readonly wipe: () => Promise<void>
}

const UNCHANGED = { putNodes: [], dropNodes: [], dropDocuments: [] }

/** Undefined: it answers nothing now. */
export function servedVersion({ sql, now, graph }: Store): number | undefined {
  const own = readMeta(sql, metaKeys.following)
  return own && own.version !== null && now() < own.until && own.version === graph.version ? own.version : undefined
}

/** How many versions the corpus was ahead when last heard from. */
export function versionsBehind({ sql, graph }: Pick<Store, 'sql' | 'graph'>): number {
  return Math.max(0, (readMeta(sql, metaKeys.following)?.ahead ?? 0) - graph.version)
}

/** What changes as it advances. */
export function placeOf({ sql }: Pick<Store, 'sql'>): string {
  const own = readMeta(sql, metaKeys.following)
  return own ? JSON.stringify([own.epoch, own.applied, own.place, own.version]) : ''
}

/** ms since when it may have missed something. */
export function lagOf({ sql, now }: Pick<Store, 'sql' | 'now'>): number {
  return now() - (readMeta(sql, metaKeys.following)?.currentAt ?? 0)
}

/** Reads what is new and applies it, until it has everything that the writer has put into the log. May be repeated, and may crash, at any point. */
export async function catchUp(parts: ReplicaParts): Promise<'current' | 'behind' | 'fenced' | 'off'> {
  const { store, writer, name } = parts
  const { sql } = store
  const asked = store.now() // the lease counts from before the writer lent it
  const own = readMeta(sql, metaKeys.following)
  const told = await writer.follow({ replica: name, epoch: own?.epoch ?? null, applied: own?.applied ?? null })
  if (told.kind === 'off') {
    await parts.wipe()
    return 'off'
  }
  if (told.kind === 'anew') {
    await parts.wipe()
    store.atomically(() => {
      writeMeta(sql, metaKeys.config, told.config)
      const { dimensions } = embeddingOf(told.config.settings)
      writeMeta(sql, metaKeys.dimensions, dimensions)
      store.graph.dimensions = dimensions
      const { epoch, base } = told
      writeMeta(sql, metaKeys.following, {
        epoch,
        applied: base,
        place: FIRST,
        behind: base,
        version: null,
        until: asked + told.leaseMs,
        currentAt: 0,
      })
    })
    return 'behind'
  }
  if (!own) return fence(parts)
  store.atomically(() => {
    writeMeta(sql, metaKeys.following, { ...own, until: asked + told.leaseMs, ahead: told.version })
    writeMeta(sql, metaKeys.config, told.config)
  })
  if (own.place) return takePage(parts, await writer.copy(own.epoch, own.place))
  for (const segment of told.segments) {
    const verdict = await takeSegment(parts, segment, told.visible)
    if (verdict !== 'taken') return verdict === 'missing' ? 'behind' : fence(parts)
  }
  const now = readMeta(sql, metaKeys.following)
  if (!now || now.version === null) return 'behind'
  const isCurrent = told.segments.length === 0 && told.version <= now.version // changes not yet in the log are missing too
  store.atomically(() => {
    advanceVisible(store, told.visible)
    writeMeta(sql, metaKeys.following, { ...now, ...(isCurrent ? { currentAt: asked } : {}) })
  })
  return isCurrent ? 'current' : 'behind'
}

async function fence(parts: ReplicaParts): Promise<'fenced'> {
  await parts.wipe()
  return 'fenced'
}

function takePage({ store }: ReplicaParts, page: CopyPage | null): 'behind' {
  if (!page) return 'behind'
  store.atomically(() => {
    const own = readMeta(store.sql, metaKeys.following)
    if (!own) return
    applyChanges(store, unpack(page.bytes, store.graph.dimensions), store.graph.version)
    writeMeta(store.sql, metaKeys.following, { ...own, place: page.next, behind: page.behind })
  })
  return 'behind'
}

type Verdict = 'taken' | 'missing' | 'gap' | 'altered' | 'other'

async function takeSegment({ store, log }: ReplicaParts, segment: Segment, visible: number): Promise<Verdict> {
  const own = readMeta(store.sql, metaKeys.following)
  if (!own || segment.n > own.applied + 1) return 'gap'
  if (segment.n <= own.applied) return 'taken'
  const bytes = await log.get(segment.key)
  if (!bytes) return 'missing'
  if ((await digestOf(bytes)) !== segment.digest) return 'altered'
  return store.atomically((): Verdict => {
    const now = readMeta(store.sql, metaKeys.following)
    if (now?.epoch !== own.epoch || now.applied !== own.applied) return 'missing' // another call has advanced it meanwhile
    const { graph } = store
    applyChanges(store, unpack(bytes, graph.dimensions), segment.whole?.version ?? graph.version)
    const whole = segment.n > now.behind ? segment.whole : null
    if (whole && graph.state !== whole.state) return 'other'
    advanceVisible(store, visible)
    writeMeta(store.sql, metaKeys.following, { ...now, applied: segment.n, version: whole?.version ?? null } satisfies Following)
    return 'taken'
  })
}

function applyChanges(store: Store, { patch, beside, filters, outbox }: Changes, version: number): void {
  const { sql, graph } = store
  for (const [document, known] of beside) applyBeside(store, document, known, version)
  graph.apply(patch, version)
  const chunks = beside.flatMap(([id]) => (graph.document(id)?.chunks ?? []).map(({ chunk }) => chunk))
  if (graph.access.hasRows) graph.access.applyChange(UNCHANGED, chunks)
  if (filters) {
    for (const { name } of listSavedFilters(sql)) deleteSavedFilter(sql, name)
    for (const filter of filters) writeSavedFilter(sql, filter)
  }
  for (const row of outbox) {
    insertOutboxCopy(sql, row)
    store.unindexed.note(graph, row.seq, row.entries)
  }
}

/** Entries that the vector index shows need not be searched here. */
function advanceVisible({ sql, unindexed }: Store, visible: number): void {
  if (visible <= (readMeta(sql, metaKeys.cursors.visible) ?? 0)) return
  writeMeta(sql, metaKeys.cursors.visible, visible)
  deleteOutboxRows(sql, visible)
  unindexed.forget(visible)
}

/** If the lease has expired and nobody has asked for a long time, no text stays. */
export async function forgetIfLapsed(parts: ReplicaParts): Promise<boolean> {
  const own = readMeta(parts.store.sql, metaKeys.following)
  if (!own || parts.store.now() < own.until) return false
  deleteMeta(parts.store.sql, metaKeys.following)
  await parts.wipe()
  return true
}
