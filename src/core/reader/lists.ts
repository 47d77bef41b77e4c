/** Items that are read with the sentence before them, or with each other. */
import type { Candidate } from './candidates'
import type { Question } from './question'
import { termsSaid } from './said'
import type { Slice } from './slices'

/** "The following printers are supported:" */
const LEADS_IN = /:\s*$/u

/** Does a list follow, of which the sentence only says what it is? */
export function leadsIn(one: Candidate, all: readonly Candidate[]): boolean {
  return LEADS_IN.test(one.text) && isNext(one, all[all.indexOf(one) + 1])
}

/**
 * A sentence that leads in a list is shown with it, and so is an item with those after it if its heading says something of the question that the
 * item does not. `limit`: characters in all.
 */
export function listFrom(first: Candidate, { terms: asked }: Question, all: readonly Candidate[], limit: number): Slice {
  const heading = termsSaid(first.heading)
  const isHeaded = first.isItem && asked.some((term) => heading.has(term) && !first.terms.has(term))
  if (!isHeaded && !leadsIn(first, all)) return first
  let { end } = first
  for (const next of all.slice(all.indexOf(first) + 1)) {
    if (!isNext(first, next) || next.end - first.start > limit) break
    end = next.end
  }
  return { ...first, end }
}

function isNext(first: Candidate, next: Candidate | undefined): next is Candidate {
  return next?.isItem === true && next.passage === first.passage && next.heads === first.heads
}
