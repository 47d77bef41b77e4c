/** The documents that chunks stand in, and how long these are. Read from any graph; one that has this at hand says so (`homes`). */
import type { GraphReader, Home } from './reader'

/** For each chunk, the first of its documents; undefined: it is gone or may not be seen. */
export function homesOf(graph: GraphReader, chunks: readonly string[]): readonly (Home | undefined)[] {
  if (graph.homes) return graph.homes(chunks)
  graph.preload?.({ placements: chunks })
  const documents = chunks.map((chunk) => graph.placements(chunk)[0]?.document)
  const distinct = [...new Set(documents.flatMap((id) => id ?? []))]
  graph.preload?.({ documents: distinct })
  const records = distinct.flatMap((id) => graph.document(id) ?? [])
  const counted = records.map(({ chunks: placed }) => sampled(placed).map(({ chunk }) => chunk))
  graph.preload?.({ chunks: counted.flat() })
  const homes = new Map(
    records.map(({ id, chunks: placed }, i): [string, Home] => {
      const counts = (counted[i] ?? []).flatMap((chunk) => graph.chunk(chunk)?.passages.length ?? [])
      const passages = counts.reduce((sum, count) => sum + count, 0)
      return [id, { document: id, passages: scaled({ chunks: placed.length, counted: counts.length, passages }) }]
    }),
  )
  return documents.map((id) => (id === undefined ? undefined : homes.get(id)))
}

export const SAMPLE = 16 // chunks of a document that are counted at most, evenly spaced

function sampled<T>(chunks: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.ceil(chunks.length / SAMPLE))
  return chunks.filter((_, at) => at % step === 0)
}

/** As many passages as all chunks have if they are like those that were counted. */
export function scaled({ chunks, counted, passages }: { readonly [what in 'chunks' | 'counted' | 'passages']: number }): number {
  return counted > 0 ? (passages * chunks) / counted : 0
}
