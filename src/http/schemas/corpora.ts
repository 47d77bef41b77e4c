/** Bodies about corpora, their upkeep and keys. */
import { z } from 'zod'
import { objectPlaces } from '../../platform-limits'
import { accessSchema, corpusNameSchema, principalsSchema } from './common'
import { exact } from './exact'
import { settingsSchema } from './settings'

const MAX_UNDELETE = 90 * 86_400 // seconds

export const systemNames = ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag'] as const

export const corpusSchema = exact({
  strategies: z
    .array(z.enum(systemNames))
    .max(systemNames.length)
    .optional()
    .describe('The systems to switch on; erarag, cluerag and ketrag unless told.'),
  settings: settingsSchema.optional().describe('What is not named stays as it is.'),
  budget: exact({ tokens: z.int().min(0).nullish(), usd: z.number().min(0).max(1e9).nullish() }).nullish(),
  audit: exact({
    days: z.int().min(1).max(3650).optional().describe('How long an entry of the audit log is kept; 400 unless told.'),
    reads: z.boolean().optional().describe('Whether questions, exports and other reads are entered, too: a row each, waited for.'),
  })
    .nullish()
    .describe('Null: as every corpus has it.'),
  public: z.boolean().optional().describe('May be read without a key, so often a minute.'),
  default_access: accessSchema
    .nullish()
    .describe(
      'Labels that stand for those of a document without any. Null: such a document is for every reader; an empty list: for administrators alone.',
    ),
  undelete_seconds: z
    .int()
    .min(0)
    .max(MAX_UNDELETE)
    .optional()
    .describe('For so long after its deletion the corpus can be undeleted, and keeps its name. 0 unless told: it is gone at once.'),
  jurisdiction: z
    .enum(objectPlaces.jurisdictions)
    .optional()
    .describe('Where the texts and the graph are kept and worked on, for good; only when the corpus is made.'),
  location_hint: z
    .enum(objectPlaces.locationHints)
    .optional()
    .describe('Near whom the corpus is made; only when it is made, and not promised.'),
})

export const maintenanceSchema = exact({ strategies: z.array(z.enum(systemNames)).min(1).optional() })

const limitsSchema = exact({
  tokens_a_day: z
    .int()
    .min(0)
    .max(1e12)
    .optional()
    .describe('Tokens its calls have models read, write and embed; documents count by their estimate.'),
  usd_a_day: z.number().min(0).max(1e9).optional().describe('The same in US dollars.'),
  requests_a_day: z.int().min(0).max(1e12).optional(),
})

export const limitKeySchema = exact({ limits: limitsSchema.nullable().describe('In place of what was there; null: as much as it likes.') })

export const keySchema = exact({
  name: z.string().min(1).max(200),
  scopes: z
    .array(z.enum(['read', 'write', 'admin']))
    .min(1)
    .default(['read'])
    .describe('`admin` includes the others; `write` does not include `read`.'),
  // As many as one statement of D1 can name.
  corpora: z
    .array(z.union([z.literal('*'), corpusNameSchema]))
    .min(1)
    .max(90)
    .describe('Corpora that are there, by name; one made later under the same name is another. `*`: all, also those to come.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('From when on it is refused. Default: when the key that makes it expires, or never.'),
  principals: principalsSchema
    .default([])
    .describe('Whom its bearer speaks for, e.g. `group:finance`: it reads documents that carry one of these labels, and those without.'),
  limits: limitsSchema.optional().describe('What it may use in a day of UTC. Default: as much as it likes.'),
  access_choose: z.boolean().default(false).describe('A request with it may say for whom it asks (`Loam-As`).'),
})

export const rotateKeySchema = exact({
  overlap: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('Seconds for which the old secret is still good.'),
})
