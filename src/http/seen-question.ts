/**
 * What is counted, traced and, if the corpus logs questions, logged about an answered question: beside the answer, which waits for
 * none of it.
 */
import type { AskEvent, QueryResult, SearchResult } from '../contract/questions'
import { auditDefaults } from '../ports/audit'
import type { CorpusRecord } from '../ports/catalogue'
import type { LoggedQuestion } from '../ports/seeing'
import { actorOf, type Ctx } from './context'
import { redacted } from './redact'

type Answered = Pick<SearchResult, 'evidence' | 'degraded' | 'version' | 'timing_ms'> &
  Partial<Pick<QueryResult, 'answered' | 'answer' | 'confidence' | 'grounded'>>

/** The same result, with the id under which it is logged. */
export function seen<T extends Answered>(c: Ctx, query: string, result: T): T & { readonly question_id?: string } {
  count(c, query, result)
  const id = log(c, c.get('corpus'), { ...result, query })
  return id === undefined ? result : { ...result, question_id: id }
}

/** Counted and traced. */
export function count(c: Ctx, query: string, result: Pick<Answered, 'evidence' | 'answered' | 'degraded'>): void {
  const outcome = outcomeOf(result)
  const { meters } = c.get('world')
  meters?.count('loam_questions_total', { outcome })
  for (const part of result.degraded) meters?.count('loam_degraded_total', { part })
  const tracer = c.get('tracer')
  if (tracer) tracer.note({ 'loam.outcome': outcome, ...(tracer.withTexts ? { 'loam.question': query } : {}) })
}

/** The same stream; its last event gives the id under which it is logged. */
export async function* seenStream(
  c: Ctx,
  query: string,
  events: AsyncGenerator<AskEvent, void, void>,
): AsyncGenerator<AskEvent, void, void> {
  let found: SearchResult | undefined
  for await (const event of events) {
    if (event.event === 'retrieval') found = event.data
    if (event.event !== 'done' || !found) yield event
    else {
      const { question_id: id } = seen(c, query, { ...event.data, evidence: found.evidence })
      yield { event: 'done', data: id === undefined ? event.data : { ...event.data, question_id: id } }
    }
  }
}

/** answered: there is evidence, and it answers · refused: it does not · nothing: there is none */
function outcomeOf({ evidence, answered }: Pick<Answered, 'evidence' | 'answered'>): LoggedQuestion['outcome'] {
  if (evidence.length === 0) return 'nothing'
  return answered === false ? 'refused' : 'answered'
}

export interface ToLog extends Omit<Answered, 'answer'> {
  readonly query: string
  /** Absent: for a search. Null: an answer that this corpus does not keep. */
  readonly answer?: string | null
}

/** The id of the entry; undefined: this corpus keeps none. */
export function log(c: Ctx, { uid, audit }: Pick<CorpusRecord, 'uid' | 'audit'>, result: ToLog): string | undefined {
  const { questions } = { ...auditDefaults, ...audit }
  if (questions === 'none') return undefined
  const { seeing, later } = c.get('world')
  const id = `q_${crypto.randomUUID().replaceAll('-', '')}`
  const { query, answer, confidence, grounded, evidence, version, timing_ms, degraded } = result
  const kept = questions === 'full' ? (answer ?? null) : null
  const entry = {
    id,
    kind: answer === undefined ? 'search' : 'query',
    outcome: outcomeOf(result),
    question: questions === 'full' ? query : redacted(query),
    answer: kept,
    confidence: confidence ?? null,
    version,
    ms: Math.round(timing_ms.total ?? 0),
    documents: [...new Set(evidence.flatMap((one) => [one.document, ...(one.also ?? []).map((also) => also.document)]))].filter(
      (one) => one !== null,
    ),
    degraded,
    // As in a conversation (kept-turn.ts).
    isBroad: kept !== null && !grounded && evidence.some(({ document }) => document === null),
  } as const
  later(
    seeing(uid)
      .noteQuestion(entry, actorOf(c))
      .catch(() => undefined),
  )
  return id
}
