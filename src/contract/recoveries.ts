/** Restoring a corpus to a moment: what that would mean, and its progress. */
import { z } from 'zod'
import { exact } from './exact'
import { count, time, version } from './fields'
import type { Immutable } from './immutable'

/** How long the platform remembers an object's storage. */
export const REMEMBERED_DAYS = 30

export const restoreToSchema = exact({
  time: time.describe('The moment to restore to, within the last 30 days.'),
  confirm: z
    .string()
    .max(64)
    .optional()
    .describe('The `confirm` of an estimate for the same time. Without it, nothing is changed and the estimate is returned.'),
})

export const recoveryEstimate = z.object({
  corpus: z.string(),
  status: z.literal('estimate'),
  time,
  version_then: version.describe('The version it had then; 0: none yet.'),
  committed_at: time.nullable().describe('When that version was created.'),
  version: version.describe('The version it has now.'),
  lost: z.object({
    commits: count.describe('Versions since.'),
    documents: count.describe('Documents that were added or replaced since. They are removed or go back to what they were.'),
    actions: z.record(z.string(), count).describe('What people did since, as the audit log names it. The log itself stays.'),
  }),
  kept: z.object({
    deleted: count.describe('Documents deleted since. They stay deleted, though they return for the moment it takes to delete them again.'),
    access: count.describe('Documents whose labels or switch changed since. They stay as they are now.'),
  }),
  confirm: z.string().describe('Send it with the same time to continue. It is valid until the corpus changes.'),
})

export const recoverySchema = z.object({
  corpus: z.string(),
  status: z
    .enum(['closing', 'setting_back', 'replaying', 'restored', 'refused'])
    .describe(
      '`closing`: until every Worker knows that the corpus is closed, about twenty seconds. `setting_back`: its storage is being restored, and later deletions and access changes are read in. `replaying`: documents deleted since are being deleted again. `refused`: the platform could not restore the storage, and the corpus is open again as it was. Until it is `restored` or `refused`, the corpus answers nothing (409 `restoring`).',
    ),
  id: z.string(),
  time: time.describe('The moment it is restored to.'),
  version_before: version.nullable().describe('The last version it had before; null: not known yet.'),
  version: version
    .nullable()
    .describe('The version now served, whether or not the storage was restored: a new one, higher than any before. Null until then.'),
  replaying: count.describe('Deletions and access changes still to be replayed.'),
  job: z.string().nullable().describe('The job that sends everything to the database and the vector index again; null until then.'),
})

export type NewRecovery = Immutable<z.input<typeof restoreToSchema>>
export type RecoveryEstimate = Immutable<z.output<typeof recoveryEstimate>>
export type Recovery = Immutable<z.output<typeof recoverySchema>>
