/** How nearly a set of terms says a term: 1 where it is there, half where a word of the same family is. A number is said or it is not. */

const BEGINNING = 5 // letters two words must share at least to be of one family
const FAMILY = 0.5

export function nearly(term: string, said: ReadonlySet<string>): number {
  if (said.has(term)) return 1
  if (term.length < BEGINNING || /\p{N}/u.test(term)) return 0
  const beginning = term.slice(0, BEGINNING)
  for (const other of said) if (other.startsWith(beginning)) return FAMILY
  return 0
}
