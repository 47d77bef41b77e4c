/**
 * The message for a value that has none of a schema's forms: it lists them, wherever the value is checked. `Invalid input` would name
 * none.
 */
import { z } from 'zod'

type Issue = z.core.$ZodIssue
const EXPECTED = /^Invalid input: expected (.+?)(?:, received \w+)?$/s

z.config({
  customError: (issue) =>
    issue.code === 'invalid_union' && issue.errors.length > 0
      ? `Invalid input: expected ${inWords(issue.errors.flatMap(formsOf))}`
      : undefined,
})

/** `string`, `array` …: what the form would have been, or its objection to the value. */
function formsOf(form: readonly Issue[]): readonly string[] {
  return form.flatMap((issue) =>
    issue.code === 'invalid_union' ? issue.errors.flatMap(formsOf) : [EXPECTED.exec(issue.message)?.[1] ?? issue.message],
  )
}

function inWords(forms: readonly string[]): string {
  const words = [...new Set(forms)]
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
