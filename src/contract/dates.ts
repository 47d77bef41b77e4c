/** Dates of documents and of questions. */
import { z } from 'zod'
import { type Dates, dateSources, spanOf } from '../core/text/iso-date'
import { exact } from './exact'

export const dateSchema = z
  .string()
  .max(40)
  .refine((text) => spanOf(text) !== undefined, { message: 'an ISO 8601 date: 2024, 2024-05, 2024-05-01 or 2024-05-01T09:00Z' })

const source = z.enum(dateSources)

/** As an export has it, with its source. */
const sentDate = z.union([dateSchema.transform((value) => ({ value, source: 'given' as const })), exact({ value: dateSchema, source })])

/** For a document as it is sent. */
export const sentDates = {
  published_at: sentDate.nullish().describe('When it was published; by default, what the file says.'),
  valid_from: sentDate.nullish().describe('The date from which its contents apply.'),
  valid_until: sentDate.nullish().describe('The last date on which its contents apply.'),
} as const

type Sent = { readonly [name in keyof typeof sentDates]?: z.output<typeof sentDate> | null | undefined }

export function datesFit({ valid_from, valid_until }: Sent, context: z.core.$RefinementCtx): void {
  const [from, until] = [valid_from, valid_until].map((date) => (date ? spanOf(date.value) : undefined))
  if (!from || !until || from.start <= until.end) return
  context.issues.push({ code: 'custom', path: ['valid_until'], message: 'is before `valid_from`', input: undefined })
}

/** Those that are named. */
export function datesOf({ published_at, valid_from, valid_until }: Sent): Dates {
  return { ...(published_at ? { published_at } : {}), ...(valid_from ? { valid_from } : {}), ...(valid_until ? { valid_until } : {}) }
}

const date = z.object({
  value: z.string().describe('ISO 8601, as precise as it is known.'),
  source: source.describe('Where the date comes from; never the text.'),
})

export const dates = z
  .object({ published_at: date.optional(), valid_from: date.optional(), valid_until: date.optional() })
  .describe('The document’s dates, and where each comes from.')

export interface Period {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** A period that ends before it begins admits nothing: that is a slip, and both ends are named. */
export function periodFits({ since, until }: Period, context: z.RefinementCtx): void {
  const [from, to] = [since, until].map((date) => (date === undefined ? undefined : spanOf(date)))
  if (!from || !to || from.start <= to.end) return
  context.addIssue({ code: 'custom', path: ['since'], message: 'is later than `until`' })
  context.addIssue({ code: 'custom', path: ['until'], message: 'is before `since`' })
}
