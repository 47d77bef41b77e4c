/** The log of questions, if a corpus keeps one: for admin keys; feedback on an answer, for whoever asked. */
import type { CallCorpus } from './operations'
import type { LoggedQuestion, NewFeedback, Page, Paging, QuestionReport } from './types'

export interface QueryLogClient {
  /** Newest first. */
  list(
    where?: Paging & { readonly outcome?: LoggedQuestion['outcome']; readonly rating?: NewFeedback['rating'] },
  ): Promise<Page<LoggedQuestion>>
  /** Questions that found nothing, were refused or rated badly, by wording; `since`: a time of ISO 8601. */
  report(since?: string): Promise<QuestionReport>
  /** Of an answer, by its `question_id`. */
  rate(feedback: NewFeedback): Promise<{ readonly question: string; readonly rating: NewFeedback['rating'] }>
  forget(question: string): Promise<void>
  forgetAll(): Promise<void>
}

export function queryLogOf(call: CallCorpus): QueryLogClient {
  return {
    list: (where = {}) => call('listQuestions', { query: { ...where } }),
    report: (since) => call('getQuestionReport', { query: { since } }),
    rate: (feedback) => call('giveFeedback', { body: feedback }),
    forget: (question) => call('forgetQuestion', { path: { question } }),
    forgetAll: () => call('forgetQuestions'),
  }
}
