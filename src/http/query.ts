/**
 * The names a query string may hold: none, unless the route says which. Asked behind the door that asks for a key, so that a stranger learns
 * of a missing key first.
 */
import { createMiddleware } from 'hono/factory'
import { shown, unknownNames } from '../contract/nearest'
import type { Ctx, Http } from './context'
import { Problem } from './problem'

const MAX_NAMES = 20 // looked at: no route knows half as many

/** Stands before the door of a route: what its query string may name. */
export function takes(...names: readonly string[]) {
  return createMiddleware<Http>(async (c, next) => {
    c.set('queryNames', names)
    await next()
  })
}

/** For doors made for other clients: whatever theirs sends there. */
export const takesAnything = createMiddleware<Http>(async (c, next) => {
  c.set('queryNames', null)
  await next()
})

/** Refuses what the route does not take, and what is said twice. */
export function checkQuery(c: Ctx): void {
  const known = c.get('queryNames')
  if (known === null) return
  const sent = Object.entries(c.req.queries()).slice(0, MAX_NAMES)
  const errors = sent.flatMap(([name, values]) => {
    if (!known?.includes(name)) return unknownNames([], [name], known ?? []).map((message) => ({ path: shown(name), message }))
    return values.length > 1 ? [{ path: name, message: 'is given more than once' }] : []
  })
  if (errors.length > 0) throw new Problem('invalid', 'The query string does not fit; see `errors`.', { errors })
}
