/** Documents and chunks with their vectors, wherever these are: in the graph, or staged until their document is complete. */
import type { Chunk, ChunkVectors, Placed, Vector } from '../../../src/core/graph/types'
import { passageId, unitId } from '../../../src/core/ids'
import type { CorpusContext } from '../store'
import { readStaged } from '../tables/staged'
import type { Slice } from './parts'

interface Loaded {
  readonly chunk: Chunk
  readonly vectors: ChunkVectors
}

/** A version, or the part of it that comes now, in the form that the graph accepts: all its chunks have their vectors. */
export function loadComing(context: CorpusContext, { revision, chunks, coming }: Slice) {
  const placed = JSON.parse(revision.placed) as Placed[]
  const ids = [...new Set((coming ?? placed).map((one) => one.chunk))]
  return {
    document: {
      id: revision.document,
      title: revision.title,
      name: revision.name,
      url: revision.url,
      metadata: JSON.parse(revision.metadata) as { [key: string]: string },
      chunks: chunks ?? placed,
    },
    chunks: ids.map((id) => loadChunk(context, id)),
  }
}

/** A document's state while it is being removed; undefined if it is removed as a whole. */
export function loadGoing(context: CorpusContext, { revision, chunks }: Slice) {
  const document = chunks && context.graph.document(revision.document)
  return document && { document: { ...document, chunks }, chunks: [] }
}

function loadChunk(context: CorpusContext, id: string): Loaded {
  const known = context.graph.chunk(id)
  if (known) return { chunk: known, vectors: vectorsOf(context, known) }
  const arrived = context.arrived?.get(id)
  if (arrived) {
    arrived.isTaken = true // it enters the graph
    return arrived
  }
  const staged = readStaged(context.sql, id)
  if (!staged?.passages) throw new Error(`commit: chunk ${id} is neither in the graph nor staged with vectors`)
  const d = context.config.settings.dimensions
  return { chunk: staged.chunk, vectors: { passages: split(staged.passages, d), units: staged.units ? split(staged.units, d) : [] } }
}

export function vectorsOf(context: CorpusContext, chunk: Chunk): ChunkVectors {
  const read = (ids: readonly string[]): Vector[] => ids.map((id) => context.graph.vector(id)).filter((one) => one !== undefined)
  return {
    passages: read(chunk.passages.map((_, i) => passageId(chunk.id, i))),
    units: read(chunk.units.map((_, i) => unitId(chunk.id, i))),
  }
}

export function concat(vectors: readonly Vector[]): Uint8Array {
  const width = vectors[0]?.length ?? 0
  const out = new Uint8Array(vectors.length * width)
  vectors.forEach((vector, i) => {
    out.set(new Uint8Array(vector.buffer, vector.byteOffset, width), i * width)
  })
  return out
}

function split(blob: ArrayBuffer, dimensions: number): Vector[] {
  return Array.from({ length: blob.byteLength / dimensions }, (_, i) => new Int8Array(blob, i * dimensions, dimensions))
}
