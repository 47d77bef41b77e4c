/** A corpus set back to a moment: what that would mean, and how far it is. */
import { z } from 'zod'
import { exact } from './exact'
import { count, time, version } from './fields'
import type { Immutable } from './immutable'

/** The platform remembers an object's storage so long. */
export const REMEMBERED_DAYS = 30

export const restoreToSchema = exact({
  time: time.describe('To which moment, in the last 30 days.'),
  confirm: z
    .string()
    .max(64)
    .optional()
    .describe('As the estimate of the same time said it; without, nothing is changed, and the estimate is answered.'),
})

export const recoveryEstimate = z.object({
  corpus: z.string(),
  status: z.literal('estimate'),
  time,
  version_then: version.describe('That it had at the moment; 0: none yet.'),
  committed_at: time.nullable().describe('When that version was made.'),
  version: version.describe('That it has now.'),
  lost: z.object({
    commits: count.describe('Versions since.'),
    documents: count.describe('Documents as they are now that came, or were replaced, since: they go, or are again what they were.'),
    actions: z.record(z.string(), count).describe('What people did since, as the audit log names it. The log itself stays.'),
  }),
  kept: z.object({
    deleted: count.describe(
      'Documents deleted since: they stay deleted, though they come back for the moment it takes to delete them again.',
    ),
    access: count.describe('Documents whose labels or switch changed since: these stay as they are now.'),
  }),
  confirm: z.string().describe('Send it with the same time to go on. It holds until the corpus changes.'),
})

export const recoverySchema = z.object({
  corpus: z.string(),
  status: z
    .enum(['closing', 'setting_back', 'replaying', 'restored', 'refused'])
    .describe(
      '`closing`: until no Worker remembers it as open, some twenty seconds; `setting_back`: its storage is set back, and what holds all the same is read in; `replaying`: what was deleted since is deleted; `refused`: the platform would not set the storage back, and the corpus is open again as it was. Until it is `restored` or `refused` the corpus answers nothing (409 `restoring`).',
    ),
  id: z.string(),
  time: time.describe('To which moment.'),
  version_before: version.nullable().describe('The last it had before; null until it is known.'),
  version: version
    .nullable()
    .describe('That what came back, or was not set back, is served as: a new one, higher than any before. Null until then.'),
  replaying: count.describe('Deletions and changes of access that are still to be replayed.'),
  job: z.string().nullable().describe('Sends everything to the database and the vector index again. Null until then.'),
})

export type NewRecovery = Immutable<z.input<typeof restoreToSchema>>
export type RecoveryEstimate = Immutable<z.output<typeof recoveryEstimate>>
export type Recovery = Immutable<z.output<typeof recoverySchema>>
