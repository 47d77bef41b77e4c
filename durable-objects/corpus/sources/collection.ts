/**
 * A source of many documents: its listing is read piece by piece, then the items it named as new or changed are checked, a few at a time.
 * The row says what comes next, so after a crash the next attempt continues there.
 */
import { underOf } from '../../../src/contract/bucket-place'
import type { Secrets } from '../../../src/ports/deliveries'
import type { ItemsOrder, Listed, Listing, ListOrder, LookOutcome, Looks, SourceOptions, Took } from '../../../src/ports/sources'
import type { CorpusContext, Store } from '../store'
import { listUnpacked, readNewestRevision } from '../tables/revision'
import { deleteSource, hasSourceFor, type SourceRow } from '../tables/source'
import {
  countMissed,
  countSourceItems,
  deleteSourceItems,
  findSourceItem,
  hasItemFor,
  insertSourceItem,
  listDueItems,
  listLeavingItems,
  lookAtUnlisted,
  markGone,
  nextItemDue,
  type SourceItemRow,
  updateSourceItem,
} from '../tables/source-item'
import { closeAttempt, deleteDocuments, failurePause, isDivided, isPause, noteFailure, takeIn } from './attempt'

const AT_ONCE = 10 // items in one check
const LEAVING = 100 // documents deleted at the end of one check
const NEXT = 1000 // ms between two pieces of a listing

const EVERYTHING: SourceOptions = { include: [], exclude: [], maxItems: 1000, content: 'linked' }

export const optionsOf = ({ options }: Pick<SourceRow, 'options'>): SourceOptions => ({ ...EVERYTHING, ...JSON.parse(options) })

export function collectionOrder({ sql, now }: Store, row: SourceRow): ListOrder | ItemsOrder {
  const options = optionsOf(row)
  const secrets = row.is_locked === 1 ? { secrets: JSON.parse(row.secrets) as Secrets } : {}
  const order = { source: row.id, of: row.kind, url: row.url, options, metadata: JSON.parse(row.metadata), ...secrets }
  if (row.status === 'removing') return { ...order, task: 'items', items: [] }
  if (row.listing === 1) return { ...order, task: 'list', cursor: row.cursor, room: Math.max(0, options.maxItems - row.listed) }
  if (row.next_list <= now()) return { ...order, task: 'list', cursor: null, room: options.maxItems }
  const divided = isDivided({ sql })
  const items = listDueItems(sql, row.id, now(), AT_ONCE).map(({ key, document, mark, title, published, etag, modified, hash }) => {
    const known = hash !== null && (divided || readNewestRevision(sql, document)) ? { etag, modified, hash } : null
    return { key, document, mark, title, published, known }
  })
  return { ...order, task: 'items', items }
}

/** True if documents were accepted or deleted. */
export function closeListing(context: CorpusContext, row: SourceRow, listing: Listing, given?: Took): boolean {
  const { sql } = context
  const now = context.now()
  const round = row.listing === 1 ? row.round : row.round + 1
  const { listed, brought } = enter(context, row, listing, round)
  const documents = brought.flatMap(({ content }) => content ?? [])
  const took = given ?? takeIn(context, row, documents)
  if (took.kind === 'refused') {
    const pause = failurePause(row, row.failures + 1)
    noteFailure(context, { ...row, round, listing: 0, cursor: null, next_list: now + pause }, took.last)
    return false
  }
  for (const { key, mark } of brought) changeItem(context, row, key, { taken: mark, seen: now, last: took.kind, failures: 0, due: null })
  const isOver = listing.next === null
  if (isOver && listing.isComplete && listing.isUnsure) lookAtUnlisted(sql, row.id, round, now)
  else if (isOver && listing.isComplete) {
    countMissed(sql, row.id, round, 'not_listed')
    markGone(sql, row.id, row.gone_after, row.on_gone === 'delete' ? 'leaving' : 'gone')
  }
  const progress = isOver
    ? { listing: 0 as const, cursor: null, next_list: row.asked === 1 ? now : now + row.every, status: 'ok' as const }
    : { listing: 1 as const, cursor: listing.next, status: row.status === 'waiting' ? ('ok' as const) : row.status }
  const changed = took.kind === 'changed' ? { changed: now } : {}
  const last = took.kind === 'changed' ? 'changed' : 'listed'
  return finish(context, row, { ...progress, ...changed, round, listed, failures: 0, last, seen: now }, NEXT) || took.kind === 'changed'
}

/** The items named so far, including this piece; and from this piece, new or changed items that bring their document with them. */
function enter(
  { sql, now }: CorpusContext,
  row: SourceRow,
  listing: Listing,
  round: number,
): { readonly listed: number; readonly brought: readonly Listed[] } {
  let listed = row.listing === 1 ? row.listed : 0
  const brought: Listed[] = []
  for (const { entry, known, isNew } of named({ sql }, row, listing)) {
    listed++
    if (known) updateSourceItem(sql, seenInListing(known, entry, round, now()))
    else insertSourceItem(sql, row.id, round, entry, entry.content ? null : now())
    if (isNew) brought.push(entry)
  }
  return { listed, brought }
}

interface NamedItem {
  readonly entry: Listed
  readonly known: SourceItemRow | undefined
  /** It brings its document with it, and that is new or changed. */
  readonly isNew: boolean
}

/** The items of a piece that are this source's, up to as many as it may have. Reads only; what a loop over it has written, it sees. */
function* named({ sql }: Pick<CorpusContext, 'sql'>, row: SourceRow, { entries }: Listing): Generator<NamedItem> {
  let room = optionsOf(row).maxItems - (row.listing === 1 ? row.listed : 0)
  for (const entry of entries) {
    if (room <= 0) return
    const known = findSourceItem(sql, row.id, entry.key)
    if (!known && (hasItemFor(sql, entry.document) || hasSourceFor(sql, entry.document))) continue
    room--
    yield { entry, known, isNew: entry.content !== undefined && known?.taken !== entry.mark }
  }
}

/** The documents that a report brings, by id, before it is stored. */
export function documentsIn(context: Pick<CorpusContext, 'sql'>, row: SourceRow, outcome: Listing | Looks): readonly string[] {
  if (outcome.kind === 'looked') return outcome.looks.flatMap((one) => (one.outcome.kind === 'fetched' ? one.outcome.document.id : []))
  return [...named(context, row, outcome)].flatMap(({ entry, isNew }) => (isNew ? entry.document : []))
}

/** An item named again exists again. */
function seenInListing(known: SourceItemRow, { mark, title, published, content }: Listed, round: number, now: number): SourceItemRow {
  const isSame = content !== undefined || (mark !== null && mark === known.taken)
  const wasAbsent = known.round < round - 1 || known.last === 'not_listed'
  const missing = wasAbsent ? 0 : known.missing
  const state = known.state === 'gone' ? 'here' : known.state
  return { ...known, state, round, mark, title, published, missing, due: isSame ? known.due : (known.due ?? now) }
}

/** True if documents were accepted or deleted. */
export function closeLooks(context: CorpusContext, row: SourceRow, { looks, pause }: Looks, given?: Took): boolean {
  const fetched = looks.flatMap(({ outcome }) =>
    outcome.kind === 'fetched' ? [outcome.document] : outcome.kind === 'unpacked' ? outcome.documents : [],
  )
  const took = given ?? takeIn(context, row, fetched)
  if (took.kind === 'refused') {
    noteFailure(context, row, took.last)
    return false
  }
  for (const { key, outcome } of looks) closeItem(context, row, key, outcome)
  if (row.on_gone === 'delete') markGone(context.sql, row.id, row.gone_after, 'leaving')
  else markGone(context.sql, row.id, row.gone_after, 'gone')
  const now = context.now()
  const change = took.kind === 'changed' ? { changed: now, last: 'changed' } : looks.length > 0 ? { last: 'unchanged' } : {}
  const seen = looks.length > 0 ? { seen: now } : {}
  return finish(context, row, { ...change, ...seen, failures: 0, ...stand(row, looks) }, pause) || took.kind === 'changed'
}

/** Has the site asked for a pause? */
function stand({ status }: SourceRow, looks: Looks['looks']): Partial<SourceRow> {
  const last = looks.at(-1)?.outcome
  if (last?.kind === 'failed' && isPause(last)) return { status: 'waiting', last: last.last }
  return status === 'waiting' || status === 'failing' ? { status: 'ok' } : {}
}

function closeItem(context: CorpusContext, row: SourceRow, key: string, outcome: LookOutcome): void {
  const item = findSourceItem(context.sql, row.id, key)
  if (item) updateSourceItem(context.sql, { ...item, ...changeBy(outcome, item, row, context.now()) })
}

function changeBy(outcome: LookOutcome, item: SourceItemRow, row: SourceRow, now: number): Partial<SourceItemRow> {
  const mark = 'mark' in outcome && outcome.mark !== undefined ? outcome.mark : item.mark
  const state = item.state === 'gone' ? ('here' as const) : item.state
  const found = { state, mark, failures: 0, missing: 0, seen: now, due: null, taken: mark }
  switch (outcome.kind) {
    case 'unchanged':
      return { ...found, last: 'unchanged' }
    case 'unpacked':
    case 'fetched': {
      const { etag, modified, hash } = outcome
      return { ...found, last: 'changed', etag, modified, hash }
    }
    case 'missing': // checked again when it is listed again
      return { missing: item.missing + 1, taken: null, last: outcome.last, failures: 0, due: null }
    case 'failed': {
      if (isPause(outcome)) return { last: outcome.last, due: now } // the site's fault, not the item's
      const failures = item.failures + 1
      return { failures, last: outcome.last, due: now + failurePause(row, failures, outcome.retryAfter) }
    }
  }
}

function changeItem({ sql }: CorpusContext, row: SourceRow, key: string, change: Partial<SourceItemRow>): void {
  const item = findSourceItem(sql, row.id, key)
  if (item) updateSourceItem(sql, { ...item, ...change })
}

/** Deletes a slice of what must go, counts, and says when it continues. */
function finish(context: CorpusContext, row: SourceRow, change: Partial<SourceRow>, pause: number): boolean {
  const { sql, now } = context
  const { leaving, documents, isMore: isMoreLeaving } = leavingNow(context, row)
  const hasDeleted = deleteDocuments(
    context,
    row,
    documents.filter((document) => isDivided(context) || readNewestRevision(sql, document) !== undefined),
  )
  const isRemoving = row.status === 'removing'
  if (isRemoving)
    deleteSourceItems(
      sql,
      row.id,
      leaving.map(({ key }) => key),
    )
  else for (const item of leaving) updateSourceItem(sql, { ...item, state: 'gone' })
  if (isRemoving && !isMoreLeaving) {
    deleteSourceItems(sql, row.id)
    deleteSource(sql, row.id)
    return hasDeleted
  }
  const after = { ...row, ...change, ...(isRemoving ? { status: row.status } : {}), counts: JSON.stringify(countSourceItems(sql, row.id)) }
  const next = after.listing === 1 || isMoreLeaving ? 0 : Math.min(after.next_list, nextItemDue(sql, row.id) ?? after.next_list)
  closeAttempt(context, after, {}, Math.max(pause, next - now()))
  return hasDeleted
}

/** Items whose documents are deleted now: a slice of them, or one archive with the documents it brought. */
function leavingNow({ sql }: CorpusContext, row: SourceRow) {
  const all = listLeavingItems(sql, row.id, LEAVING)
  const leaving: SourceItemRow[] = []
  const documents: string[] = []
  for (const item of all) {
    if (documents.length >= LEAVING) break
    leaving.push(item)
    documents.push(item.document, ...listUnpacked(sql, underOf(item.document), item.key))
  }
  return { leaving, documents, isMore: all.length === LEAVING || leaving.length < all.length }
}
