/** Options of a question to `ppr`, named as in the API. */
import { z } from 'zod'
import { entityWalkDefaults } from '../../channels/entity-walk'
import { type Chosen, chosenOptions } from '../../chosen-options'
import { whole } from '../../setting-fields'
import type { Options } from '../../strategy'

export const pprOptions = {
  /** Probability of returning to the seeds at each step. */
  restart: z.number().min(0.05).max(0.95),
  /** Share of the seeds' mass that goes to passages; entities get the rest. */
  passage_weight: z.number().min(0).max(1),
  /** How many units have their entities used as seeds. */
  facts: whole(0, 20),
}

export type PprOptions = Required<Chosen<typeof pprOptions>>

export function readOptions({ own }: Pick<Options, 'own'>): PprOptions {
  const { restart, passageWeight, facts } = entityWalkDefaults
  return { restart, passage_weight: passageWeight, facts, ...chosenOptions(pprOptions, own) }
}
