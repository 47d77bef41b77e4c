/**
 * Names in a text without a model, for any script: runs of capitalised words, quoted and bracketed titles, dates, Katakana runs,
 * Latin runs inside caseless scripts. Rules instead of an NLP library because capitals and quotation marks find more of the names that
 * link texts, at 1/20 of the time and none of the bundle (docs/cluerag.md has the measurement). One pass, linear in the text.
 */
import { nameKey } from './names'

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
  words: 10, // longest name; longer runs are headings
  characters: 120,
} as const

const WORD = /(?:\p{Lu}\.){2,}|[\p{L}\p{M}\p{N}]+(?:['’.\-–&/][\p{L}\p{M}\p{N}]+)*/gu
const CAPITAL = /^[\p{Lu}\p{Lt}]/u
const NUMBER = /^\p{N}/u
const CASELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const KATAKANA = /[\p{Script=Katakana}ー][\p{Script=Katakana}ー・＝]{2,}/gu
const QUOTED = /["“„«]([^"“”„«»\n]{2,80})["”“»]|[「『《〈【]([^「」『』《》〈〉【】\n]{1,40})[」』》〉】]/gu
const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)'
const DATE = new RegExp(
  `\\d{1,2} ${MONTH}\\.? \\d{4}|${MONTH}\\.? \\d{1,2}, \\d{4}|\\d{4}-\\d{2}-\\d{2}|\\d{4}年\\d{1,2}月(?:\\d{1,2}日)?`,
  'gu',
)
/** Small words that may stand inside a name, never at its edge. */
const INNER = new Set(
  'of the de la von van der den du del di da dos das des le les y al el bin ibn zu zur for in on at to à och og'.split(' '),
)
/** What a capital at the start of a sentence says nothing about. */
const OPENERS = new Set(
  (
    'the a an this that these those it its he she they we you i his her their our your my who what when where which why how whose whom is are was were be been being do does did has have had can could will would ' +
    'should may might must shall not no yes if then else so but and or nor for of in on at to from by with without within into onto upon over under after before during since until while as about above ' +
    'against along among around because behind below beneath beside between beyond both despite down each either every few many more most much neither other others off once one only out own per same several ' +
    'some such than though through throughout together too toward towards two up very via whether yet all although also another any however moreover furthermore therefore thus there here now today ' +
    'later early recently originally currently formerly eventually finally first second third last next following according based born known named including like unlike'
  ).split(' '),
)

interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Every name, in order of place; the same key may occur often. Spans may nest: "University of Oslo" also gives "Oslo". */
export function entities(text: string): Mention[] {
  const dates = found(text, DATE, 'date')
  const quoted = found(text, QUOTED, 'title').filter((one) => CAPITAL.test(one.surface) || CASELESS.test(one.surface))
  const scripts = found(text, KATAKANA, 'name')
  const runs = capitalised(text).flatMap((run) => mentions(text, run))
  const all = [
    ...dates,
    ...quoted,
    ...scripts,
    ...runs.filter((run) => !dates.some((date) => run.start < date.end && run.end > date.start)),
  ]
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

/** Runs of capitalised words and the small words between them, sentence openers cut off. */
function capitalised(text: string): Word[][] {
  const runs: Word[][] = []
  let run: Word[] = []
  let last = 0
  const close = (): void => {
    while (run.length > 0 && !CAPITAL.test(run[run.length - 1]?.text ?? '') && !NUMBER.test(run[run.length - 1]?.text ?? '')) run.pop()
    if (run.length > 0) runs.push(run)
    run = []
  }
  for (const match of text.matchAll(WORD)) {
    const word = { text: match[0], start: match.index, end: match.index + match[0].length }
    const gap = text.slice(last, word.start)
    if (run.length > 0 && gap !== ' ' && gap !== ' & ') close()
    last = word.end
    const opens = run.length === 0
    if (CAPITAL.test(word.text) && !(opens && opener(text, word))) run.push(word)
    else if (NUMBER.test(word.text)) run.push(word)
    else if (!opens && INNER.has(word.text)) run.push(word)
    else if (!opens || run.length > 0) close()
  }
  close()
  return runs
}

function opener(text: string, word: Word): boolean {
  return (
    OPENERS.has(word.text.toLowerCase()) && !/^\p{Lu}{2,}$/u.test(word.text) && (startsSentence(text, word.start) || word.text.length < 3)
  )
}

function startsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd()
  return before === '' || /[.!?:;。！？…)"”\n]$/u.test(before) || text[at - 1] === '\n'
}

/** The run itself and, where small words join it, each part: "University of Oslo", "University", "Oslo" (single openers left out). */
function mentions(text: string, run: readonly Word[]): Mention[] {
  const parts: Word[][] = [[]]
  for (const word of run) {
    if (INNER.has(word.text)) parts.push([])
    else parts[parts.length - 1]?.push(word)
  }
  const spans = parts.length > 1 ? [run, ...parts] : [run]
  return spans.flatMap((span) => {
    const words = span.filter((word, i) => i > 0 || span.length > 1 || !OPENERS.has(word.text.toLowerCase()))
    const first = words[0]
    const last = words[words.length - 1]
    if (!first || !last || words.length > limits.words) return []
    if (!words.some((word) => /\p{Lu}/u.test(word.text)) || (words.length === 1 && first.text.length < 2)) return []
    const surface = text.slice(first.start, last.end)
    return [{ key: nameKey(surface), surface, type: 'name' as const, start: first.start, end: last.end }]
  })
}
