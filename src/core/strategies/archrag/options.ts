/** What a caller may choose for one question. */
import { type Chosen, chosenOptions } from '../../chosen-options'
import { choice, flag, whole } from '../../setting-fields'
import type { Options } from '../../strategy'

export const archOptions = {
  /** By a model where an answer is written by one (flows/filter.ts), else by relevance; by relevance in any case; or all of each layer, for a filter that reads. */
  filter: choice(['adaptive', 'relevance', 'layers'], { removed: ['direct'] }),
  /** Of the answer's prompt: only from the sources, or also from what is generally known. */
  grounded: flag,
  /** Nearest of each layer. */
  k: whole(1, 100),
  /** Nodes C-HNSW keeps while it searches a layer. */
  ef: whole(1, 400),
  /** Relations read out. */
  relations: whole(1, 100),
  /** Relations only between entities found, or also those that lead out of them. */
  around: flag,
  /** What models said of the entities and relations found, beside the passages that bear it out. */
  descriptions: flag,
  /** Passages found by keywords and vectors, beside those that entities and relations lead to. */
  passages: flag,
}

export type ArchOptions = Omit<Required<Chosen<typeof archOptions>>, 'grounded'>

const defaults: ArchOptions = {
  filter: 'adaptive', // the paper
  k: 5, // the paper
  ef: 64, // recall 1 of clustered vectors (docs/archrag.md); the official code 16
  relations: 10, // the official code's topk_e
  around: true, // the official code; the paper has those between entities found
  descriptions: true, // the paper
  passages: true, // the official code's topk_chunk, there switched off
}

export function readOptions({ own }: Pick<Options, 'own'>): ArchOptions {
  return { ...defaults, ...chosenOptions(archOptions, own) }
}
