/**
 * The names that a query string may have: those that the route declares. Checked after the key, so that a stranger learns about a
 * missing key first.
 */
import { displayName, unknownNames } from '../contract/nearest'
import type { Ctx } from './context'
import { Problem } from './problem'

const MAX_NAMES = 20 // looked at: no route knows half as many

/** Refuses what the route does not accept, and names given twice. */
export function checkQuery(c: Ctx): void {
  const { foreign, parameters = [] } = c.get('operation')
  if (foreign) return
  const inQuery = parameters.filter((one) => one.in === 'query')
  const known = inQuery.map(({ name }) => name)
  const lists = inQuery.filter((one) => 'type' in one.schema && one.schema.type === 'array').map(({ name }) => name)
  const sent = Object.entries(c.req.queries()).slice(0, MAX_NAMES)
  const errors = sent.flatMap(([name, values]) => {
    if (!known.includes(name)) return unknownNames([], [name], known).map((message) => ({ path: displayName(name), message }))
    return values.length > 1 && !lists.includes(name) ? [{ path: name, message: 'is given more than once' }] : []
  })
  if (errors.length > 0) throw new Problem('invalid', 'The query string is not valid; see `errors`.', { errors })
}
