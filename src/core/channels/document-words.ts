/**
 * What a document says as a whole, beside what each of its passages says by itself: a page that comes back to the question's words in several places is
 * more likely to answer it than one that says them once. BM25 a second time, one step up: the scores of a document's passages count like occurrences of a
 * term in it, with the same saturation and the same price of length. Reads where passages stand, and nothing of what they say.
 */
import { bm25 } from '../graph/bm25'
import { homesOf } from '../graph/homes'
import type { GraphReader } from '../graph/reader'
import type { Hit } from '../graph/types'
import { chunkOf } from '../ids'
import { shares } from './order'

export const DOCUMENT_WEIGHT = 0.8 // beside a passage's own share, in a corpus of long documents: less than what it says itself; recall on pages is flat from .3 to 1.3

/**
 * For each passage found by words, what its document adds to its share. The less, the fewer passages documents have: nothing where each is one passage,
 * which has said all already.
 */
export function documentWords(graph: GraphReader, words: readonly Hit[]): ReadonlyMap<string, number> {
  const [documents, passages] = [graph.count('document'), graph.count('passage')]
  if (passages <= documents || words.length === 0) return new Map()
  const weight = DOCUMENT_WEIGHT * (1 - documents / passages)
  const own = shares(words)
  const homes = homesOf(
    graph,
    words.map((hit) => chunkOf(hit.id)),
  )
  const said = new Map<string, number>()
  for (const [i, { id }] of words.entries()) {
    const home = homes[i]
    if (home) said.set(home.document, (said.get(home.document) ?? 0) + (own.get(id) ?? 0))
  }
  const scored = words.flatMap(({ id }, i): Hit[] => {
    const home = homes[i]
    if (!home) return []
    const length = (home.passages * documents) / passages
    return [{ id, score: saturated(said.get(home.document) ?? 0, length) }]
  })
  return new Map([...shares(scored)].map(([id, share]) => [id, weight * share]))
}

/** `length`: that of the document, as a multiple of the mean. */
function saturated(count: number, length: number): number {
  return (count * (bm25.saturation + 1)) / (count + bm25.saturation * (1 - bm25.length + bm25.length * length))
}
