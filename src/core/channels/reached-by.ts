/**
 * How a passage was reached: the sentence of a better passage that says its document's name. A reader of the passage alone cannot see that it is the second
 * step towards an answer; with this sentence before it, the reader can. Reads the graph it is given, so nothing that its reader may not see.
 */
import { documentKeys } from '../builders/document-names'
import type { GraphReader } from '../graph/reader'
import type { DocumentRecord } from '../graph/types'
import { chunkOf } from '../ids'
import { keyWords, occurs, wordsOf } from '../text/occurrences'
import { documentsOf } from './neighbours'

const limits = {
  sayers: 10, // best passages that may have led to others
  links: 48, // read of a document
} as const

/** For each of these passages, best first: the sentence that led to it, with the name of its document in front; undefined where none did. */
export function reachedBy(graph: GraphReader, passages: readonly string[]): readonly (string | undefined)[] {
  const sayers = passages.slice(0, limits.sayers)
  return passages.map((passage, at) => {
    const own = documentsOf(graph, passage)
    const target = graph.document(own[0] ?? '')
    if (!target) return undefined
    const saying = new Set(
      graph.edgesTo('links', target.id, limits.links).flatMap((edge) => (Array.isArray(edge.data) ? edge.data.map(String) : [])),
    )
    if (saying.size === 0) return undefined
    for (const other of sayers) {
      if (other === passage || passages.indexOf(other) >= at + limits.sayers || !saying.has(chunkOf(other))) continue
      const sentence = documentsOf(graph, other).includes(target.id) ? undefined : sentenceNaming(graph, other, target)
      if (sentence !== undefined) return sentence
    }
    return undefined
  })
}

function sentenceNaming(graph: GraphReader, passage: string, target: DocumentRecord): string | undefined {
  const chunk = graph.chunk(chunkOf(passage))
  const within = graph.text(passage)
  if (!chunk || !within) return undefined
  const names = documentKeys(target).map(keyWords)
  for (const unit of chunk.units) {
    if (unit.start < within.start || unit.end > within.end) continue
    const text = chunk.text.slice(unit.start, unit.end)
    if (names.some((name) => occurs(wordsOf(text), name))) return chunk.name ? `${chunk.name}: ${text}` : text
  }
  return undefined
}
