/**
 * The terms that a text says: its own, those of the base forms of irregular English verbs ("rewrote" says "rewrite", "written" says "write"), which
 * stemming does not join, and those of the parts of a name written as one word ("AnnaBerg").
 */
import { IRREGULAR } from '../support/lexicon/en'
import { readTerms as terms } from '../text/read-terms'

/** "American Automobile Association" also says "AAA". */
const RUN = /\p{Lu}[\p{L}-]+(?: (?:of |the |and |for )*\p{Lu}[\p{L}-]+){1,5}/gu
/** These are forms of another verb too: "founded" has the stem "found". */
const AMBIGUOUS = new Set(['found', 'left', 'lay', 'saw', 'felt', 'lit', 'bore'])
const PREFIXES = ['re', 'over', 'under', 'out', 'mis', 'un']
const JOINED = /(\p{Ll})(?=\p{Lu})/gu
const BASES = new Map(
  IRREGULAR.split(' ').flatMap((pair) => {
    const [form = '', base = ''] = pair.split(':')
    return AMBIGUOUS.has(form) ? [] : [[terms(form)[0] ?? '', base] as const]
  }),
)

/** The term of its base form; undefined for most words. */
export function baseOf(term: string): string | undefined {
  const base = BASES.get(term)
  if (base !== undefined) return terms(base)[0]
  for (const prefix of PREFIXES) {
    const rest = term.slice(prefix.length)
    const inner = term.startsWith(prefix) ? (BASES.get(rest) ?? BASES.get(`${rest}e`)) : undefined // the stem of "rewrote" is "rewrot"
    if (inner !== undefined) return terms(prefix + inner)[0]
  }
  return undefined
}

/** Of names of several words, in lower case. */
export function initialsIn(text: string): string[] {
  return [...text.matchAll(RUN)].map(([run]) => {
    const initials =
      run
        .replace(/^(?:The|An?) /u, '')
        .replace(/(?<!\p{L})(?!\p{Lu})\p{L}+/gu, '')
        .match(/(?<!\p{L})\p{Lu}/gu) ?? []
    return initials.join('').toLowerCase()
  })
}

export function termsSaid(text: string): ReadonlySet<string> {
  const said = new Set(terms(text))
  for (const term of [...said]) {
    const base = baseOf(term)
    if (base !== undefined) said.add(base)
  }
  for (const initials of initialsIn(text)) said.add(initials)
  const parted = text.replace(JOINED, '$1 ')
  if (parted.length > text.length) for (const term of terms(parted)) said.add(term)
  return said
}
