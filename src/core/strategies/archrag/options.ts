/** What a caller may choose for one question: the switches of the paper's Table 4 that concern answering. */
import type { Options } from '../../strategy'

const FILTERS = ['adaptive', 'relevance', 'direct', 'layers'] as const

export interface ArchOptions {
  readonly layers: 'all' | 'single' | 'entities'
  /** By a model where an answer is written by one (flows/filter.ts), else by relevance; by relevance in any case; unfiltered; or all of each layer, for a filter that reads. */
  readonly filter: (typeof FILTERS)[number]
  /** Nearest of each layer. */
  readonly k: number
  /** Nodes C-HNSW keeps while it searches a layer. */
  readonly ef: number
  /** Relations read out. */
  readonly relations: number
  /** Relations only between entities found, or also those that lead out of them. */
  readonly around: boolean
  /** Passages found by keywords and vectors, beside those that entities and relations lead to. */
  readonly passages: boolean
}

const defaults: ArchOptions = {
  layers: 'all', // the paper; the official code searches two of them by a slip
  filter: 'adaptive', // the paper
  k: 5, // the paper
  ef: 64, // recall 1 of clustered vectors (docs/archrag.md); the official code 16
  relations: 10, // the official code's topk_e
  around: true, // the official code; the paper has those between entities found
  passages: true, // the official code's topk_chunk, there switched off
}

export function readOptions({ own }: Options): ArchOptions {
  const whole = (value: unknown, otherwise: number, most: number): number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 ? Math.min(most, value) : otherwise
  const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise)
  return {
    layers: own.layers === 'single' || own.layers === 'entities' ? own.layers : defaults.layers,
    filter: FILTERS.find((one) => one === own.filter) ?? defaults.filter,
    k: whole(own.k, defaults.k, 100),
    ef: whole(own.ef, defaults.ef, 400),
    relations: whole(own.relations, defaults.relations, 100),
    around: flag(own.around, defaults.around),
    passages: flag(own.passages, defaults.passages),
  }
}
