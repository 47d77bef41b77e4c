/**
 * What a model says instead of a reply: it repeats the instructions, loops, says that it cannot, or writes in another language. Small and base models do
 * all of this. Pure; whether a reply is true is not checked here.
 */
import { surelyIn } from '../core/language/detect'
import type { Language } from '../core/text/languages'
import { sentences } from '../core/text/sentences'
import { distinct, terms } from '../core/text/terms'

const limits = {
  phrase: 4, // words in a row by which two texts are compared
  echoed: 0.3, // share of a reply's phrases that only the instructions have
  given: 0.2, // share of a reply's subject words in the material, below which it is about something else
  told: 0.4, // and their share in the instructions, above which it is about them
  period: 400, // words and marks of the longest passage that counts as repeated
  times: 3, // that it must occur, in full
  letters: 3, // of a word that counts
  shared: 3, // words of the material that a text restating it contains, at least; fewer if the material has few:
  few: 5, // words in the material for each word required
  words: 16, // and marks, repeated at least: "no, no, no" is not a loop
} as const

const WORD = /[\p{L}\p{N}]+/gu
const FENCE = /<\/?data [\w-]{10}>/
// In `a_a_a` each letter counts too, and so does each character of a script without word spaces.
const SPOKEN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu
const REFUSAL =
  /^\W*(?:(?:i(?:['’]m| am) (?:very |so )?sorry|sorry, (?:but )?i|i (?:cannot|can['’]?t|am unable to|am not able to)|as an ai|(?:es tut mir leid|entschuldigung|ich kann (?:das|dies|diese|leider|nicht))|je suis désolée?|je ne peux pas|lo siento|no puedo)\b)/iu

/** Does it refuse, although the material does not use such words itself? */
export function isRefusal(reply: string, material: string): boolean {
  return REFUSAL.test(reply) && !REFUSAL.test(material)
}

/** Does it repeat the instructions? What the material also says is not an echo. */
export function isEcho(reply: string, instructions: string, material: string): boolean {
  if (phrasesOf(reply).length === 0) return false
  return repeats(reply, instructions, material) || isAboutInstructions(reply, instructions, material)
}

/** Word by word: an answer may well be about what its instructions are about. */
export function repeats(reply: string, instructions: string, material: string): boolean {
  const own = phrasesOf(reply)
  if (own.length === 0) return false
  const told = new Set(phrasesOf(instructions))
  const given = new Set(phrasesOf(material))
  const echoed = own.filter((phrase) => told.has(phrase) && !given.has(phrase)).length
  return echoed >= limits.echoed * own.length
}

/** In other words: almost none of what it is about is in the material, and much of it in the instructions. */
function isAboutInstructions(reply: string, instructions: string, material: string): boolean {
  const about = distinct(terms(reply))
  const shareIn = (text: string) => {
    const known = new Set(terms(text))
    return about.filter((term) => known.has(term)).length / about.length
  }
  return about.length > 0 && shareIn(material) < limits.given && shareIn(instructions) >= limits.told
}

function phrasesOf(text: string): string[] {
  const words = (text.toLowerCase().match(WORD) ?? []).slice(0, 5000)
  return words.slice(limits.phrase - 1).map((_, i) => words.slice(i, i + limits.phrase).join(' '))
}

/** Does it say almost nothing of what the material says, although it should summarise it? A word that a text has ordered is not a summary of it. */
export function isElsewhere(reply: string, material: string): boolean {
  const said = new Set(distinct(terms(reply)))
  const given = distinct(terms(material)).filter((term) => term.length >= limits.letters)
  const shared = given.filter((term) => said.has(term)).length
  return shared < Math.min(limits.shared, Math.floor(given.length / limits.few))
}

/** In a known language other than the material's. */
export function isForeign(reply: string, material: string): boolean {
  const [wanted, found] = [surelyIn(material), surelyIn(reply)]
  return wanted !== undefined && found !== undefined && kin(wanted) !== kin(found)
}

/** Languages so similar that the words of a short text do not tell them apart. */
function kin(language: Language): Language {
  if (language === 'da' || language === 'no') return 'sv'
  return language === 'bg' || language === 'sr' ? 'ru' : language
}

/**
 * A text that ends in the same words again and again, cut after their first occurrence; the same text if it does not. Numbers that count up
 * are the same word; a last word cut in half is any word that begins so. `times`: how often they must occur.
 */
export function withoutLoop(text: string, times: number = limits.times): { readonly text: string; readonly isLoop: boolean } {
  const spoken = [...text.matchAll(SPOKEN)]
  const all = spoken.map(([word]) => word.replace(/\d+/g, '0'))
  const last = all.at(-1) ?? ''
  for (let period = 1; period <= Math.min(limits.period, Math.floor(all.length / times)); period++) {
    const isHalf = all.length > period && all[all.length - 1 - period]?.startsWith(last.replace(/0$/, ''))
    const words = isHalf ? all.slice(0, -1) : all
    let same = 0
    while (same < words.length - period && words[words.length - 1 - same] === words[words.length - 1 - same - period]) same++
    if (same + period < Math.max(times * period, limits.words)) continue
    const at = words.length - same - 1
    const first = spoken[/[.!?]/.test(spoken[at + 1]?.[0] ?? '') ? at + 1 : at]
    return { text: first ? text.slice(0, first.index + first[0].length) : text, isLoop: true }
  }
  return { text, isLoop: false }
}

/** Without the marks of the fence (fence.ts) around repeated text, and without anything after another mark. */
export function unmarked(text: string): string {
  const bare = text.replace(/^\s*<data [\w-]{10}>/, '')
  const end = bare.search(FENCE)
  return (bare.slice(0, end < 0 ? bare.length : end) || bare.replaceAll(new RegExp(FENCE, 'g'), '')).trim()
}

/** Without the sentence that a cut left unfinished; empty if there is no other. */
export function wholeSentences(text: string): string {
  const all = sentences(text)
  const last = all.at(-1)
  if (!last || /[.!?…。！？।۔]["'”’»)\]]*$/u.test(text.slice(last.start, last.end))) return text
  return text.slice(0, all.at(-2)?.end ?? 0)
}
