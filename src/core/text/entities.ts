/**
 * Names in a text without a model, for any script: runs of capitalised words, quoted and bracketed titles, dates, Katakana runs, Latin runs inside
 * caseless scripts. Rules instead of an NLP library because capitals and quotation marks find more of the names that link texts, in 1/20 of the
 * time and without adding to the bundle (docs/cluerag.md has the measurement). One pass, linear in the text.
 */
import { GERMAN_OPENERS, germanNames, joinsInGerman, type Word } from './german-nouns'
import { isIdentifier, isSentence, withoutCode } from './nameless'
import { nameKey } from './names'
import { ADVERBS, LABELS, OPENERS, REFERENCES } from './openers'

/**
 * Counts up with each release in which the same text gives other names: corpora indexed with a lower number are told to find theirs again. A test
 * knows what they find.
 */
export const NAME_RULES = 3

export interface Mention {
  /** Identity of the entity: `nameKey` of the surface. */
  readonly key: string
  readonly surface: string
  readonly type: 'name' | 'title' | 'date'
  /** UTF-16 offsets in the text. */
  readonly start: number
  readonly end: number
}

const limits = {
  words: 10, // longest name; a longer run is a heading
  characters: 120,
} as const

const WORD = /(?:\p{Lu}\.){2,}|[\p{L}\p{M}\p{N}]+(?:['’.\-–&/][\p{L}\p{M}\p{N}]+)*/gu
const CAPITAL = /^[\p{Lu}\p{Lt}]/u
const NUMBER = /^\p{N}/u
const CASELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const KATAKANA = /[\p{Script=Katakana}ー][\p{Script=Katakana}ー・＝]{2,}/gu
const QUOTED = /["“„«]([^"“”„«»\n]{2,80})["”“»]|[「『《〈【]([^「」『』《》〈〉【】\n]{1,40})[」』》〉】]/gu
const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)'
const DATE = new RegExp(
  `\\d{1,2}\\.? ${MONTH}\\.? \\d{4}|${MONTH}\\.? \\d{1,2}, \\d{4}|\\b${MONTH}\\.? \\d{4}\\b|\\d{4}-\\d{2}-\\d{2}|\\d{4}年\\d{1,2}月(?:\\d{1,2}日)?`,
  'gu',
)
/** Stands between a name and where or when it was: the two sides are names, the whole is not ("Analytical Engine in London"). */
const ADJUNCT = 'in'
/** Stands before a year, which is then not part of the name after it: "In 1824 Byron". */
const BEFORE_YEAR = /(?:^|[^\p{L}\p{N}])(?:in|by|since|until|till|before|after|from|during|around|circa)\s+$/iu
const YEAR = /^[12]\d{3}$/u
/** A number and a plural are a count: "860 Receipts". */
const PLURAL = /^\p{Lu}[\p{L}\p{M}]+s$/u
const PLACE_IN_TEXT = new Set('Figure Fig Table Chapter Section Page Step Appendix Equation'.split(' '))
/** Small words that may stand inside a name, never at its edge. */
const INNER = new Set('of the de la von van der den du del di da dos das des le les y al el bin zu zur for in ap ibn à och og'.split(' '))
const ABBREVIATED = new Set('St Dr Mr Mrs Ms Jr Sr Lt Col Gen Prof Rev Capt Mt Ft No vs'.split(' '))
/** These stand before a name and are not part of it. */
const RANKS = new Set(
  'President Senator Governor Mayor King Queen Prince Princess Emperor Empress Pope Bishop Sir Dame Lord Lady Dr Mr Mrs Ms Prof Professor General Colonel Captain Major Judge Justice Saint St Minister Chancellor Secretary Director Coach'.split(
    ' ',
  ),
)
/** Days and months that are nothing else; "May", "April" and the like are also people. */
const CALENDAR = new Set(
  (
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri January February March July September October November December ' +
    'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag Januar Februar März Mai Juni Juli Oktober Dezember'
  ).split(' '),
)
/** Names that are spelled like small words except for their capitals. */
const SHORT_NAMES = new Set(['WHO', 'IT', 'US'])

/** What may stand before the first word of a line: marks of headings, items, tasks, quotations, emphasis, cells, opening quotes. */
const MARKS = /^[\s#>*_•+\-|"“„«‚‘(]*(?:\d{1,3}[.)]\s+)?(?:\[[ xX]?\]\s+)?[\s*_"“„«‚‘]*$/u
const LONGEST_MARKS = 16
const IN_BRACKETS = /[([]$/u

/** Every name, in order of place; the same key may occur often. Spans may nest: "University of Oslo" also gives "Oslo". `language`: the text's, if known. */
export function entities(written: string, language?: string): Mention[] {
  const text = withoutCode(written)
  const isGerman = language === 'de'
  const dates = found(text, DATE, 'date')
  const quoted = found(text, QUOTED, 'title').filter(
    ({ surface }) => (CAPITAL.test(surface) && !isSentence(surface)) || CASELESS.test(surface),
  )
  const scripts = found(text, KATAKANA, 'name')
  const parts = capitalised(text, dates, isGerman).flatMap((run) => withoutAdjuncts(text, run))
  const runs = (isGerman ? parts.flatMap((part) => germanNames(text, part)) : parts).flatMap((part) => mentions(text, part))
  const all = [...dates, ...quoted, ...scripts, ...runs]
  const usable = all.filter((one) => one.key !== '' && one.surface.length <= limits.characters)
  return usable.sort((a, b) => a.start - b.start || b.end - a.end || (a.type < b.type ? -1 : 1))
}

function found(text: string, pattern: RegExp, type: Mention['type']): Mention[] {
  return [...text.matchAll(pattern)].map((match) => {
    const surface = (match[1] ?? match[2] ?? match[0]).replace(/[.,;:!?]+$/u, '')
    const start = match.index + match[0].indexOf(surface)
    return { key: nameKey(surface), surface, type, start, end: start + surface.length }
  })
}

/** Runs of capitalised words and the small words between them, without sentence openers; a date ends a run. */
function capitalised(text: string, dates: readonly Mention[], isGerman: boolean): Word[][] {
  const runs: Word[][] = []
  let run: Word[] = []
  let date = 0
  const close = (): void => {
    while (run.length > 0 && INNER.has(run[run.length - 1]?.text ?? '')) run.pop()
    if (run.length > 0) runs.push(run)
    run = []
  }
  for (const match of text.matchAll(WORD)) {
    const word = { text: match[0], start: match.index, end: match.index + match[0].length }
    while ((dates[date]?.end ?? text.length) <= word.start) date++
    const dated = (dates[date]?.start ?? text.length) <= word.start
    if (dated || !joined(text, run, word)) close()
    if (!dated && belongs(text, run, word, isGerman)) run.push(word)
    else close()
  }
  close()
  return runs
}

/** Do the run and the word belong to one name, as far as the text between them shows? "G. W. Bush", "St. Louis", "Marks & Spencer". */
function joined(text: string, run: readonly Word[], word: Word): boolean {
  const last = run[run.length - 1]
  if (!last) return true
  const gap = text.slice(last.end, word.start)
  return gap === ' ' || gap === ' & ' || (gap === '. ' && (/^\p{Lu}$/u.test(last.text) || ABBREVIATED.has(last.text))) || gap === '.'
}

function belongs(text: string, run: readonly Word[], word: Word, isGerman: boolean): boolean {
  if (CAPITAL.test(word.text)) return !isIdentifier(word.text) && (run.length > 0 || !opener(text, word, isGerman))
  if (NUMBER.test(word.text)) return true
  const last = run[run.length - 1]
  return last !== undefined && (isGerman ? joinsInGerman(last.text, word.text) : INNER.has(word.text))
}

function opener(text: string, word: Word, isGerman: boolean): boolean {
  if (/^\p{Lu}{2,}$/u.test(word.text)) return false
  const folded = word.text.toLowerCase()
  const opens = OPENERS.has(folded)
  if (opens && word.text.length < 3) return true
  if (!isGerman && REFERENCES.has(folded) && (startsSentence(text, word.start) || IN_BRACKETS.test(text[word.start - 1] ?? ''))) return true
  if (!opens && !ADVERBS.has(folded) && !LABELS.has(folded) && !(isGerman && GERMAN_OPENERS.has(folded))) return false
  return startsSentence(text, word.start) && (!LABELS.has(folded) || opens || /^\**:/u.test(text.slice(word.end, word.end + 3)))
}

/** Is this a word that opens sentences or questions, whatever its capital? */
export function isOpener(word: string): boolean {
  return OPENERS.has(word.toLowerCase())
}

/** Does a sentence, a line or a quotation begin here? */
export function startsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd()
  if (before === '' || /[.!?:;。！？…)"“”„«\n]$/u.test(before) || text[at - 1] === '\n') return true
  const line = text.lastIndexOf('\n', at - 1) + 1
  return at - line <= LONGEST_MARKS && MARKS.test(text.slice(line, at))
}

/** The names on both sides of an "in", without a year that follows such a word. */
function withoutAdjuncts(text: string, run: readonly Word[]): Word[][] {
  const parts: Word[][] = [[]]
  run.forEach((word, i) => {
    const isTitled = word.text === 'In' && NUMBER.test(run[i + 1]?.text ?? '') // in a heading: "Missolonghi In 1824"
    if (word.text === ADJUNCT || isTitled) parts.push([])
    else parts[parts.length - 1]?.push(word)
  })
  return parts.map((part) => {
    while (INNER.has(part[0]?.text ?? '')) part.shift()
    while (INNER.has(part[part.length - 1]?.text ?? '')) part.pop()
    const [first] = part
    const isDated = first && YEAR.test(first.text) && BEFORE_YEAR.test(text.slice(Math.max(0, first.start - 12), first.start))
    return isDated ? part.slice(1) : part
  })
}

/**
 * The run itself; if small words join it, each part too, so that "University of Oslo" also names "Oslo" (a single word before the first joint is a
 * kind, not a name); and after a rank the rest, so that "President Barack Obama" names the man.
 */
function mentions(text: string, run: readonly Word[]): Mention[] {
  const parts: Word[][] = [[]]
  for (const word of run) {
    if (INNER.has(word.text)) parts.push([])
    else parts[parts.length - 1]?.push(word)
  }
  const spans = parts.length > 1 ? [run, ...parts.filter((part, i) => i > 0 || part.length > 1)] : [run]
  const ranked = spans.flatMap((span) =>
    span.length > 1 && RANKS.has(span[0]?.text ?? '') && !INNER.has(span[1]?.text ?? '') ? [span.slice(1)] : [],
  )
  return [...spans, ...ranked].flatMap((span) => named(text, span))
}

function named(text: string, words: readonly Word[]): Mention[] {
  const first = words[0]
  const last = words[words.length - 1]
  if (!first || !last || words.length > limits.words) return []
  const capitals = words.some((word) => /\p{Lu}/u.test(word.text))
  const isSmall = OPENERS.has(first.text.toLowerCase()) && !SHORT_NAMES.has(first.text)
  const weak = words.length === 1 && (first.text.length < 2 || isSmall || RANKS.has(first.text) || CALENDAR.has(first.text))
  if (!capitals || weak || isCounted(words)) return []
  const surface = text.slice(first.start, last.end)
  return [{ key: nameKey(surface), surface, type: 'name', start: first.start, end: last.end }]
}

/** Is it a count of things, or a place in a text? */
function isCounted([first, second, ...more]: readonly Word[]): boolean {
  if (!first || !second || more.length > 0) return false
  if (NUMBER.test(second.text)) return PLACE_IN_TEXT.has(first.text)
  return /^[\d.,]+$/u.test(first.text) && !YEAR.test(first.text) && PLURAL.test(second.text)
}
