/** Options of a question to `ppr`; names as the API takes them. */
import { z } from 'zod'
import { type Chosen, chosenOptions } from '../../chosen-options'
import { whole } from '../../setting-fields'
import type { Options } from '../../strategy'

export const pprOptions = {
  /** Chance of going back to the seeds at each step. */
  restart: z.number().min(0.05).max(0.95),
  /** Share of the seeds' mass that passages have; entities have the rest. */
  passage_weight: z.number().min(0).max(1),
  /** Units whose entities are seeds. */
  facts: whole(0, 20),
}

export type PprOptions = Required<Chosen<typeof pprOptions>>

export function readOptions({ own }: Pick<Options, 'own'>): PprOptions {
  return {
    restart: 0.1, // HippoRAG 2 has .5, where a passage and its entities are neighbours; here a unit is between them, and two hops are eight steps
    passage_weight: 0.1, // HippoRAG 2 multiplies its passages' scores by .05
    facts: 5, // HippoRAG 2's five triples
    ...chosenOptions(pprOptions, own),
  }
}
