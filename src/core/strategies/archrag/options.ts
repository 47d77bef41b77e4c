/** What a caller may choose for one question. */
import { type Chosen, chosenOptions } from '../../chosen-options'
import { choice, flag, whole } from '../../setting-fields'
import type { Options } from '../../strategy'

export const archOptions = {
  /**
   * By a model where an answer is written by one (flows/filter.ts), else by relevance; always by relevance; or everything from each layer, for a
   * filter that reads.
   */
  filter: choice(['adaptive', 'relevance', 'layers'], { removed: ['direct'] }),
  /** For the answer's prompt: only from the sources, or also from general knowledge. */
  grounded: flag,
  /** How many of the nearest are taken from each layer. */
  k: whole(1, 100),
  /** Nodes that C-HNSW keeps while it searches a layer. */
  ef: whole(1, 400),
  /** How many relations are read out. */
  relations: whole(1, 100),
  /** Only relations between entities found, or also those that lead out of them. */
  around: flag,
  /** What models said of the entities and relations found, beside the passages that bear them out. */
  descriptions: flag,
  /** Passages found by keywords and vectors, beside those that entities and relations lead to. */
  passages: flag,
}

export type ArchOptions = Omit<Required<Chosen<typeof archOptions>>, 'grounded'>

const defaults: ArchOptions = {
  filter: 'adaptive', // the paper
  k: 5, // the paper
  ef: 64, // recall 1 on clustered vectors (docs/archrag.md); 16 in the official code
  relations: 10, // the official code's topk_e
  around: true, // the official code; in the paper only those between entities found
  descriptions: true, // the paper
  passages: true, // the official code's topk_chunk, switched off there
}

export function readOptions({ own }: Pick<Options, 'own'>): ArchOptions {
  return { ...defaults, ...chosenOptions(archOptions, own) }
}
