/** Which passages speak for a document: those the channels found, in proportion; else its first, which says what the document is about. */
import { documentsOf } from '../../channels/neighbours'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { chunkOf } from '../../ids'

export interface PassageShare {
  readonly id: string
  /** Of the document's score, 0 to 1; the best passage has 1. */
  readonly portion: number
}

export function passagesForDocument(
  graph: GraphReader,
  seeds: readonly Hit[],
  admits: ((chunk: string) => boolean) | undefined,
): (document: string) => readonly PassageShare[] {
  const known = new Map<string, Hit[]>()
  graph.preload?.({ placements: seeds.map((hit) => chunkOf(hit.id)) })
  for (const hit of seeds) {
    for (const document of documentsOf(graph, hit.id)) known.set(document, [...(known.get(document) ?? []), hit])
  }
  return (document) => {
    const own = known.get(document)
    if (own) return own.map((hit) => ({ id: hit.id, portion: hit.score / Math.max(...own.map((one) => one.score), 1e-9) }))
    const lead = graph.document(document)?.chunks[0]?.chunk
    if (lead === undefined || (admits && !admits(lead))) return []
    return (graph.chunk(lead)?.passages ?? []).slice(0, 1).map((passage) => ({ id: passage.id, portion: 1 }))
  }
}
