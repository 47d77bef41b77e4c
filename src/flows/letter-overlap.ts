/** The share of a statement's letter triples that occur in a text: a check against invention, not of truth, in any language. */
import { folded } from './occurs'

/** Share of a statement's letter triples that must occur in the text: it restates it, it does not add to it. */
const BORNE = 0.4

/** Does a text say what another says of it? */
export function hasSupportFor(source: string, claim: string): boolean {
  return isBorne(folded(claim), triplesOf(folded(source)))
}

/** `statement` already folded. */
export function isBorne(statement: string, known: ReadonlySet<string>): boolean {
  return share(statement, known) >= BORNE
}

export function triplesOf(value: string): ReadonlySet<string> {
  const letters = lettersOf(value)
  return new Set(letters.map((_, i) => letters.slice(i, i + 3).join('')))
}

function share(value: string, known: ReadonlySet<string>): number {
  const letters = lettersOf(value)
  const own = letters.slice(0, Math.max(1, letters.length - 2)).map((_, i) => letters.slice(i, i + 3).join(''))
  return letters.length === 0 ? 0 : own.filter((triple) => known.has(triple)).length / own.length
}

function lettersOf(value: string): string[] {
  return [...value].filter((c) => /[\p{L}\p{N}]/u.test(c))
}
