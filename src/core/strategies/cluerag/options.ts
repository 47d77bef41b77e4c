/** Clue-RAG's options of a question, named as in the API. */
import { z } from 'zod'
import { type Chosen, chosenOptions } from '../../chosen-options'
import { whole } from '../../setting-fields'
import type { Options } from '../../strategy'

export const clueOptions = {
  scorer: z.enum(['lexical', 'embedding', 'reranker']),
  /** K: units tried from each entity, and units used as anchors. */
  fanout: whole(1, 10),
  /** D: how many hops deep. */
  depth: whole(1, 4),
  /** M: how many paths are kept. */
  beam: whole(1, 20),
  /** N: passages returned. */
  passages: whole(1, 100),
}

export type ClueOptions = Required<Chosen<typeof clueOptions>>

export function readOptions({ own, topK }: Pick<Options, 'own' | 'topK'>): ClueOptions {
  const chosen = chosenOptions(clueOptions, own)
  const scorer = chosen.scorer ?? 'lexical'
  return {
    scorer,
    fanout: 3, // the paper's best (Figure 7a)
    depth: scorer === 'reranker' ? 3 : 2, // the paper's 3 needs a scorer that reads: terms run out after two hops, and vectors drift
    beam: 5, // the paper's plateau (Figure 7b)
    passages: topK,
    ...chosen,
  }
}
