/** Where the evidence of a question disagrees, determined once: for the prompt, for the extract, and for the reader of the answer. */
import { type Disagreements, disagreements, NO_DISAGREEMENTS, type Verdict } from '../core/reader/disagreements'
import type { Slice } from '../core/reader/read'
import type { Found } from './found'

const known = new WeakMap<Found, Disagreements>()

export function disagreementsIn(found: Found): Disagreements {
  const before = known.get(found)
  if (before) return before
  const told =
    found.evidence.length > 1 || found.evidence[0]?.earlier ? disagreements(found.evidence, found.terms, found.at) : NO_DISAGREEMENTS
  known.set(found, told)
  return told
}

/** What a judge has said about its statements (judge-disagreements.ts) counts from now on. */
export function settleBy(found: Found, verdict: Verdict): void {
  known.set(found, disagreements(found.evidence, found.terms, found.at, verdict))
}

/** For a model that writes: rules that name sources only by their numbers. */
export function rulesFor({ superseded, conflicts }: Disagreements): readonly string[] {
  const replaced = superseded.flatMap(({ current, replaced: older }) =>
    older.map(
      (one) =>
        `Source [${current.marker}] has replaced [${one.marker}] and says otherwise: answer by [${current.marker}], and say what it replaced.`,
    ),
  )
  const contrary = conflicts.map(({ statements }) => {
    const markers = [...new Set(statements.map((one) => `[${one.marker}]`))]
    return `Sources ${markers.join(' and ')} contradict each other: say what each of them says.`
  })
  return [...new Set([...replaced, ...contrary])]
}

/** Numbers of the evidence whose sentence was read although a newer document says otherwise. */
export function replacedIn(
  { superseded }: Disagreements,
  read: readonly (Slice & { readonly marker: number; readonly from: number })[],
): ReadonlySet<number> {
  const older = superseded.flatMap(({ replaced }) => replaced)
  const markers = read.flatMap(({ marker, from, start, end }) =>
    older.some((one) => one.marker === marker && one.start < from + end && from + start < one.end) ? [marker] : [],
  )
  return new Set(markers)
}

/** In the form in which answers contain them. */
export function toldOf({ superseded, conflicts }: Disagreements) {
  return { ...(superseded.length > 0 ? { superseded } : {}), ...(conflicts.length > 0 ? { conflicts } : {}) }
}
