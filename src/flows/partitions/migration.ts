/**
 * A corpus in partitions is moved to another embedding model by one job of all its objects, which its own object leads: each derives its own part beside
 * the one that is served, and all change together.
 */

import type { Job } from '../../contract/jobs'
import { migrationSteps } from '../../contract/migrations'
import type { EmbeddingModel } from '../../core/settings'
import type { Actor } from '../../ports/audit'
import type { MigrationState } from '../../ports/migration'
import type { CorpusObject } from '../../ports/object'
import { addSpent, joinJobs } from './jobs'
import type { Divided } from './part'

/** Refused if any object could not begin now. */
export async function migrate({ whole, parts }: Divided, to: EmbeddingModel, by?: Actor): ReturnType<CorpusObject['migrate']> {
  const asked = await Promise.all(parts.map((part) => part.moveModel({ what: 'ask', to })))
  const refused = asked.find((one) => one.kind === 'refused')
  return refused ? refused.why : whole.migrate(to, by)
}

/** Its cost is that of all partitions; they work in parallel, so the slowest determines the time. Its step is that of the one furthest behind. */
export async function migration({ whole, parts }: Divided): Promise<MigrationState | null> {
  const [own, ...told] = await Promise.all([whole, ...parts].map((one) => one.migration()))
  if (!own) return null
  const all = [own, ...told.flatMap((one) => one ?? [])]
  const moving = all.filter(({ job }) => job !== null)
  const paces = all.filter(({ texts }) => texts > 0).map(({ seconds }) => seconds)
  return {
    job: moving[0]?.job ?? null,
    step: migrationSteps.find((step) => moving.some((one) => one.step === step)) ?? null,
    served: own.served,
    settings: own.settings,
    texts: all.reduce((sum, one) => sum + one.texts, 0),
    tokens: all.reduce((sum, one) => sum + one.tokens, 0),
    seconds: paces.some((one) => one === null) ? null : Math.max(0, ...paces.flatMap((one) => one ?? [])),
    rewritten: all.map((one) => one.rewritten).reduce(addSpent),
  }
}

/** The job of its own object, and that of its partitions, if they have begun. */
export const joinMoves = (own: Job | null, told: Job | null): Job | null => joinJobs([own, told].flatMap((one) => one ?? []))
