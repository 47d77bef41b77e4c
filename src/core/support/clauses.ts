/**
 * The clauses of a sentence, as far as a check needs them: how far a "not" reaches, and which statement of a long sentence each part of a claim
 * belongs to. Cut at punctuation and at the words that join clauses; what states nothing by itself (an apposition, an item in a list) stays with
 * its neighbour. Pure.
 */
import type { Rules } from './grammar/languages'
import type { Word } from './word'

export interface Clause {
  readonly words: readonly Word[]
  /** Place of its first word in the sentence. */
  readonly at: number
  /** Does it say that something is not so? */
  readonly isNegated: boolean
  readonly isPassive: boolean
  /** Is it about what stands before it ("which …")? */
  readonly isRelative: boolean
  /** Places in the sentence of words after "without". */
  readonly lacking: ReadonlySet<number>
  /** Places of words after "except". */
  readonly excepted: ReadonlySet<number>
}

const CUTS = /^[,;:()[\]—–"“”„«»…]$/
const GERMAN_RELATIVE = /^(?:der|die|das|dem|den|deren|dessen)$/

export function clausesOf(words: readonly Word[], rules: Rules): Clause[] {
  const spans: { from: number; to: number }[] = []
  let from = 0
  const cut = (to: number): void => {
    if (to > from) spans.push({ from, to })
    from = to
  }
  for (const [i, word] of words.entries()) {
    if (word.kind === 'sign' && (CUTS.test(word.text) || /^[.!?]$/.test(word.text))) cut(i + 1)
    else if (i > from && opensClause(words, i)) cut(i)
  }
  cut(words.length)
  return joined(words, spans).map((span) => clause(words, span, rules))
}

function opensClause(words: readonly Word[], at: number): boolean {
  const word = words[at]
  // "a sample that he had collected", "held that the council"; not "that council"
  if (word?.low === 'that')
    return words[at - 1]?.kind === 'content' && (words[at + 1]?.kind === 'function' || words[at + 1]?.capital === true)
  // "none of which" begins before its pronoun.
  if (word?.role === 'negation') return words.slice(at + 1, at + 4).some((one) => one.role === 'relative') && words[at - 1]?.text === ','
  if (
    word?.role === 'relative' &&
    words
      .slice(Math.max(0, at - 3), at)
      .some((one) => one.role === 'negation' && one.kind === 'function' && !one.denies && one.low !== 'ne' && one.low !== 'n')
  )
    return false
  return (word?.role === 'conjunction' || word?.role === 'relative') && !inComparison(words, at)
}

/** "plus grand que", "más que": no clause begins there. */
export function inComparison(words: readonly Word[], at: number): boolean {
  const low = words[at]?.low ?? ''
  if (low !== 'que' && low !== 'qu') return false
  return words
    .slice(Math.max(0, at - 7), at)
    .some((word) => /^(?:plus|moins|aussi|autant|más|menos|tan|tanto|mayor|menor|mejor|peor)$/.test(word.low))
}

/** Parts that cannot stand alone join the part before them; the first joins the one after it. */
function joined(words: readonly Word[], spans: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const out: { from: number; to: number }[] = []
  for (const span of spans) {
    const last = out.at(-1)
    const denies = last !== undefined && words.slice(last.from, last.to).some((word) => word.denies)
    if (last && (denies || !stands(words, span) || !stands(words, last) || isApposition(words, span))) last.to = span.to
    else out.push({ ...span })
  }
  return out
}

/** In German only a clause does; an apposition ends in its noun. */
function endsInVerb(words: readonly Word[]): boolean {
  const last = words.findLast((word) => word.kind !== 'sign')
  return last !== undefined && !last.capital
}

/** "the owner, Denby Paper, and": names alone say nothing about themselves. */
function isApposition(words: readonly Word[], { from, to }: { readonly from: number; readonly to: number }): boolean {
  return words
    .slice(from, to)
    .every(
      (word) =>
        word.kind === 'sign' ||
        word.role === 'article' ||
        word.role === 'genitive' ||
        (word.kind === 'content' && word.capital && !word.first),
    )
}

function stands(words: readonly Word[], { from, to }: { readonly from: number; readonly to: number }): boolean {
  let said = 0
  for (let i = from; i < to; i++) {
    const word = words[i]
    if (word?.kind === 'content' || word?.kind === 'number' || word?.kind === 'date') said++
    if (word?.role === 'negation' && !word.affirmed) said++
  }
  return said >= 2
}

function clause(words: readonly Word[], { from, to }: { readonly from: number; readonly to: number }, rules: Rules): Clause {
  const own = words.slice(from, to)
  const opener = own[0]
  const afterComma = words[from - 1]?.text === ','
  const german =
    rules.grammar.language === 'de' && afterComma && opener !== undefined && GERMAN_RELATIVE.test(opener.low) && !own[1]?.capital
  return {
    words: own,
    at: from,
    // French and Spanish negate twice but mean it once; "not forbidden" is allowed.
    isNegated:
      own.some((word) => word.role === 'negation' && !word.affirmed && !word.denies) !==
      (own.filter((word) => word.denies).length % 2 === 1),
    isPassive: own.some((word) => word.role === 'passive'),
    isRelative: opener?.role === 'relative' || (german && endsInVerb(own)),
    lacking: lackingIn(own, from),
    excepted: exceptedIn(own, from),
  }
}

function exceptedIn(words: readonly Word[], from: number): Set<number> {
  const out = new Set<number>()
  const at = words.findIndex((word) => word.role === 'exception')
  for (let i = at + 1; at >= 0 && i < words.length; i++) {
    const word = words[i]
    if (word?.kind === 'sign' || word?.role === 'conjunction' || (word?.role === 'preposition' && i > at + 1)) break
    if (word?.kind === 'content') out.add(from + i)
  }
  return out
}

function lackingIn(words: readonly Word[], from: number): Set<number> {
  const out = new Set<number>()
  for (const [i, word] of words.entries()) {
    if (word.role !== 'lack') continue
    const next = words.findIndex((one, j) => j > i && one.kind === 'content')
    if (next >= 0) out.add(from + next)
  }
  return out
}
