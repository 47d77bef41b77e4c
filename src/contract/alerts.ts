/** The states of a corpus that its endpoints are notified of, and which of them hold now. */
import { z } from 'zod'
import { exact } from './exact'
import { count, time } from './fields'
import type { Immutable } from './immutable'

export const CONDITIONS = ['budget_80', 'budget_100', 'job_failed', 'quarantine', 'source_failing', 'index_lag'] as const
export type Condition = (typeof CONDITIONS)[number]

export const alertRulesSchema = exact({
  conditions: z
    .array(z.enum(CONDITIONS))
    .max(CONDITIONS.length)
    .describe(
      'The states that endpoints are notified of. `budget_80` and `budget_100`: that share of the budget is spent. `job_failed`: the last job to end failed. `quarantine`: a model could not read some documents. `source_failing`, `index_lag`: see below. Empty: no alerts.',
    ),
  source_failures: z.int().min(1).max(100).default(3).describe('Failures in a row before a source counts as failing.'),
  index_lag_seconds: z
    .int()
    .min(60)
    .max(86_400)
    .default(900)
    .describe('Seconds the vector index may lag behind before `index_lag` is raised.'),
})

const raised = z.object({ condition: z.enum(CONDITIONS), since: time })
export const alerts = z.object({
  conditions: z.array(z.enum(CONDITIONS)),
  source_failures: count,
  index_lag_seconds: count,
  raised: z
    .array(raised)
    .describe('Alerts that are currently raised. Each is announced once with `alert.raised`, and once with `alert.cleared` when it ends.'),
})
export const alertTest = z.object({
  deliveries: count.describe('How many endpoints it was sent to: those that want `alert.test`. See their deliveries.'),
})

export type NewAlertRules = Immutable<z.input<typeof alertRulesSchema>>
export type AlertRules = Immutable<z.output<typeof alertRulesSchema>>
export type Alerts = Immutable<z.output<typeof alerts>>
export type AlertTest = Immutable<z.output<typeof alertTest>>
