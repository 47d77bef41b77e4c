/**
 * Objects that hold what they name and nothing else. Every body, every argument of a tool and every line of an import is one, so that a
 * misspelt member is refused instead of passed over. What third parties send is theirs and is not.
 */
import { z } from 'zod'
import { removalText } from '../core/setting-fields'
import { unknownNames } from './nearest'
import './union-message'

/** `removed`: names that an earlier release took. */
export function exact<T extends z.core.$ZodLooseShape>(shape: T, removed: readonly string[] = []) {
  return z.strictObject(shape, { error: (issue) => unknownMembers(issue, removed) })
}

/** One line for each name: `parseWith` makes a fault of each. The schema is asked for its names, since it may have been extended. */
function unknownMembers({ code, path = [], keys, inst }: z.core.$ZodRawIssue, removed: readonly string[]): string | undefined {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodObject)) return undefined
  const names = keys as readonly string[]
  const gone = names.filter((name) => removed.includes(name)).map((name) => removalText([...path, name].map(String).join('.')))
  const unknown = names.filter((name) => !removed.includes(name))
  return [...gone, ...unknownNames(path, unknown, Object.keys(inst.shape))].join('\n')
}
