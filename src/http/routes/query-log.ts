/**
 * The log of questions: read, delete, rate, report. Its texts may quote documents: it is for administrators who see all of the
 * corpus.
 */
import { listOf } from '../../contract/pages'
import { feedbackSchema, feedbackTaken, loggedQuestion, questionReport } from '../../contract/query-log'
import { groupAlike } from '../../flows/alike'
import { auditDefaults } from '../../ports/audit'
import type { LoggedQuestion, SeeingObject } from '../../ports/seeing'
import { callAs } from '../acting'
import { actorOf, type Ctx } from '../context'
import { page, placeOf } from '../cursor'
import { isoTime } from '../iso-time'
import { oneOf } from '../one-of'
import { cursor, limit, type Parameter } from '../parameters'
import { nameOf } from '../path'
import { hasScope } from '../principal'
import { notFound, Problem } from '../problem'
import { redacted } from '../redact'
import { route } from '../route'

const LOOKED_AT = 2000 // newest entries that a report is made of
const IDS = 10
const OUTCOMES = ['answered', 'refused', 'nothing'] as const
const RATINGS = ['good', 'bad'] as const
const base = '/v1/corpora/{corpus}/query-log'
const outcome: Parameter = { name: 'outcome', in: 'query', description: 'Only this outcome.', schema: { type: 'string', enum: OUTCOMES } }
const rating: Parameter = { name: 'rating', in: 'query', description: 'Only this rating.', schema: { type: 'string', enum: RATINGS } }
const since: Parameter = {
  name: 'since',
  in: 'query',
  description: 'Only questions asked at this time or later (ISO 8601).',
  schema: { type: 'string', format: 'date-time' },
}
const id = 'q_0f8fad5bd9cb469fa16570867728950e'

export const queryLogRoutes = [
  route({
    method: 'get',
    path: base,
    id: 'listQuestions',
    tag: 'questions',
    summary: 'List questions that were asked, newest first',
    description:
      'Only if the corpus logs questions (`audit.questions`). Needs an admin key that sees all of the corpus, since answers quote documents.',
    access: ['admin'],
    needsWholeSight: true,
    parameters: [cursor, limit, outcome, rating],
    answers: { 200: { description: 'A page of entries.', schema: listOf(loggedQuestion) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit: wanted } = placeOf(c)
    const rated = oneOf(c, 'rating', RATINGS)
    const filter = {
      before: after === '' ? null : Number(after) || 0,
      limit: wanted + 1,
      outcome: oneOf(c, 'outcome', OUTCOMES),
      rating: rated === null ? null : ratingOf(rated),
    }
    const { data, next_cursor } = page(await objectOf(c).questions(filter), wanted, ({ n }) => String(n))
    return { status: 200, body: { data: data.map(view), next_cursor } }
  }),
  route({
    method: 'delete',
    path: base,
    id: 'forgetQuestions',
    tag: 'questions',
    summary: 'Delete the whole log of questions',
    access: ['admin'],
    needsWholeSight: true,
    answers: { 204: { description: 'The log is empty.' } },
    repeatable: true,
  }).answer(async (c) => {
    await objectOf(c).forgetQuestion(null)
    return { status: 204 }
  }),
  route({
    method: 'delete',
    path: `${base}/{question}`,
    id: 'forgetQuestion',
    tag: 'questions',
    summary: 'Delete one question from the log',
    access: ['admin'],
    needsWholeSight: true,
    answers: { 204: { description: 'The question is deleted.' } },
    repeatable: true,
    problems: ['question_not_found'],
  }).answer(async (c) => {
    if (!(await objectOf(c).forgetQuestion(nameOf(c, 'question')))) throw notFound('question')
    return { status: 204 }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/query-report',
    id: 'getQuestionReport',
    tag: 'questions',
    summary: 'Get the questions that found nothing, were refused or rated badly',
    description: 'Grouped by wording, most frequent first: what the documents lack.',
    access: ['admin'],
    needsWholeSight: true,
    parameters: [since],
    answers: { 200: { description: 'The report.', schema: questionReport } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const all = await objectOf(c).poorQuestions(sinceOf(c), LOOKED_AT)
    const worded = all.filter(({ question }) => question !== null)
    const data = groupAlike(worded, ({ question }) => question ?? '').map(({ members }) => reported(members))
    data.sort((a, b) => b.count - a.count || (a.last_seen < b.last_seen ? 1 : -1))
    return { status: 200, body: { data, looked_at: all.length, forgotten: all.length - worded.length } }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/feedback',
    id: 'giveFeedback',
    tag: 'questions',
    summary: 'Give feedback on an answer, and name citations that are wrong',
    description: 'Only the key that asked, or an admin key, may give it. New feedback replaces earlier feedback.',
    access: ['read'],
    body: { schema: feedbackSchema, example: { question: id, rating: 'bad', comment: 'It is Thursdays now.', wrong_citations: [1] } },
    answers: { 200: { description: 'The feedback is kept with the question.', schema: feedbackTaken } },
    repeatable: true,
    problems: ['question_not_found'],
  }).answer(async (c, { question, rating: given, comment, wrong_citations: wrong }) => {
    const { questions } = { ...auditDefaults, ...c.get('corpus').audit }
    const principal = c.get('principal')
    const isAdmin = principal !== null && hasScope(principal, 'admin')
    const said = comment === undefined ? null : questions === 'full' ? comment : redacted(comment)
    const feedback = { rating: ratingOf(given), comment: said, wrong: wrong ?? null }
    if (!(await objectOf(c).rateQuestion(question, feedback, isAdmin ? null : actorOf(c).key))) throw notFound('question')
    return { status: 200, body: { question, rating: given } }
  }),
]

const objectOf = (c: Ctx): SeeingObject => callAs(c.get('world').seeing(c.get('corpus').uid), actorOf(c))
const ratingOf = (word: (typeof RATINGS)[number]): 1 | -1 => (word === 'good' ? 1 : -1)

function sinceOf(c: Ctx): number {
  const text = c.req.query('since')
  const at = text ? Date.parse(text) : 0
  if (!Number.isNaN(at)) return at
  throw new Problem('invalid', 'Give the time as ISO 8601.', { errors: [{ path: 'since', message: 'not a time' }] })
}

function view({ n: _, at, rating: rated, wrong, ...entry }: LoggedQuestion) {
  return {
    ...entry,
    at: isoTime(at),
    rating: rated === null ? null : rated > 0 ? ('good' as const) : ('bad' as const),
    wrong_citations: wrong,
  }
}

function reported(members: readonly LoggedQuestion[]) {
  const last = members[0]
  const how = (is: (one: LoggedQuestion) => boolean): number => members.filter(is).length
  return {
    question: last?.question ?? '',
    count: members.length,
    nothing: how((one) => one.outcome === 'nothing'),
    refused: how((one) => one.outcome === 'refused'),
    bad: how((one) => (one.rating ?? 0) < 0),
    last_seen: isoTime(last?.at ?? 0),
    ids: members.slice(0, IDS).map((one) => one.id),
  }
}
