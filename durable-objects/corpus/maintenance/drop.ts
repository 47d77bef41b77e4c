/**
 * Removes an entire corpus: its rows in the read model, its vectors, and last everything in the object itself. It works in slices that fit
 * into an alarm and keeps its place; every step may be repeated. The object is emptied only when the index shows that nothing is left:
 * nothing could check that afterwards.
 */
import { INDEXED_UNITS, NAME_VECTORS, nameIdOf } from '../../../src/core/builders/entry-vectors'
import type { DerivedKind } from '../../../src/core/graph/types'
import { kindOf } from '../../../src/core/ids'
import type { VectorIndex } from '../../../src/ports/vector-index'
import { VectorFault } from '../../../src/vector-faults'
import { unfinishedJobs } from '../jobs/jobs'
import type { Sinks } from '../outbox/drain'
import { INDEXED_KINDS, indexIdsOf } from '../outbox/index-changes'
import { MARKER, MARKER_PATIENCE, markerOf } from '../outbox/index-sink'
import type { CorpusContext } from '../store'
import { hasUnfinishedDrop } from '../tables/job'
import { hasMeta, type MetaKey, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { DropPlace } from '../tables/meta-values'
import { nextOutboxRow } from '../tables/outbox'

const PAGE = 200 // chunks, nodes or rows of the outbox at a time
const PAGE_WITH_UNITS = 25 // chunks, if the index holds their units
const LAST = -1 // the number of the last mark

const BEGIN: DropPlace = { step: 'rows', after: '', since: 0 }

export function isDropping(context: CorpusContext): boolean {
  return unfinishedJobs(context.sql).some((job) => job.kind === 'drop')
}

/** Null: nothing is being removed. `since`: when the removals were sent that the index must show; null: there is something to do now. */
export function dropState({ sql }: Pick<CorpusContext, 'sql'>): { readonly since: number | null } | null {
  if (!hasUnfinishedDrop(sql)) return null
  const place = readMeta(sql, metaKeys.dropPlace) ?? BEGIN
  return { since: place.step === 'shown' ? place.since : null }
}

/** `more`: the time is up · `waiting`: for the index · `gone`: the object's own storage may be deleted. */
export async function dropSlice(
  context: CorpusContext,
  sinks: Pick<Sinks, 'index' | 'readModel'>,
  until: number,
  kept: MetaKey<DropPlace> = metaKeys.dropPlace,
): Promise<'more' | 'waiting' | 'gone'> {
  for (;;) {
    const place = readMeta(context.sql, kept) ?? BEGIN
    if (place.step === 'gone') return 'gone'
    const next = await runStep(context, sinks, place)
    if (next === place) return 'waiting'
    writeMeta(context.sql, kept, next)
    if (context.now() >= until) return 'more'
  }
}

async function runStep(context: CorpusContext, sinks: Pick<Sinks, 'index' | 'readModel'>, place: DropPlace): Promise<DropPlace> {
  switch (place.step) {
    case 'rows':
      return (await sinks.readModel.drop(context.config)) > 0 ? { ...place } : { step: 'vectors', after: '', since: 0 }
    case 'vectors':
      return removeVectors(context, sinks.index, place)
    case 'shown':
      return awaitMarker(context, sinks.index, place)
    case 'check':
      return checkRemoved(context, sinks.index, place)
    case 'gone':
      return place
  }
}

async function removeVectors(context: CorpusContext, index: VectorIndex, place: DropPlace): Promise<DropPlace> {
  const { uid } = context.config
  const unnamed = hasMeta(context.sql, metaKeys.unnamedVectors)
  const page = pageAfter(context, place.after, unnamed ? ALL_SPACES : indexedSpaces(context))
  if (page) {
    await index.remove(uid, page.ids)
    if (unnamed) await index.removeUnnamed(uid, page.ids)
    return { ...place, after: page.last }
  }
  try {
    await index.upsert(uid, [markerOf(context, LAST)])
  } catch (error) {
    if (error instanceof VectorFault && error.isRefusal) return { step: 'check', after: '', since: 0 } // an index with other dimensions has nothing of ours
    throw error
  }
  return { step: 'shown', after: '', since: context.now() }
}

/** The same place while the mark is not visible; a mark that never becomes visible is lost, and perhaps a removal too. */
async function awaitMarker(context: CorpusContext, index: VectorIndex, place: DropPlace): Promise<DropPlace> {
  const [mark] = await index.fetch(context.config.uid, [MARKER])
  if (mark?.layer === LAST) return { step: 'check', after: '', since: 0 }
  return context.now() - place.since > MARKER_PATIENCE ? { step: 'vectors', after: '', since: 0 } : place
}

async function checkRemoved(context: CorpusContext, index: VectorIndex, place: DropPlace): Promise<DropPlace> {
  const { uid } = context.config
  const page = pageAfter(context, place.after, indexedSpaces(context))
  if (page) {
    const left = await index.fetch(uid, page.ids)
    return { ...place, after: page.last, since: left.length > 0 ? 1 : place.since }
  }
  if (place.since > 0) return { step: 'vectors', after: '', since: 0 }
  await index.remove(uid, [MARKER])
  return { step: 'gone', after: '', since: 0 }
}

type Space = 'outbox' | 'chunk' | DerivedKind

const DERIVED: readonly DerivedKind[] = ['entity', 'keyword', 'label', 'summary', 'community']
const ALL_SPACES: readonly Space[] = ['outbox', 'chunk', ...DERIVED] // an earlier release wrote every kind

/** Entities are in the index if names have vectors. */
function indexedSpaces({ graph }: CorpusContext): readonly Space[] {
  const hasNames = graph.values(NAME_VECTORS, '', 1).length > 0
  return ['outbox', 'chunk', ...DERIVED.filter((kind) => INDEXED_KINDS.has(kind) || (kind === 'entity' && hasNames))]
}

interface Page {
  readonly ids: readonly string[]
  /** Undefined: nothing is left. */
  readonly last: string | undefined
}

/**
 * Ids under which the index may hold something of the corpus: what is in the graph, and what left it without its removal having been sent
 * yet.
 */
function pageAfter(
  context: CorpusContext,
  place: string,
  spaces: readonly Space[],
): { readonly ids: readonly string[]; readonly last: string } | undefined {
  const at = place.indexOf(' ')
  let space: Space | undefined = at < 0 ? spaces[0] : (place.slice(0, at) as Space)
  let after = place.slice(at + 1)
  while (space) {
    const { ids, last } = space === 'outbox' ? outboxPage(context, after, new Set(spaces)) : graphPage(context, space, after)
    if (last !== undefined) return { ids, last: `${space} ${last}` }
    space = spaces[spaces.indexOf(space) + 1]
    after = ''
  }
  return undefined
}

function outboxPage({ sql }: CorpusContext, after: string, spaces: ReadonlySet<Space>): Page {
  const row = nextOutboxRow(sql, Number(after || 0))
  const entries = (row?.entries ?? []).filter((entry) => entry[0] !== 'n' || spaces.has(kindOf(entry[1]) as Space))
  return { ids: [...new Set(entries.flatMap(indexIdsOf))], last: row?.seq.toString() }
}

function graphPage({ graph }: CorpusContext, kind: 'chunk' | DerivedKind, after: string): Page {
  const hasUnits = kind === 'chunk' && graph.values(INDEXED_UNITS, '', 1).length > 0
  const page = graph.page(kind, after, hasUnits ? PAGE_WITH_UNITS : PAGE)
  const names = kind === 'entity' ? namesOf(graph, page) : []
  return { ids: kind === 'chunk' ? page.flatMap((id) => partsOf(graph, id, hasUnits)) : [...page, ...names], last: page.at(-1) }
}

function namesOf(graph: CorpusContext['graph'], entities: readonly string[]): string[] {
  const vectors = graph.valuesOf(NAME_VECTORS, entities)
  return entities.filter((_, i) => vectors[i] !== undefined).map(nameIdOf)
}

function partsOf(graph: CorpusContext['graph'], id: string, hasUnits: boolean): string[] {
  const chunk = graph.chunk(id)
  const passages = (chunk?.passages ?? []).map((one) => one.id)
  return hasUnits ? [...passages, ...(chunk?.units ?? []).map((one) => one.id)] : passages
}
