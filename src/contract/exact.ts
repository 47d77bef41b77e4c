/**
 * Objects with only the members they declare. Every body, every tool argument and every line of an import is one, so that a misspelt
 * member is refused instead of ignored. What third parties send is not.
 */
import { z } from 'zod'
import { removalText } from '../core/setting-fields'
import { unknownNames } from './nearest'
import './plain-messages'

/** `removed`: names that an earlier release accepted. */
export function exact<T extends z.core.$ZodLooseShape>(shape: T, removed: readonly string[] = []) {
  return z.strictObject(shape, { error: (issue) => unknownMembers(issue, removed) })
}

/** One line for each name: `parseWith` turns each into an error. The names are read from the schema, since it may have been extended. */
function unknownMembers({ code, path = [], keys, inst }: z.core.$ZodRawIssue, removed: readonly string[]): string | undefined {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodObject)) return undefined
  const names = keys as readonly string[]
  const gone = names.filter((name) => removed.includes(name)).map((name) => removalText([...path, name].map(String).join('.')))
  const unknown = names.filter((name) => !removed.includes(name))
  return [...gone, ...unknownNames(path, unknown, Object.keys(inst.shape))].join('\n')
}
