/** Which passages speak for a document: those the channels found, in proportion; otherwise the first one, which says what the document is about. */
import { documentsOf } from '../../channels/neighbours'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { chunkOf, passageId } from '../../ids'

export interface PassageShare {
  readonly id: string
  /** Portion of the document's score, 0 to 1; the best passage has 1. */
  readonly portion: number
}

/** `documents`: those that will be asked about. */
export function passagesForDocument(
  graph: GraphReader,
  seeds: readonly Hit[],
  admits: ((chunk: string) => boolean) | undefined,
  documents: readonly Hit[],
): (document: string) => readonly PassageShare[] {
  const known = new Map<string, Hit[]>()
  graph.preload?.({ placements: seeds.map((hit) => chunkOf(hit.id)) })
  for (const hit of seeds) {
    for (const document of documentsOf(graph, hit.id)) {
      const own = known.get(document)
      if (own) own.push(hit)
      else known.set(document, [hit])
    }
  }
  const leadOf = (document: string): string | undefined => {
    const lead = graph.document(document)?.chunks[0]?.chunk
    return lead === undefined || (admits && !admits(lead)) ? undefined : lead
  }
  if (graph.preload) {
    const unsaid = documents.flatMap(({ id }) => (known.has(id) ? [] : id))
    graph.preload({ documents: unsaid })
  }
  return (document) => {
    const own = known.get(document)
    if (own) return own.map((hit) => ({ id: hit.id, portion: hit.score / Math.max(...own.map((one) => one.score), 1e-9) }))
    const lead = leadOf(document)
    return lead === undefined ? [] : [{ id: passageId(lead, 0), portion: 1 }] // every chunk has a passage: its text need not be read for that
  }
}
