/** Keys, and what they may use. */

import { z } from 'zod'
import { exact } from './exact'
import { corpusNameSchema, count, principalsSchema, time } from './fields'
import type { Immutable } from './immutable'

const limitsSchema = exact({
  tokens_a_day: z
    .int()
    .min(0)
    .max(1e12)
    .optional()
    .describe('Tokens that models read, write and embed for its calls. Documents count with their estimate.'),
  usd_a_day: z.number().min(0).max(1e9).optional().describe('The same in US dollars.'),
  requests_a_day: z.int().min(0).max(1e12).optional(),
  requests_a_minute: z.int().min(0).max(1e6).optional().describe('Requests in any 60 seconds.'),
  questions_a_minute: z.int().min(0).max(1e6).optional().describe('Searches, questions and comparisons, through any interface.'),
})

export const limitKeySchema = exact({ limits: limitsSchema.nullable().describe('Replaces the existing limits; null: no limits.') })

export const keySchema = exact({
  name: z.string().min(1).max(200),
  scopes: z
    .array(z.enum(['read', 'write', 'admin']))
    .min(1)
    .default(['read'])
    .describe('`admin` includes the others; `write` does not include `read`.'),
  // As many as one D1 statement can name.
  corpora: z
    .array(z.union([z.literal('*'), corpusNameSchema]))
    .min(1)
    .max(90)
    .describe('Existing corpora, by name; one created later under the same name is not included. `*`: all, including future ones.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('When it expires. By default, when the key that creates it expires, or never.'),
  principals: principalsSchema
    .default([])
    .describe(
      'The principals its holder acts for, such as `group:finance`: it reads documents that carry one of these labels, and those without labels.',
    ),
  limits: limitsSchema.optional().describe('What it may use per day (UTC) and per minute; no limits by default.'),
  access_choose: z.boolean().default(false).describe('A request with it may say on whose behalf it asks (`Loam-As`).'),
})

export const rotateKeySchema = exact({
  overlap: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('Seconds for which the old secret stays valid.'),
})

export const dailyLimits = z.object({
  tokens_a_day: count.optional(),
  usd_a_day: z.number().min(0).optional(),
  requests_a_day: count.optional(),
  requests_a_minute: count.optional(),
  questions_a_minute: count.optional(),
})

export const key = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(['read', 'write', 'admin'])),
  corpora: z.array(z.string()).describe('The existing corpora it opens; `*`: all.'),
  principals: z.array(z.string()).describe('The principals its holder acts for.'),
  access_choose: z.boolean().describe('A request with it may say on whose behalf it asks.'),
  limits: dailyLimits.nullable().describe('What it may use per day (UTC) and per minute; null: no limits.'),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable().describe('Accurate to a quarter of an hour.'),
})

export const ownKey = key
  .pick({ scopes: true, corpora: true, principals: true, access_choose: true, limits: true, expires_at: true })
  .extend({
    id: z.string().describe('`admin`: the key of the deployment.'),
    corpora: z.array(z.string()).describe('The corpora it names; `*`: all.'),
  })

export const mintedKey = key.extend({ key: z.string().describe('Shown only once; Loam keeps just its hash.') })

export type NewKey = Immutable<z.input<typeof keySchema>>
export type KeyRotation = Immutable<z.input<typeof rotateKeySchema>>
export type DailyLimits = Immutable<z.output<typeof dailyLimits>>
export type Key = Immutable<z.output<typeof key>>
export type OwnKey = Immutable<z.output<typeof ownKey>>
export type Scope = Key['scopes'][number]
export type MintedKey = Immutable<z.output<typeof mintedKey>>
export type KeyLimits = Immutable<z.input<typeof limitsSchema>>
