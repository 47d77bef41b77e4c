/** The time from which a list is requested. */
import type { Ctx } from './context'
import type { Parameter } from './parameters'
import { Problem } from './problem'

export const sinceOfList = (what: string): Parameter => ({
  name: 'since',
  in: 'query',
  description: `Only ${what} at this time or later (ISO 8601).`,
  schema: { type: 'string', format: 'date-time' },
})

/** Milliseconds since 1970; 0 if none is given. */
export function sinceOf(c: Ctx): number {
  const text = c.req.query('since')
  const time = text ? Date.parse(text) : 0
  if (!Number.isNaN(time)) return time
  throw new Problem('invalid', 'Give the time as ISO 8601.', { errors: [{ path: 'since', message: 'not a time' }] })
}
