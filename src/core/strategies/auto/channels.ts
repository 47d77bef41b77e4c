/** What each channel says to a question, every score between 0 and 1. Reads the graph; weighs nothing. */

import { bestByChunk, type Clues, clues } from '../../channels/clues'
import { dense } from '../../channels/dense'
import { documentWords } from '../../channels/document-words'
import { discriminativeTerms, lexical, type Weighted } from '../../channels/lexical'
import { type Named, namesIn } from '../../channels/names'
import { contrast, shares } from '../../channels/order'
import { pathsFor, pathWorth } from '../../channels/paths'
import type { Path } from '../../channels/walk'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import type { Query } from '../../strategy'

export const CANDIDATES = 100 // passages taken from each channel
const PER_ENTITY = 8 // chunks opened for one entity, where Clue-RAG opens twelve: recall at 5 is the same
const COMMON = 0.05 // share of chunks beyond which a name in the question does not single anything out, and paths from it lead anywhere

export type ScoresOf = ReadonlyMap<string, number>

export interface Channels {
  readonly keyword: ScoresOf
  /** What the words say of the documents of passages found by keyword. */
  readonly document: ScoresOf
  readonly vector: ScoresOf
  readonly path: ScoresOf
  /** Documents whose name the question says. */
  readonly named: readonly string[]
  readonly names: readonly Named[]
  readonly paths: readonly Path[]
  /** Keyword hits. */
  readonly words: readonly Hit[]
  /** The question's terms that tell passages apart. */
  readonly terms: readonly Weighted[]
  /** Units already read by the paths. */
  readonly source: Clues
}

export interface ChannelOptions {
  readonly dense: boolean
  readonly paths: boolean
  /** Names in the question; if absent, they are looked for. */
  readonly names?: readonly Named[]
  /** Keyword hits to start from; if absent, the index is asked. */
  readonly words?: readonly Hit[]
  /** Units that must not be seen. */
  readonly lacks?: (unit: string) => boolean
}

export function readChannels(graph: GraphReader, query: Query, how: ChannelOptions): Channels {
  const terms = discriminativeTerms(graph, query.terms)
  const words = (how.words ?? lexical(graph, query, CANDIDATES, terms)).slice(0, CANDIDATES)
  const names = how.names ?? namesIn(graph, query.text)
  const near = how.dense ? dense(graph, query, words) : []
  const liked = bestByChunk(words)
  const options = {
    titles: true,
    vectors: how.dense && query.vector !== undefined,
    ...(query.admits ? { admits: query.admits } : {}),
    ...(how.lacks ? { lacks: how.lacks } : {}),
    perEntity: PER_ENTITY,
  }
  const search = { terms, names, hits: words, ...(how.dense && query.vector ? { vector: query.vector } : {}) }
  const source = clues(graph, terms, liked, options)
  const paths = how.paths && names.some((name) => singlesOut(graph, name)) ? pathsFor(source, search) : []
  return {
    keyword: shares(words),
    document: documentWords(graph, words),
    vector: contrast(near),
    path: pathWorth(paths), // a share of the question already: scaled to the best path, a poor one would weigh as much as a good one
    named: names.flatMap((name) => name.documents),
    names,
    paths,
    terms,
    words,
    source,
  }
}

/** Is the name rare enough to single something out? */
function singlesOut(graph: GraphReader, name: Named): boolean {
  return name.chunks <= Math.max(1, COMMON * graph.count('chunk'))
}
