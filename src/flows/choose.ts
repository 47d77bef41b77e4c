/**
 * A text model chooses the evidence: it sees the pool's best candidates as one-line statements, each with the sentence by which it was reached, and names
 * those that answer together, in one call within the budget. Those it names come first, the rest after them in their own order. Whatever goes wrong, the
 * order is kept.
 */
import { z } from 'zod'
import type { Evidence } from '../core/evidence'
import { fingerprint } from '../core/ids'
import type { QuestionTerms } from '../core/reader/question-terms'
import { readTerms as terms } from '../core/text/read-terms'
import { sentences } from '../core/text/sentences'
import type { Message } from '../ports/models'
import type { AskDeps } from './ask-types'
import { writingBound } from './call-bounds'
import { fenceTexts } from './fence'
import type { Meter } from './meter'
import { groupEvidence, type Pool } from './rank'
import { parseJson } from './reply-json'
import { clipToTokens } from './windows'
import { writerFor } from './writers'

const STAGE = 'select' // of a question's costs
const limits = {
  candidates: 30,
  statement: 70, // tokens of a candidate's statement
  way: 40, // tokens of how it was reached
  question: 300, // tokens of the question that are shown
  overhead: 300, // tokens of the prompt besides question and candidates
  reply: 200, // tokens: a few numbers as JSON
  remembered: 500, // choices, in an isolate
} as const
const REPLY = z.object({ chosen: z.array(z.int().min(1)).max(limits.candidates) })
const SCHEMA = z.toJSONSchema(REPLY)

const remembered = new Map<string, readonly number[]>()

export async function chooseEvidence(
  deps: AskDeps,
  { question, asked }: { readonly question: string; readonly asked: QuestionTerms },
  { evidence, paths }: Pick<Pool, 'evidence' | 'paths'>,
  meter: Meter,
): Promise<readonly Evidence[]> {
  const writer = writerFor(deps.models, 'answer')
  const groups = groupEvidence(evidence)
  if (!writer || groups.length < 2) return evidence
  const way = new Map(evidence.map((one, i) => [one, paths[i]]))
  const lines = groups
    .slice(0, limits.candidates)
    .map((group, i) => `${i + 1}. ${lineOf(group, way.get(group.at(-1) as Evidence) ?? null, asked)}`)
  const messages = promptOf(question, fitting(lines, writer.window))
  const key = fingerprint(STAGE, writer.id, ...messages.map((one) => one.content))
  const known = remembered.get(key)
  if (known) return firstOf(groups, known)
  try {
    const reply = await meter.call(STAGE, writingBound(deps.models, messages, limits.reply, SCHEMA), ({ mayRepeat }) =>
      deps.models.write(messages, { tokens: limits.reply, schema: SCHEMA, role: 'answer', mayRepeat }),
    )
    if (!reply) return evidence
    if (reply.truncated) {
      meter.degraded.add('truncated')
      return evidence // 1 may be half of 12
    }
    const { chosen } = REPLY.parse(parseJson(reply.text))
    remember(key, chosen)
    return firstOf(groups, chosen)
  } catch {
    meter.degraded.add('text_model')
    return evidence
  }
}

/** Numbers without a candidate are skipped. */
function firstOf(groups: readonly Evidence[][], chosen: readonly number[]): readonly Evidence[] {
  const first = [...new Set(chosen)].flatMap((number) => (number <= limits.candidates && groups[number - 1] ? [number - 1] : []))
  const others = groups.flatMap((_, i) => (first.includes(i) ? [] : [i]))
  return [...first, ...others].flatMap((i) => groups[i] ?? [])
}

function lineOf([head]: readonly Evidence[], way: string | null, asked: QuestionTerms): string {
  if (!head) return ''
  const title = head.title ? `${head.title}: ` : ''
  const reached = way ? ` (reached by: ${clipToTokens(way, limits.way)})` : ''
  return `${title}${clipToTokens(statementOf(head.text, asked), limits.statement)}${reached}`.replace(/\s+/g, ' ')
}

/** From the sentence that shares most with the question; among equals, the first. */
function statementOf(text: string, asked: QuestionTerms): string {
  let best = { start: 0, worth: 0 }
  for (const { start, end } of sentences(text)) {
    const worth = [...new Set(terms(text.slice(start, end)))].reduce((sum, term) => sum + (asked.get(term)?.weight ?? 0), 0)
    if (worth > best.worth) best = { start, worth }
  }
  return text.slice(best.start)
}

/** As many as fit into the model's window. */
function fitting(lines: readonly string[], window: number): readonly string[] {
  const room = window - limits.question - limits.overhead - limits.reply
  const each = limits.statement + 2 * limits.way // with its title
  return lines.slice(0, Math.max(2, Math.floor(room / each)))
}

function promptOf(question: string, lines: readonly string[]): readonly Message[] {
  const { law, block } = fenceTexts(lines)
  return [
    {
      role: 'system',
      content:
        'You choose evidence for a question from numbered candidates. Name those that are needed to answer it, the most important first: ' +
        'also those that lead to the answer by way of another ("reached by" says which sentence led to a candidate). Leave out what does not help. ' +
        `At most ten. ${law} Reply with JSON: {"chosen": [3, 1]}.`,
    },
    { role: 'user', content: `Candidates:\n${block}\n\nQuestion: ${clipToTokens(question, limits.question)}` },
  ]
}

function remember(key: string, chosen: readonly number[]): void {
  const [oldest] = remembered.keys()
  if (remembered.size >= limits.remembered && oldest !== undefined) remembered.delete(oldest)
  remembered.set(key, chosen)
}
