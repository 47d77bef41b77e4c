/**
 * Objects that hold what they name and nothing else. Every body, every argument of a tool and every line of an import is one, so that a
 * misspelt member is refused instead of passed over. What third parties send is theirs and is not.
 */
import { z } from 'zod'
import { unknownNames } from './nearest'

export function exact<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, { error: unknownMembers })
}

/** One line for each name: `checked` makes a fault of each. The schema is asked for its names, since it may have been extended. */
function unknownMembers({ code, path = [], keys, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodObject)) return undefined
  return unknownNames(path, keys as readonly string[], Object.keys(inst.shape)).join('\n')
}
