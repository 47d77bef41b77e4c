/** What a schema found wrong with a body, as a list of errors, each with its place and what would have been right there. */
import type { z } from 'zod'
import { displayName } from '../contract/nearest'
import type { Fault } from './problem'

type Issue = z.core.$ZodIssue

/** Each unknown member has its own error and sentence (`exact`). */
export function faultsOf(issue: Issue): readonly Fault[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.message.split('\n').map((message, i) => ({ path: placeOf([...issue.path, issue.keys[i] ?? '']), message }))
    case 'invalid_key':
      return issue.issues.map(({ message }) => ({ path: placeOf(issue.path), message }))
    case 'invalid_union':
      return unionFaults(issue)
    default:
      return [{ path: placeOf(issue.path), message: issue.message }]
  }
}

/** Names come from the caller and may be of any length. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.map((name) => displayName(String(name))).join('.')
}

/** The errors of the form that was probably meant, if that is clear; otherwise the possible forms (`plain-messages`). */
function unionFaults({ path, errors, message }: Extract<Issue, { code: 'invalid_union' }>): readonly Fault[] {
  const fitting = errors.filter((form) => !form.some(isOtherForm))
  const [meant] = fitting
  if (meant && fitting.length === 1) return meant.flatMap((issue) => faultsOf({ ...issue, path: [...path, ...issue.path] } as Issue))
  return [{ path: placeOf(path), message }]
}

/** Is the value of a different type? */
function isOtherForm({ code, path, ...rest }: Issue): boolean {
  if (path.length > 0) return false
  const isOfNoForm = code === 'invalid_union' && 'errors' in rest && rest.errors.every((form) => form.some(isOtherForm))
  return code === 'invalid_type' || code === 'invalid_value' || isOfNoForm
}
