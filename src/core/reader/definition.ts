/** Does a sentence say what something is, or what it stands for? "The tern is a bird", "… is called an echo sounder", "Low Water Mark (LWM)". */
import type { Question } from './question'
import { initialsIn } from './said'

const ASKED =
  /^(?:what|who) (?:is|are|was|were) (?:meant by )?(?:an? |the )?([^?]{2,40}?)\s*\?*$|^what (?:does|do) (?:an? |the )?([^?]{2,40}?) (?:mean|stand for)\s*\?*$/iu
const IS = '(?:is|are|was|were|means?|refers? to|stands? for|denotes?)'
const CALLED = '(?:called|known as|termed|short for|abbreviated(?: to| as)?|defined as)'

interface Defining {
  /** It is the subject that the sentence opens with, or what something is called. */
  readonly said: RegExp
  /** It stands in brackets behind its words, or they behind it. */
  readonly expanded: RegExp
}

const patterns = new WeakMap<Question, Defining | undefined>()

/** 0 not at all, 1 by brackets behind it, 2 in words. */
export function definesAsked(question: Question, sentence: string): 0 | 1 | 2 {
  const known = patterns.has(question) ? patterns.get(question) : definingOf(question)
  patterns.set(question, known)
  if (!known) return 0
  if (known.said.test(sentence)) return 2
  return known.expanded.test(sentence) ? 1 : 0
}

function definingOf({ text }: Question): Defining | undefined {
  const match = ASKED.exec(text)
  const thing = (match?.[1] ?? match?.[2])?.replaceAll(/[^\p{L}\p{N} ]/gu, '.')
  if (!thing) return undefined
  const short = /^\p{Lu}{2,6}s?$/u.test(thing)
  const one = `${thing}(?:s|es)?`
  const quoted = `["“*_]{0,2}${one}["”*_]{0,2}(?: \\([^)]*\\))?`
  return {
    said: new RegExp(
      [
        `^(?:an? )?${quoted} ${IS}(?!\\p{L})`,
        `^the ${quoted} ${IS} (?:an?|the|any|one|what|when)(?!\\p{L})`,
        `^(?:an? |the )?${quoted}: `,
        `(?<!\\p{L})${CALLED} (?:[^.;:,]{0,40}[\\s("“*_])?${one}(?!\\p{L})`,
      ].join('|'),
      'iu',
    ),
    expanded: short
      ? new RegExp(`\\p{L} \\(${one}\\)|(?<!\\p{L})${thing} \\(\\p{L}`, 'u')
      : new RegExp(`(?<!\\p{L})${thing} \\(\\p{Lu}{2,6}\\)`, 'iu'),
  }
}

/** "What is a kiln?" */
const BARE = /^what (?:is|are) an? [^\s?]+(?: [^\s?]+)?\s*\?*$/iu

/** "What does RFS mean?" */
const SHORT = /^[Ww]hat (?:does|do) (?:an? |the )?(\p{Lu}{2,6}) (?:mean|stand for)\s*\?*$/u

/** Does it say the words that an abbreviation stands for, or what it is? */
function expands(short: string, text: string): boolean {
  const beside = `\\p{L} \\(${short}\\)|(?<!\\p{L})${short} ?(?:\\(\\p{L}|[:=–—] ?\\p{L}|(?:is|are) (?:an?|the|short) |means|stands for|refers to)`
  return (
    new RegExp(`${beside}|(?<!\\p{L})${CALLED} [^.;:]{0,40}${short}(?!\\p{L})`, 'u').test(text) ||
    initialsIn(text).includes(short.toLowerCase())
  )
}

/** It asks what a thing is, and nothing shown says it. */
export function lacksDefinition(question: Question, texts: readonly string[]): boolean {
  if (question.kind !== 'definition') return false
  const short = SHORT.exec(question.text)?.[1]
  if (short !== undefined) return !texts.some((text) => expands(short, text))
  if (!BARE.test(question.text)) return false
  const thing = ASKED.exec(question.text)?.[1]?.replaceAll(/[^\p{L}\p{N} ]/gu, '.') ?? ''
  const apposed = new RegExp(
    `(?<!\\p{L})${thing}(?:s|es)?, (?:an?|the|which|or|\\p{Ll}+ (?:of|that|which|who|with))(?!\\p{L})|(?<!\\p{L})(?:the|an?) ${thing} (?:is|was) `,
    'iu',
  )
  return !texts.some((text) => definesAsked(question, text) > 0 || apposed.test(text))
}
