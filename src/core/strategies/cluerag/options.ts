/** Clue-RAG's options of a question; names as the API takes them. Unknown or ill-typed ones were refused at the door, so a default stands in. */
import type { Json } from '../../graph/types'
import type { Options } from '../../strategy'

export interface ClueOptionsOfQuery {
  readonly scorer: 'lexical' | 'embedding' | 'reranker'
  /** K: units tried from each entity, and units anchored. */
  readonly fanout: number
  /** D */
  readonly depth: number
  /** M */
  readonly beam: number
  /** N: passages returned. */
  readonly passages: number
  /** K-A: entities of the units nearest to the question are anchors. */
  readonly anchoring: boolean
  /** S-A: entities the question names are anchors. */
  readonly activation: boolean
  /** Q-U: ask for what a path has not said yet. */
  readonly updating: boolean
  /** A unit knows its document's name. */
  readonly titles: boolean
}

export function readOptions({ own, topK }: Options): ClueOptionsOfQuery {
  const number = (name: string, otherwise: number, most: number): number => {
    const value: Json | undefined = own[name]
    return typeof value === 'number' && value >= 1 ? Math.min(most, Math.floor(value)) : otherwise
  }
  const flag = (name: string): boolean => own[name] !== false
  const scorer = own.scorer === 'embedding' || own.scorer === 'reranker' ? own.scorer : 'lexical'
  return {
    scorer,
    fanout: number('fanout', 3, 10), // the paper's best (Figure 7a)
    depth: number('depth', scorer === 'reranker' ? 3 : 2, 4), // the paper's 3 needs a scorer that reads: terms run out after two hops, and vectors drift
    beam: number('beam', 5, 20), // the paper's plateau (Figure 7b)
    passages: number('passages', topK, 100),
    anchoring: flag('anchoring'),
    activation: flag('activation'),
    updating: flag('updating'),
    titles: flag('titles'),
  }
}
