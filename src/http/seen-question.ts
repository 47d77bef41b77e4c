/** What is counted, traced and logged of a question that was answered. */
import type { QueryResult, SearchResult } from '../contract/questions'
import type { Ctx } from './context'

export type QuestionOutcome = 'answered' | 'refused' | 'nothing'

export interface Answered extends Pick<SearchResult, 'evidence' | 'degraded'> {
  /** Absent: it was searched. */
  readonly answered?: QueryResult['answered']
}

/** answered: there is evidence, and it answers · refused: it does not · nothing: there is none */
export function outcomeOf({ evidence, answered }: Answered): QuestionOutcome {
  if (evidence.length === 0) return 'nothing'
  return answered === false ? 'refused' : 'answered'
}

export function countQuestion(c: Ctx, query: string, result: Answered): void {
  const { meters } = c.get('world')
  meters?.count('loam_questions_total', { outcome: outcomeOf(result) })
  for (const part of result.degraded) meters?.count('loam_degraded_total', { part })
  const tracer = c.get('tracer')
  if (tracer) tracer.note({ 'loam.outcome': outcomeOf(result), ...(tracer.withTexts ? { 'loam.question': query } : {}) })
}
