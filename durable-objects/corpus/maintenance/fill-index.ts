/**
 * Fills the index of the model that a corpus is moving to, while it is served from its current one: the graph that is not served yet, a
 * page at a time, then a mark, and whatever has changed since the filling began. Called only by the drain, one at a time, so that no page
 * overtakes a removal.
 */
import { INDEXED_UNITS, NAME_VECTORS, nameIdOf } from '../../../src/core/builders/entry-vectors'
import type { DerivedKind } from '../../../src/core/graph/types'
import type { VectorIndex } from '../../../src/ports/vector-index'
import { INDEXED_KINDS, type IndexVector, indexChangesOf } from '../outbox/index-changes'
import { MARKER, MARKER_PATIENCE } from '../outbox/index-sink'
import { nextPlace, placeIn } from '../outbox/reconciler'
import { isMigrating, requestedConfig } from '../pending-config'
import { isCandidateOpen } from '../shadow-graph/tables'
import { withCandidate } from '../shadow-graph/with-candidate'
import type { CorpusContext } from '../store'
import { lastDiffering, nextDiffering } from '../tables/differing'
import { deleteAllFormer, listFormerAfter } from '../tables/former'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { FillPlace } from '../tables/meta-values'
import type { OutboxEntry } from '../tables/outbox'

const CHUNKS = 25
const NODES = 200
const STALE = 500
const DERIVED: readonly DerivedKind[] = ['entity', 'keyword', 'label', 'summary', 'community']
const FIRST = 0 // the number of the mark

/**
 * Null: nothing is being filled, or everything was sent. `since`: when the mark was sent that the index must show; null: there is something
 * to do now.
 */
export function fillState({ sql }: Pick<CorpusContext, 'sql'>): { readonly since: number | null } | null {
  const place = readMeta(sql, metaKeys.fill)
  if (!place) return null
  if (place.step === 'stale' || place.step === 'nodes' || place.sent < lastDiffering(sql)) return { since: null }
  return place.step === 'shown' ? { since: place.since } : null
}

/** Continues until the time is up, or it waits for the index, or has sent everything. */
export async function fillIndex(context: CorpusContext, index: VectorIndex, until: number): Promise<void> {
  while (context.now() < until) {
    const place = readMeta(context.sql, metaKeys.fill)
    if (!place || !isMigrating(context) || !isCandidateOpen(context.sql)) return
    const next = await STEPS[place.step](context, index, place)
    if (next === place) return
    context.atomically(() => {
      if (readMeta(context.sql, metaKeys.fill)) writeMeta(context.sql, metaKeys.fill, next) // unless it was abandoned meanwhile
    })
  }
}

type Step = (context: CorpusContext, index: VectorIndex, place: FillPlace) => Promise<FillPlace>

/** What an attempt that was restarted has sent. */
const removeStale: Step = async (context, index, place) => {
  const ids = listFormerAfter(context.sql, place.after, STALE)
  const last = ids.at(-1)
  if (last === undefined) {
    deleteAllFormer(context.sql)
    return { ...place, step: 'nodes', after: '' }
  }
  await index.remove(
    context.config.uid,
    ids.flatMap((id) => [id, nameIdOf(id)]),
  )
  return { ...place, after: last }
}

async function sendNodes(context: CorpusContext, index: VectorIndex, place: FillPlace): Promise<FillPlace> {
  const { uid } = context.config
  const { puts, next, dimensions } = context.atomically(() => withCandidate(context, (candidate) => pageAfter(candidate, place.after)))
  if (puts.length > 0) await index.upsert(uid, puts)
  if (next !== null) return { ...place, after: next }
  await index.upsert(uid, [markOf(dimensions)])
  return { ...place, step: 'shown', since: context.now() }
}

const markOf = (dimensions: number) => ({ id: MARKER, kind: MARKER, layer: FIRST, vector: new Int8Array(dimensions).fill(1, 0, 1) })

interface Page {
  readonly puts: readonly IndexVector[]
  readonly next: string | null
  readonly dimensions: number
}

function pageAfter({ graph }: CorpusContext, after: string): Page {
  const spaces = ['chunk', ...DERIVED] as const
  const { space, after: last } = placeIn<'chunk' | DerivedKind>(spaces, after)
  const page = graph.page(space, last, space === 'chunk' ? CHUNKS : NODES)
  const puts = page.flatMap((id) => entriesOf(graph, space, id)).flatMap((entry) => indexChangesOf(graph, entry).puts)
  return { puts, next: nextPlace(spaces, space, page.at(-1)), dimensions: graph.dimensions }
}

function entriesOf(graph: CorpusContext['graph'], kind: 'chunk' | DerivedKind, id: string): OutboxEntry[] {
  if (kind === 'chunk') {
    const chunk = graph.chunk(id)
    if (!chunk) return []
    const units: OutboxEntry[] = graph.value(INDEXED_UNITS, id) === undefined ? [] : [['u', id, chunk.units.length]]
    return [['c', id, chunk.passages.length], ...units]
  }
  const names: OutboxEntry[] = kind === 'entity' && graph.value(NAME_VECTORS, id) !== undefined ? [['v', id]] : []
  return INDEXED_KINDS.has(kind) ? [['n', id], ...names] : names
}

/** The next changed row; without one, whether the mark is visible. */
async function sendChanges(context: CorpusContext, index: VectorIndex, place: FillPlace): Promise<FillPlace> {
  const { uid } = context.config
  const row = nextDiffering(context.sql, place.sent)
  if (row) {
    const entries = JSON.parse(row.entries) as OutboxEntry[]
    const changes = context.atomically(() => withCandidate(context, ({ graph }) => entries.map((one) => indexChangesOf(graph, one))))
    await index.remove(
      uid,
      changes.flatMap((one) => one.drops),
    )
    await index.upsert(
      uid,
      changes.flatMap((one) => one.puts),
    )
    return { ...place, sent: row.n }
  }
  if (place.step === 'ready') return place
  const [mark] = await index.fetch(uid, [MARKER])
  if (mark?.layer === FIRST) return { ...place, step: 'ready' }
  if (context.now() - place.since <= MARKER_PATIENCE) return place
  await index.upsert(uid, [markOf(requestedConfig(context).settings.dimensions)])
  return { ...place, since: context.now() }
}

const STEPS: { readonly [step in FillPlace['step']]: Step } = {
  stale: removeStale,
  nodes: sendNodes,
  shown: sendChanges,
  ready: sendChanges,
}
