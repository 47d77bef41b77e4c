/** Of which states of a corpus its endpoints are told, and which of them hold now. */
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
      'The states that endpoints hear about: budget_80 and budget_100: so much of it is spent · job_failed: the last job that ended has failed · quarantine: documents a model could not read · source_failing · index_lag. None: no alerts.',
    ),
  source_failures: z.int().min(1).max(100).default(3).describe('In a row, before a source counts as failing.'),
  index_lag_seconds: z.int().min(60).max(86_400).default(900).describe('For so long the index may not show what it was sent.'),
})

const raised = z.object({ condition: z.enum(CONDITIONS), since: time })
export const alerts = z.object({
  conditions: z.array(z.enum(CONDITIONS)),
  source_failures: count,
  index_lag_seconds: count,
  raised: z
    .array(raised)
    .describe('Those that hold now: told once, with `alert.raised`, and again with `alert.cleared` when they do no more.'),
})
export const alertTest = z.object({ deliveries: count.describe('To endpoints that want `alert.test`; see their deliveries.') })

export type NewAlertRules = Immutable<z.input<typeof alertRulesSchema>>
export type AlertRules = Immutable<z.output<typeof alertRulesSchema>>
export type Alerts = Immutable<z.output<typeof alerts>>
export type AlertTest = Immutable<z.output<typeof alertTest>>
