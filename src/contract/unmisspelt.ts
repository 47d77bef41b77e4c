/** Members that look like a supported one but are not: in bodies of other makers, where every other name is accepted. */
import type { z } from 'zod'
import { displayName, nearest } from './nearest'

const MIN_LETTERS = 5 // of a name whose misspelling can be distinguished from another name
const OTHERS: ReadonlySet<string> = new Set(['models', 'message', 'filter']) // close to ours, and sent by clients of other makers

export function unmisspelt(honoured: readonly string[]) {
  const long = honoured.filter((name) => name.length >= MIN_LETTERS)
  return (value: object, context: z.RefinementCtx): void => {
    for (const name of Object.keys(value)) {
      if (honoured.includes(name) || OTHERS.has(name)) continue
      const near = nearest(name, long)
      if (near !== undefined)
        context.addIssue({ code: 'custom', path: [displayName(name)], message: `${displayName(name)} is unknown; did you mean ${near}?` })
    }
  }
}
