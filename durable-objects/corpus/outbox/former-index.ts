/**
 * Clears an index that a corpus has left for that of another embedding model, or will not move to after all: everything it may hold of the
 * corpus is removed, and checked once the index shows the mark after the removals. Until then, what the corpus removes from its own index
 * is also removed from this one, so that nothing of a document deleted meanwhile is left in either.
 */
import { INDEXED_UNITS, isNameId, nameIdOf } from '../../../src/core/builders/entry-vectors'
import { kindOf, passageId, unitId } from '../../../src/core/ids'
import { type EmbeddingSettings, embeddingOf } from '../../../src/core/settings'
import type { VectorIndex } from '../../../src/ports/vector-index'
import type { Sql } from '../../sql'
import type { CorpusContext } from '../store'
import { nextDiffering } from '../tables/differing'
import { deleteAllFormer, insertFormer, listFormerAfter } from '../tables/former'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { FormerPlace } from '../tables/meta-values'
import { nextOutboxRow, type OutboxEntry } from '../tables/outbox'
import { indexIdsOf } from './index-changes'
import { MARKER, MARKER_PATIENCE } from './index-sink'
import { cursorOf } from './outbox'

const IDS = 500 // from the table, at a time
const CHUNKS = 25 // with all their passages and sentences
const LAST = -1 // the number of the last mark

/** Inside the transaction with which the corpus leaves it. */
export function beginClearing(sql: Sql, settings: EmbeddingSettings): void {
  const place: FormerPlace = { of: embeddingOf(settings), step: 'remove', after: '', since: 0 }
  writeMeta(sql, metaKeys.formerIndex, place)
}

/** What left the graph while the index is not yet known to show nothing of it. */
export function noteUnconfirmed(context: CorpusContext): void {
  for (let at = cursorOf(context, 'confirmed'); ; ) {
    const row = nextOutboxRow(context.sql, at)
    if (!row) return
    insertFormer(context.sql, row.entries.flatMap(indexIdsOf))
    at = row.seq
  }
}

/** What was added and removed in the graph that will not be served after all. */
export function noteDiffering({ sql }: Pick<CorpusContext, 'sql'>): void {
  for (let at = 0; ; ) {
    const row = nextDiffering(sql, at)
    if (!row) return
    insertFormer(sql, (JSON.parse(row.entries) as OutboxEntry[]).flatMap(indexIdsOf))
    at = row.n
  }
}

/** Whose index is being cleared. `since`: when the removals were sent that it must show; null: there is something to do now. */
export function clearingState({
  sql,
}: Pick<CorpusContext, 'sql'>): { readonly of: EmbeddingSettings; readonly since: number | null } | undefined {
  const place = readMeta(sql, metaKeys.formerIndex)
  return place && { of: place.of, since: place.step === 'shown' ? place.since : null }
}

/** Continues until the time is up, or it waits for the index, or is done. */
export async function clearFormerIndex(context: CorpusContext, index: VectorIndex, until: number): Promise<void> {
  while (context.now() < until) {
    const place = readMeta(context.sql, metaKeys.formerIndex)
    const next = place && (await advance(context, index, place))
    if (next === place) return
    if (next) writeMeta(context.sql, metaKeys.formerIndex, next)
    else
      context.atomically(() => {
        deleteAllFormer(context.sql)
        deleteMeta(context.sql, metaKeys.formerIndex)
      })
  }
}

/** The same place: it waits. Undefined: nothing of the corpus is left there. */
async function advance(context: CorpusContext, index: VectorIndex, place: FormerPlace): Promise<FormerPlace | undefined> {
  const { uid } = context.config
  if (place.step === 'shown') {
    const [mark] = await index.fetch(uid, [MARKER])
    if (mark?.layer === LAST) return { ...place, step: 'check', after: '', since: 0 }
    return context.now() - place.since > MARKER_PATIENCE ? { ...place, step: 'remove', after: '', since: 0 } : place
  }
  const page = pageAfter(context, place.after)
  if (place.step === 'remove') {
    if (page) {
      await index.remove(uid, page.ids)
      return { ...place, after: page.last }
    }
    const vector = new Int8Array(place.of.dimensions).fill(1, 0, 1)
    await index.upsert(uid, [{ id: MARKER, kind: MARKER, layer: LAST, vector }])
    return { ...place, step: 'shown', after: '', since: context.now() }
  }
  if (page) {
    const left = await index.fetch(uid, page.ids)
    return { ...place, after: page.last, since: left.length > 0 ? 1 : place.since }
  }
  if (place.since > 0) return { ...place, step: 'remove', after: '', since: 0 }
  await index.remove(uid, [MARKER])
  return undefined
}

/** First what no graph lists any more, then the texts, which both had. */
function pageAfter({ sql, graph }: CorpusContext, place: string): { readonly ids: readonly string[]; readonly last: string } | undefined {
  const [space, after] = place.startsWith('chunk ') ? ['chunk', place.slice(6)] : ['former', place]
  if (space === 'former') {
    const ids = listFormerAfter(sql, after, IDS)
    const last = ids.at(-1)
    if (last !== undefined)
      return { ids: ids.flatMap((id) => (kindOf(id) === 'entity' && !isNameId(id) ? [id, nameIdOf(id)] : [id])), last }
  }
  const chunks = graph.page('chunk', space === 'chunk' ? after : '', CHUNKS)
  const last = chunks.at(-1)
  const hasUnits = graph.values(INDEXED_UNITS, '', 1).length > 0
  const ids = chunks.flatMap((id) => {
    const chunk = graph.chunk(id)
    const units = hasUnits ? (chunk?.units ?? []).map((_, i) => unitId(id, i)) : []
    return [...(chunk?.passages ?? []).map((_, i) => passageId(id, i)), ...units]
  })
  return last === undefined ? undefined : { ids, last: `chunk ${last}` }
}

/** The corpus's own index; removals from it are also made in the other. */
export function removingFromBoth(own: VectorIndex, other: VectorIndex): VectorIndex {
  return {
    ...own,
    async remove(corpus, ids) {
      await other.remove(corpus, ids)
      await own.remove(corpus, ids)
    },
  }
}

/** For checking whether removals have been made: what either index shows. */
export function shownInEither(own: VectorIndex, other: VectorIndex): VectorIndex {
  return { ...own, fetch: async (corpus, ids) => [...(await own.fetch(corpus, ids)), ...(await other.fetch(corpus, ids))] }
}
