/** Pages that are fetched again and again. */
import { z } from 'zod'
import { address } from './endpoints'
import { exact } from './exact'
import { accessSchema, idSchema } from './fields'
import type { Immutable } from './immutable'
import { objectSchema } from './json-object'

const MINUTE = 60_000
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE } as const
const MIN = 15 * MINUTE // the schedule looks every five minutes
const MAX = 30 * UNITS.d
export const everySchema = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, 'a number and `m`, `h` or `d`, e.g. `1h`')
  .refine((text) => msOf(text) >= MIN && msOf(text) <= MAX, 'from `15m` to `30d`')

export function msOf(every: string): number {
  return Number(every.slice(0, -1)) * UNITS[every.slice(-1) as keyof typeof UNITS]
}

/** The largest unit that says it in whole numbers. */
export function everyOf(ms: number): string {
  const [unit, size] = ms % UNITS.d === 0 ? ['d', UNITS.d] : ms % UNITS.h === 0 ? ['h', UNITS.h] : ['m', UNITS.m]
  return `${ms / Number(size)}${unit}`
}

export const sourceSchema = exact({
  url: address.describe('https, and nothing private; the site’s robots.txt is respected.'),
  every: everySchema,
  document: idSchema.nullish().describe('The document’s id; default: the URL.'),
  metadata: objectSchema.nullish(),
  access: accessSchema.default([]).describe('Labels given to the document; none unless told.'),
  on_gone: z
    .enum(['keep', 'delete'])
    .default('keep')
    .describe('What becomes of the document of a page that is twice not there (404 or 410).'),
})

export const source = z.object({
  source: z.string(),
  url: z.string(),
  document: z.string(),
  every: z.string(),
  on_gone: z.enum(['keep', 'delete']),
  metadata: z.record(z.string(), z.unknown()),
  access: z.array(z.string()).describe('Labels given to the document.'),
  status: z
    .enum(['new', 'ok', 'failing', 'gone'])
    .describe('`failing`: the last look failed, the document stands. `gone`: the page was twice not there.'),
  failures: z.int().describe('In a row.'),
  last_result: z.string().nullable().describe('`changed`, `unchanged`, or why not: `http_404`, `robots`, `timeout`, `over_budget`, …'),
  seen_at: z.string().nullable(),
  changed_at: z.string().nullable(),
  next_fetch_at: z.string().nullable(),
  created_at: z.string(),
})

export type NewSource = Immutable<z.input<typeof sourceSchema>>
export type Source = Immutable<z.output<typeof source>>
