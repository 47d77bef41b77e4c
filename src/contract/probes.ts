/** Probes: questions with the documents that must answer them. */

import { z } from 'zod'
import { exact } from './exact'
import { count, idSchema, millis, share, upTo } from './fields'
import type { Immutable } from './immutable'

const MAX_PROBES = 50 // every strategy is asked each of them, twice, before a graph is promoted

export const probesSchema = exact({
  probes: z
    .array(
      exact({
        query: upTo(2048).refine((text) => text.trim() !== '', { message: 'must not be blank' }),
        expect: z.array(idSchema).min(1).max(100).describe('Ids of the documents that must be found.'),
      }),
    )
    .max(MAX_PROBES)
    .describe('Replaces all pinned questions. With an empty list every change is accepted.'),
  k: z.int().min(1).max(100).default(10).describe('How many pieces of evidence are checked.'),
  tolerance: z.number().min(0).max(1).default(0.02).describe('How much of its mean recall a strategy may lose.'),
})

const revision = z.string().describe('Identifies what is pinned. In quotation marks it is the ETag, for `If-Match`.')

const finding = z.object({
  recall: share.describe('The share of its documents among the first k pieces of evidence.'),
  rank: z.int().min(1).nullable().describe('The place of the first piece from one of them; null if none was found.'),
})

const missing = z
  .array(z.string())
  .describe('Documents that are expected and are not in the corpus, or not yet. A probe counts as soon as one of its documents is.')

const probe = z.object({
  query: z.string(),
  expect: z.array(z.string()),
  missing,
  last: z
    .object({ at: millis, found: z.record(z.string(), finding) })
    .nullable()
    .describe('What each strategy found when the schedule last asked; null: not asked yet. Empty if none of the documents exists.'),
  gate: z
    .object({
      at: millis,
      job: z.string(),
      kind: z.string(),
      found: z.record(z.string(), z.object({ before: finding, after: finding })),
    })
    .nullable()
    .describe('What each strategy found at the last quality gate, in the graph as it was and with the change.'),
})

export const probes = z.object({
  probes: z.array(probe),
  k: count,
  tolerance: share,
  revision,
})

export const pinned = z.object({ count, k: count, tolerance: share, revision, missing })

export type NewProbes = Immutable<z.input<typeof probesSchema>>
export type Finding = Immutable<z.output<typeof finding>>
export type Probe = Immutable<z.output<typeof probe>>
export type Probes = Immutable<z.output<typeof probes>>
export type Pinned = Immutable<z.output<typeof pinned>>
