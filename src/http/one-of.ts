/** A word of the query string that must be one of those declared. */
import type { Ctx } from './context'
import { Problem } from './problem'

/** Null: not given. */
export function oneOf<T extends string>(c: Ctx, name: string, words: readonly T[]): T | null {
  const said = c.req.query(name)
  if (!said) return null
  const found = words.find((word) => word === said)
  if (found === undefined) throw new Problem('invalid', `Unknown ${name}.`, { errors: [{ path: name, message: words.join(', ') }] })
  return found
}
