/**
 * The name that a text gives itself in its first sentence: "Marie Curie (7 November 1867 – 4 July 1934) was a physicist" is about Marie Curie. It
 * is what stands before the bracket, the copula or the clause, if it looks like a name; a heading or a line of its own is taken whole. Rules, no
 * model; '' if nothing is sensible.
 */
import { borderBefore } from './borders'
import { sentences } from './sentences'

const max = {
  window: 600, // code units of the text that are read
  words: 8, // in a name
  characters: 24, // in a name in a script without spaces
  plain: 4, // words in a lower-case name ("bowling pins are …")
} as const

const COPULA = /^(?:is|was|are|were|may|refers|refer|ist|sind|wurde|est|était|sont|es|fue|è|é|foi|был|была|это|\u0647\u0648|\u0647\u064a)$/u
const OPENING = /^[\s#>*_`"'“”‘’„«»‹›「『《〈【]+/u
const CLOSING = /[\s*_`"'“”‘’„«»‹›」』》〉】.,;:!?–—-]+$/u
const HEADING = /^#{1,6} +([^\n]+)/
const GLUED = /(?<=\S)([([（【])/g // "Martin Copping( born 1977)"
const BRACKET = /^[([（【]/
/** A clause, an aside or a dash ends the name. */
const BREAK = /[,;:，；：、]["'”’»]*$/
const DASH = /^[–—]$/
const CAPITAL = /^["'“”‘’«(]*[\p{Lu}\p{Lt}\p{N}]/u
const UPPER = /[\p{Lu}\p{Lt}]/u
const CASED = /\p{Lu}|\p{Ll}/u
const CASELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const CASELESS_END = /[\s，。、（(【「『：；:;！？!?,]|とは|は|が|是|為|为|이란|은 |는 /u
/** Small words inside a name. */
const INNER = new Set(
  'of the de la von van der den du del di da do dos das des le les y al el bin zu zur for in and & at on a to with'.split(' '),
)
/** A text that begins with one of these says elsewhere what it is about. */
const OPENERS = new Set(
  (
    'it he she they we you i this that these those there here his her its their our my in on at by from with during after before since until when while if although because however as for ' +
    'about according following under over between among through today now later but so then thus also'
  ).split(' '),
)
const ARTICLES = /^(?:a|an|the)$/i
const DIGIT = /\p{N}/u
const QUOTED = /^["“«‘„「『《]([^"”»’“」』》]{1,80})["”»’“」』》]\s*([^\s]+)/u
const NAMELESS = /^(?:the )?(?:following|term|name|word|first|last|list)$/i

export function leadPhrase(text: string): string {
  const head = text.slice(0, borderBefore(text, 0, Math.min(text.length, max.window)))
  const first = sentences(head)[0]
  if (!first) return ''
  const sentence = head.slice(first.start, first.end)
  const heading = HEADING.exec(sentence)?.[1]
  if (heading !== undefined) return clean(heading)
  const quoted = QUOTED.exec(sentence)
  if (quoted && (COPULA.test(quoted[2] ?? '') || /^[(（,–—]/u.test(quoted[2] ?? ''))) return clean((quoted[1] ?? '').replace(/\(.*\)/, ''))
  const opened = sentence.replace(OPENING, '')
  if (CASELESS.test(opened)) return caseless(opened)
  return named(opened, alone(head, first.end))
}

/** Does a line of its own end here? */
function alone(text: string, end: number): boolean {
  return /^[^\S\n]*\n/.test(text.slice(end, end + 40)) && !/[.!?…:]["'”’)]*$/.test(text.slice(Math.max(0, end - 4), end))
}

function named(sentence: string, line: boolean): string {
  const words = sentence.replace(GLUED, ' $1').split(/\s+/u)
  const end = nameEnd(words)
  const phrase = words.slice(0, end.at)
  if (OPENERS.has((words[0] ?? '').toLowerCase().replace(CLOSING, '')))
    return end.kind === 'strong' && titled(phrase) ? clean(phrase.join(' ')) : ''
  if (line && words.length <= max.words && !sentence.includes(':')) return clean(sentence)
  const name = end.kind !== 'none' && sensible(phrase) ? firstName(phrase) : capitalised(words)
  const bare = name.length > 1 && ARTICLES.test(name[0] ?? '') ? name.slice(1) : name
  const cleaned = clean(bare.join(' '))
  return NAMELESS.test(cleaned) ? '' : cleaned
}

/** A work may be called "He Knows You're Alone"; "In 2004 he was …" gives a time. */
function titled(phrase: readonly string[]): boolean {
  return phrase.length > 2 && phrase.every((word) => !DIGIT.test(word) && (CAPITAL.test(word) || INNER.has(word)))
}

/** "Dai Jitao or Tai Chi-t'ao" has two names; "Trick or Treat" is one. */
function firstName(phrase: readonly string[]): readonly string[] {
  const or = phrase.indexOf('or')
  return or > 1 && phrase.length - or > 2 ? phrase.slice(0, or) : phrase
}

interface End {
  /** The name is the words before this place. */
  readonly at: number
  /** Strong: a bracket, a dash or a verb that says what the name is. */
  readonly kind: 'strong' | 'comma' | 'none'
}

function nameEnd(words: readonly string[]): End {
  const last = Math.min(words.length, max.words + 1)
  for (let at = 1; at <= last; at++) {
    const word = words[at] ?? ''
    if (BREAK.test(words[at - 1] ?? '')) {
      const place = placeAfter(words, at)
      if (place === 0) return { at, kind: (words[at - 1] ?? '').includes(':') ? 'none' : 'comma' }
      at += place - 1
    } else if (BRACKET.test(word) || COPULA.test(word) || DASH.test(word)) return { at, kind: 'strong' }
  }
  return { at: 0, kind: 'none' }
}

/** "Fort Wayne, Indiana is …": how many capitalised words after the comma lead straight to the copula; 0 if they do not. */
function placeAfter(words: readonly string[], at: number): number {
  let end = at
  while (end < max.words && (CAPITAL.test(words[end] ?? '') || INNER.has(words[end] ?? '')) && !BREAK.test(words[end] ?? '')) end++
  const next = words[end] ?? ''
  return end > at && (COPULA.test(next) || BRACKET.test(next)) ? end - at : 0
}

function sensible(phrase: readonly string[]): boolean {
  if (phrase.length === 0 || phrase.length > max.words) return false
  if (!CASED.test(phrase.join(''))) return true
  const small = phrase.filter((word) => !CAPITAL.test(word) && !INNER.has(word)).length
  if (small === 0) return true
  // A lower-case phrase with joining words inside is a description, not a name: "summers in the state are …".
  const joints = phrase.slice(1).filter((word) => INNER.has(word) && word !== 'of' && word !== 'the').length
  return joints === 0 && (phrase.length <= max.plain || small <= 1)
}

/** The capitalised run at the beginning of the sentence, if it has at least two words. */
function capitalised(words: readonly string[]): string[] {
  let end = 0
  let solid = 0
  for (; end < words.length && end < max.words; end++) {
    const word = words[end] ?? ''
    if (CAPITAL.test(word)) solid = end + 1
    else if (!INNER.has(word)) break
    if (BREAK.test(word)) break
  }
  const run = words.slice(0, solid)
  const strong = run.filter((word) => UPPER.test(word) && !INNER.has(word.toLowerCase()))
  return strong.length >= 2 ? run : []
}

function caseless(sentence: string): string {
  const end = sentence.search(CASELESS_END)
  const name = end > 0 ? sentence.slice(0, end) : sentence
  return name.length <= max.characters ? clean(name) : ''
}

function clean(phrase: string): string {
  const name = phrase.replace(OPENING, '').replace(CLOSING, '').replace(/\s+/gu, ' ')
  return name.split(' ').length <= max.words + 2 ? name : ''
}
