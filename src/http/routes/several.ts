/**
 * Questions to several corpora at once, which the body names. A caller who may not read one of them is refused as by that corpus's
 * own routes.
 */
import {
  type severalQuerySchema as QuerySchema,
  severalQueryResult,
  severalQuerySchema,
  severalSearchResult,
  severalSearchSchema,
} from '../../contract/several'
import { abortable } from '../../flows/aborting'
import { querySeveral, type SeveralRequest, searchSeveral, streamSeveral } from '../../flows/several/ask'
import type { Member } from '../../flows/several/find'
import type { CorpusRecord } from '../../ports/catalogue'
import { limitStranger, readableCorpus } from '../access'
import { enterReadOf } from '../audit-reads'
import type { Ctx } from '../context'
import { problemOf } from '../failures'
import { Problem } from '../problem'
import { checkQuery } from '../query'
import { depsFor, queryOf, refusalProblem, requireAnswered, withTiming } from '../question-body'
import { route } from '../route'
import { seenBySeveral, seenStreamBySeveral } from '../seen-several'
import { eventStream } from '../sse'

const question = { query: 'When is bread baked?', corpora: ['manuals', 'letters'], top_k: 5 } as const
const EVENTS = `event: delta\ndata: {"text":"Bread is baked on Tuesdays [1]."}\n\n`
const WHO = 'The key must be allowed to read each corpus; its principals decide what it sees in each.'

export const severalRoutes = [
  route({
    method: 'post',
    path: '/v1/search',
    id: 'searchCorpora',
    tag: 'questions',
    summary: 'Find evidence in several corpora, best first',
    description: `${WHO} A corpus that cannot be asked now is left out and named in \`skipped\`.`,
    access: 'body',
    body: { schema: severalSearchSchema, example: question },
    answers: { 200: { description: 'The evidence.', schema: severalSearchResult } },
    problems: ['corpus_not_found', 'strategy_not_enabled', 'version_not_reached'],
  }).answer(async (c, asked) => {
    const { records, request } = await requestOf(c, asked)
    return withTiming(c, seenBySeveral(c, { query: asked.query, records }, requireAnswered(c, await searchSeveral(request))))
  }),
  route({
    method: 'post',
    path: '/v1/query',
    id: 'queryCorpora',
    tag: 'questions',
    summary: 'Answer a question from several corpora with checked citations',
    description: `${WHO} With \`stream: true\`, server-sent events as for one corpus.`,
    access: 'body',
    body: { schema: severalQuerySchema, example: question },
    answers: { 200: { description: 'The answer.', schema: severalQueryResult, events: EVENTS } },
    problems: ['corpus_not_found', 'strategy_not_enabled', 'version_not_reached', 'model_unavailable'],
  }).answer(async (c, { stream, ...asked }) => {
    const { records, request } = await requestOf(c, asked)
    const posed = { query: asked.query, records }
    if (!stream) return withTiming(c, seenBySeveral(c, posed, requireAnswered(c, await querySeveral(request))))
    const events = (gone: AbortSignal) => seenStreamBySeveral(c, posed, streamSeveral(until(request, gone)))
    return { response: await eventStream(c, events, (refused) => refusalProblem(c, refused)) }
  }),
]

type Body = Omit<ReturnType<typeof QuerySchema.parse>, 'stream'>

async function requestOf(
  c: Ctx,
  { corpora, min_version = {}, ...asked }: Body,
): Promise<{ readonly records: readonly CorpusRecord[]; readonly request: SeveralRequest }> {
  checkQuery(c)
  await limitStranger(c)
  const records: CorpusRecord[] = []
  for (const [place, name] of corpora.entries()) records.push(await named(c, name, place))
  await Promise.all(records.map((record) => (record.audit?.reads ? enterReadOf(c, record) : undefined)))
  const [first, ...others] = await Promise.all(
    records.map(
      async (record): Promise<Member> => ({ name: record.name, deps: await depsFor(c, record), minVersion: min_version[record.name] }),
    ),
  )
  if (!first) throw new Error('several: a body without corpora')
  return { records, request: { members: [first, ...others], request: queryOf(asked), codeOf: (error) => problemOf(error).code } }
}

/** What is wrong, and with which of them. */
async function named(c: Ctx, name: string, place: number): Promise<CorpusRecord> {
  try {
    return await readableCorpus(c, name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, error.detail, { ...error.more, errors: [{ path: `corpora[${place}]`, message: error.detail }] })
  }
}

/** The reader of the stream may leave: then no model continues. */
function until({ members: [first, ...others], ...asking }: SeveralRequest, gone: AbortSignal): SeveralRequest {
  const bounded = (member: Member): Member => ({ ...member, deps: abortable(member.deps, gone) })
  return { ...asking, members: [bounded(first), ...others.map(bounded)] }
}
