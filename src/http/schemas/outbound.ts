/** Bodies about what leaves a corpus and what it fetches. */
import { z } from 'zod'
import { EVENTS } from '../../outbound-ports'
import { idSchema, objectSchema } from './common'

const MINUTE = 60_000
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE } as const
const LEAST = 15 * MINUTE // the schedule looks every five minutes
const MOST = 30 * UNITS.d

const address = z.string().min(1).max(2048)
const secret = z.string().min(1).max(256).describe('`whsec_` and 16 to 128 bytes as base64; made where it is not given.')

export const endpointSchema = z.object({
  url: address.describe('https, and nothing private.'),
  events: z.array(z.enum(EVENTS)).max(EVENTS.length).nullish().describe('Which events; none named: all.'),
  secret: secret.nullish(),
})

export const renewSchema = z.object({
  secret: secret.nullish(),
  overlap: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('Seconds for which the old one signs too.'),
})

export const everySchema = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, 'a number and `m`, `h` or `d`, e.g. `1h`')
  .refine((text) => msOf(text) >= LEAST && msOf(text) <= MOST, 'from `15m` to `30d`')

export function msOf(every: string): number {
  return Number(every.slice(0, -1)) * UNITS[every.slice(-1) as keyof typeof UNITS]
}

/** The largest unit that says it in whole numbers. */
export function everyOf(ms: number): string {
  const [unit, size] = ms % UNITS.d === 0 ? ['d', UNITS.d] : ms % UNITS.h === 0 ? ['h', UNITS.h] : ['m', UNITS.m]
  return `${ms / Number(size)}${unit}`
}

export const sourceSchema = z.object({
  url: address.describe('https, and nothing private; the site’s robots.txt is respected.'),
  every: everySchema,
  document: idSchema.nullish().describe('The document’s id; default: the URL.'),
  metadata: objectSchema.nullish(),
  on_gone: z
    .enum(['keep', 'delete'])
    .default('keep')
    .describe('What becomes of the document of a page that is twice not there (404 or 410).'),
})
