/**
 * Folds documents into the graph: which documents and chunks come and go. Chunks are addressed by content and shared: a chunk comes with its first
 * placement and goes with its last, and whatever an old and a new version of a document share neither comes nor goes. Pure.
 */
import { passageId, unitId } from '../ids'
import { documentLine } from './canonical'
import { compareText } from './ordered-map'
import type { GraphReader } from './reader'
import type { Change, Chunk, ChunkVectors, DocumentRecord, Patch, Vector } from './types'

export interface Divided {
  readonly chunk: Chunk
  readonly vectors: ChunkVectors
}

export interface Arrivals {
  /** Whole new versions. Every chunk that the record places is given, at least if the graph lacks it. Of two with one id the last counts. */
  readonly upserts: readonly { readonly document: DocumentRecord; readonly chunks: readonly Divided[] }[]
  /** Document ids; unknown ones are ignored, and an upsert of the same id in the same call wins. */
  readonly deletes: readonly string[]
}

/** Which documents and chunks came and which went. */
export interface ContentDelta {
  readonly added: readonly Chunk[]
  readonly removed: readonly { readonly chunk: Chunk; readonly vectors: ChunkVectors }[]
  readonly documents: { readonly added: readonly DocumentRecord[]; readonly removed: readonly DocumentRecord[] }
}

export interface Integration {
  readonly patch: Patch
  readonly delta: ContentDelta
}

/** What changes, in order of id: the same documents give the same result whatever their order. Throws when a chunk or its vectors are missing. */
export function integrate(graph: GraphReader, { upserts, deletes }: Arrivals): Integration {
  const given = new Map(upserts.flatMap(({ chunks }) => chunks.map((one) => [one.chunk.id, one] as const)))
  const moves = movesOf(graph, upserts, deletes)
  const added: Divided[] = []
  const removed: Divided[] = []
  for (const id of touched(moves)) {
    const before = graph.placements(id).length > 0
    const after = graph.placements(id).some(({ document }) => !moves.has(document)) || newlyPlaced(moves, id)
    if (after && !before) added.push(checked(given.get(id), id))
    if (before && !after) removed.push(leaving(graph, id))
  }
  const documents = {
    added: [...moves.values()].flatMap(({ now }) => now ?? []),
    removed: [...moves.values()].flatMap(({ before }) => before ?? []),
  }
  return { patch: patchOf(moves, added, removed), delta: { added: added.map((one) => one.chunk), removed, documents } }
}

/** A document's record before and after; one of the two is there. */
interface Move {
  readonly before: DocumentRecord | undefined
  readonly now: DocumentRecord | undefined
}

function movesOf(graph: GraphReader, upserts: Arrivals['upserts'], deletes: readonly string[]): ReadonlyMap<string, Move> {
  const wanted = new Map<string, DocumentRecord | undefined>(deletes.map((id) => [id, undefined]))
  for (const { document } of upserts) wanted.set(document.id, document)
  const moves = new Map<string, Move>()
  for (const [id, now] of [...wanted].sort(([a], [b]) => compareText(a, b))) {
    const before = graph.document(id)
    const same = before && now ? documentLine(before) === documentLine(now) : before === now
    if (!same) moves.set(id, { before, now })
  }
  return moves
}

/** Chunks whose placements change. */
function touched(moves: ReadonlyMap<string, Move>): readonly string[] {
  const records = [...moves.values()].flatMap(({ before, now }) => [before, now])
  return [...new Set(records.flatMap((record) => record?.chunks.map((one) => one.chunk) ?? []))].sort(compareText)
}

function newlyPlaced(moves: ReadonlyMap<string, Move>, chunk: string): boolean {
  for (const { now } of moves.values()) if (now?.chunks.some((one) => one.chunk === chunk)) return true
  return false
}

function checked(divided: Divided | undefined, id: string): Divided {
  if (!divided) throw new Error(`integrate: chunk ${id} is placed but not given`)
  const { chunk, vectors } = divided
  const units = vectors.units.length
  if (vectors.passages.length !== chunk.passages.length || (units > 0 && units !== chunk.units.length)) {
    throw new Error(`integrate: chunk ${id} has ${chunk.passages.length} passages but ${vectors.passages.length} vectors, or units without`)
  }
  return divided
}

/** A chunk about to go, with the vectors that builders must take out of their sums. */
function leaving(graph: GraphReader, id: string): Divided {
  const chunk = graph.chunk(id)
  if (!chunk) throw new Error(`integrate: chunk ${id} is placed but not in the graph`)
  const known = (ids: readonly string[]): Vector[] => ids.flatMap((part) => graph.vector(part) ?? [])
  const passages = known(chunk.passages.map((_, ordinal) => passageId(id, ordinal)))
  return { chunk, vectors: { passages, units: known(chunk.units.map((_, ordinal) => unitId(id, ordinal))) } }
}

function patchOf(moves: ReadonlyMap<string, Move>, added: readonly Divided[], removed: readonly Divided[]): Patch {
  const documents = [...moves].map(([id, { now }]): Change => (now ? { op: 'put-document', document: now } : { op: 'drop-document', id }))
  const gone = removed.map(({ chunk }): Change => ({ op: 'drop-chunk', id: chunk.id }))
  const come = added.map(({ chunk, vectors }): Change => ({ op: 'put-chunk', chunk, vectors }))
  return [...gone, ...come, ...documents]
}
