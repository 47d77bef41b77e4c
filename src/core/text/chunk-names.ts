/**
 * The names in the sentences of one chunk. Besides what a sentence shows by itself (entities.ts) the chunk shows more: fenced code and the head of
 * a table contain no names, and a word capitalised only at the beginning of a sentence is not a name if the chunk has it in lower case, or if a
 * verb or a plural follows it ("Download the", "Critics were"). Pure; linear in the text.
 */
import { entities, type Mention, startsSentence } from './entities'
import { determinedNouns } from './german-nouns'

const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)/u
const ROW = /^\s*\|.*\|\s*$/u
const RULE = /^\s*\|[\s:|-]+\|\s*$/u
const FIELD = /^\s*(?:\*\*)?\p{Lu}[^\s:*]{0,30}(?:\*\*)?: (?=\S)(?!.*[.!?]$).{1,60}$/u
const RECORD = 3 // this many consecutive lines, each with another label, are a record
const SMALL = /(?<![\p{L}\p{M}\p{N}])\p{Ll}[\p{L}\p{M}]+/gu
/** What may follow a verb in the imperative: an object, or what is to be noted or supposed. */
const OBJECT = /^ (?:the|an?|my|your|our|it|them|me|us|these|those|that|how|whether|what|why)(?!\p{L})/u
const AFTER_PLURAL = /^ (?:are|were|have|do|from|about|who|must|should)(?!\p{L})/u
const PLURAL = /[^suiSUI]s$/u
const AFTER_PARTICIPLE = /^ (?:by|in|at|to|from|that|with|on|for|as|under|into|out|off)(?!\p{L})/u
const PARTICIPLE = /\p{Ll}{2}ed$/u

/** For each sentence, in the order of the sentences. */
export function chunkNames(sentences: readonly string[], language?: string): readonly (readonly Mention[])[] {
  const isCode = fenced(sentences)
  const found = sentences.map((text, i) => (isCode[i] ? [] : entities(text, language)))
  const isHead = sentences.map((text, i) => ROW.test(text) && !RULE.test(text) && RULE.test(sentences[i + 1] ?? ''))
  const isField = recorded(sentences)
  const doubts = found.map((list, i) => list.map((one) => isDoubtful(sentences[i] ?? '', one, isHead[i] ?? false)))
  if (!doubts.some((list) => list.includes(true))) return found
  const sure = new Set(found.flatMap((list, i) => list.flatMap((one, n) => (doubts[i]?.[n] ? [] : one.key.split(' ')))))
  const small = new Set(sentences.flatMap((text, i) => (isCode[i] ? [] : (text.match(SMALL) ?? []))))
  const isGerman = language === 'de'
  const nouns = isGerman ? determinedNouns(sentences.join('\n')) : undefined
  return found.map((list, i) =>
    list.filter((one, n) => {
      if (nouns?.has(one.key)) return false
      if (!doubts[i]?.[n] || sure.has(one.key)) return true
      const text = sentences[i] ?? ''
      if (isHead[i] || (isField[i] && text[one.end] === ':') || isGerman) return false
      return !small.has(one.key) && !isVerbal(one.surface, text.slice(one.end, one.end + 12))
    }),
  )
}

/** Does it perhaps have its capital only from its place? */
function isDoubtful(text: string, { type, surface, start }: Mention, isHead: boolean): boolean {
  return type === 'name' && (isHead || (!/[\s\p{N}]/u.test(surface) && startsSentence(text, start)))
}

function isVerbal(word: string, next: string): boolean {
  return OBJECT.test(next) || (PLURAL.test(word) && AFTER_PLURAL.test(next)) || (PARTICIPLE.test(word) && AFTER_PARTICIPLE.test(next))
}

/** Which sentences lie in fenced code. A chunk may begin inside: then its first fence, which names no language, is followed by one that does. */
function fenced(sentences: readonly string[]): readonly boolean[] {
  const fences = sentences.map((text) => FENCE.exec(text)).map((match) => match && { isOpening: match[2] !== '' })
  const [first, second] = fences.filter((one) => one !== null)
  if (!first) return []
  let isInside = !first.isOpening && second?.isOpening === true
  return fences.map((fence) => {
    if (fence) isInside = !isInside || fence.isOpening
    return isInside || fence !== null
  })
}

/** Which sentences are lines of a record ("Species: Grey heron"), by their labels. */
function recorded(sentences: readonly string[]): readonly boolean[] {
  const out = sentences.map(() => false)
  let from = 0
  const labels = new Set<string>()
  const close = (to: number): void => {
    if (labels.size >= RECORD) out.fill(true, from, to)
    labels.clear()
    from = to
  }
  for (const [i, text] of sentences.entries()) {
    const label = FIELD.test(text) ? text.slice(0, text.indexOf(':')) : undefined
    if (label === undefined || labels.has(label)) close(i)
    if (label === undefined) from = i + 1
    else labels.add(label)
  }
  close(sentences.length)
  return out
}
