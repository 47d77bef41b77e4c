import { z } from 'zod'

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe('Send it as `cursor` for the next page; null: this was the last.'),
  })
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/** Which page. */
export interface Paging {
  readonly cursor?: string | undefined
  readonly limit?: number
}
