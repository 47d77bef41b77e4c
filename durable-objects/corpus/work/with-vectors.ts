/** Documents and chunks with their vectors, wherever these lie: in the graph, or staged until their document is whole. */
import type { Chunk, ChunkVectors, Placed, Vector } from '../../../src/core/graph/types'
import { passageId, unitId } from '../../../src/core/ids'
import { readStaged } from '../intake/accept'
import type { Ledger } from '../store'
import type { Slice } from './parts'

interface Loaded {
  readonly chunk: Chunk
  readonly vectors: ChunkVectors
}

/** A version, or as much of it as comes now, as the graph takes it in: its chunks all have their vectors. */
export function loadComing(ledger: Ledger, { revision, chunks, coming }: Slice) {
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
    chunks: ids.map((id) => loadChunk(ledger, id)),
  }
}

/** What a document is while it goes; undefined where it goes whole. */
export function loadGoing(ledger: Ledger, { revision, chunks }: Slice) {
  const document = chunks && ledger.graph.document(revision.document)
  return document && { document: { ...document, chunks }, chunks: [] }
}

function loadChunk(ledger: Ledger, id: string): Loaded {
  const known = ledger.graph.chunk(id)
  if (known) return { chunk: known, vectors: vectorsOf(ledger, known) }
  const staged = readStaged(ledger, id)
  if (!staged?.passages) throw new Error(`commit: chunk ${id} is neither in the graph nor staged with vectors`)
  const d = ledger.config.settings.dimensions
  return { chunk: staged.chunk, vectors: { passages: split(staged.passages, d), units: staged.units ? split(staged.units, d) : [] } }
}

export function vectorsOf(ledger: Ledger, chunk: Chunk): ChunkVectors {
  const read = (ids: readonly string[]): Vector[] => ids.map((id) => ledger.graph.vector(id)).filter((one) => one !== undefined)
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
