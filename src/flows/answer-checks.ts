/**
 * What a model says instead of an answer: it repeats its instructions or the question, loops, or says that it cannot. Replies of indexing are checked in
 * the same way (reply-checks.ts). Pure.
 */
import type { Evidence } from '../core/evidence'
import type { Message } from '../ports/models'
import { INSUFFICIENT } from './answer-prompt'
import { markersIn, withoutMarkers } from './markers'
import { isRefusal, repeats, unmarked, wholeSentences, withoutLoop } from './reply-checks'

/** What an answer is checked against. */
export interface Told {
  readonly question: string
  readonly instructions: string
  readonly material: string
}

const LEAD = /\b(?:question|answer|the answer is)\b/g
/** Words used instead of the fixed sentence. After a source's number, they are what that source says. */
const SAYS_NOT =
  /^\W*(?:the |these |those )?(?:numbered |given |provided )*(?:sources?|documents?|passages?|texts?|material|context)\b[^.]{0,40}?\b(?:do(?:es)?(?: not|n['’]t)) (?:say|state|mention|answer|contain|provide|specify|tell|give|include)\b/i

export function toldBy(messages: readonly Message[], question: string, evidence: readonly Evidence[]): Told {
  const instructions = [messages[0], messages.at(-1)].map((one) => one?.content ?? '').join('\n')
  return { question, instructions, material: [question, ...evidence.map(({ title, text }) => `${title ?? ''}\n${text}`)].join('\n') }
}

/** The answer without its repetitions; undefined if it is unusable. */
export function answerIn(reply: string, told: Told): { readonly text: string; readonly isLoop: boolean } | undefined {
  const { text: once, isLoop } = withoutLoop(reply)
  const text = isLoop ? wholeSentences(finished(once, reply)) : once
  const said = withoutMarkers(unmarked(text))
  if (!/[\p{L}\p{N}]/u.test(said)) return undefined
  const isAnswer =
    saysNothing(reply, told.material) || !(isQuestion(said, told.question) || repeats(said, told.instructions, told.material))
  return isAnswer ? { text, isLoop } : undefined
}

/** Up to the end of the sentence in which the repetition begins. */
function finished(once: string, reply: string): string {
  if (/[.!?…。！？]\s*$/u.test(once)) return once
  return once + (/^[^.!?…。！？]*[.!?…。！？]/u.exec(reply.slice(once.length))?.[0] ?? '')
}

/** May the text so far be the beginning of a repeated prompt or question? It is not shown before that is known. */
export function mayBeEcho(text: string, { question, instructions }: Told): boolean {
  const said = bare(text)
  return [question, instructions].some((known) => bare(known).startsWith(said))
}

/** The fixed sentence, or the same in other words. */
export function saysNothing(answer: string, material: string): boolean {
  if (answer.toLowerCase().startsWith(INSUFFICIENT.slice(0, -1).toLowerCase())) return true
  return markersIn(answer).length === 0 && (isRefusal(answer, material) || SAYS_NOT.test(answer))
}

/** Only the question, however often, perhaps after the word “answer”. */
function isQuestion(said: string, question: string): boolean {
  const [own, asked] = [bare(said), bare(question)]
  return asked.includes(' ') && own.includes(asked) && own.replaceAll(asked, '').replace(LEAD, '').trim() === ''
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
