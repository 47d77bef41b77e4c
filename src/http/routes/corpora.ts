/** Corpora: create, change, show. */

import { corpus, corpusSchema } from '../../contract/corpora'
import { listOf } from '../../contract/pages'
import { defaultStrategies } from '../../core/strategies/registry'
import type { Listed } from '../../ports/deletion'
import { askerOf } from '../asker'
import type { Ctx } from '../context'
import { forgetCached, saveCorpus } from '../corpus-change'
import { showCorpus, showListedCorpus } from '../corpus-view'
import { page, placeOf } from '../cursor'
import { cursor, flag, limitOf } from '../parameters'
import { nameOf } from '../path'
import { hasScope, visibleUids } from '../principal'
import { Problem } from '../problem'
import { route } from '../route'
import { showDeleted } from './deletion'

const limit = limitOf(20) // each is asked for its state
const example = {
  corpus: 'manuals',
  status: 'settled',
  tuning: false,
  version: 12,
  counts: {
    documents: 3,
    chunks: 9,
    passages: 61,
    units: 240,
    entities: 118,
    keywords: 410,
    labels: 0,
    summaries: 4,
    communities: 0,
    edges: 890,
  },
  strategies: defaultStrategies,
  settings: { chunk_tokens: 1200, chunk_overlap: 100, passage_tokens: 150 },
  embedding_model: '@cf/baai/bge-m3',
  dimensions: 1024,
  budget: { tokens: 5_000_000 },
  public: false,
  default_access: null,
  audit: { days: 400, reads: false, questions: 'none' as const, question_days: 90, conversation_days: 90 },
  jurisdiction: null,
  location_hint: null,
  partitions: 1,
  dedicated: false,
  undelete_seconds: 0,
  usage: { in: 0, out: 0, embedded: 10_912, usd: 0.00013 },
  created_at: '2026-11-21T09:00:00.000Z',
}

export const corporaRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora',
    id: 'listCorpora',
    tag: 'corpora',
    summary: 'List the corpora a key sees',
    access: 'reader',
    parameters: [cursor, limit, flag('deleted', 'Include corpora that are deleted but not yet gone. Only admin keys see them.')],
    answers: { 200: { description: 'A page of corpora by name.', schema: listOf(corpus) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit: wanted } = placeOf(c, limit)
    const world = c.get('world')
    const principal = c.get('principal')
    const { data, next_cursor } = page(await recordsOf(c, visibleUids(principal), after, wanted + 1), wanted, placeIn)
    const asker = await askerOf(c)
    return { status: 200, body: { data: await Promise.all(data.map((record) => showListedCorpus(world, record, asker))), next_cursor } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}',
    id: 'getCorpus',
    tag: 'corpora',
    summary: 'Get a corpus',
    access: ['read'],
    answers: { 200: { description: 'The corpus.', schema: corpus, example } },
  }).answer(async (c) => ({ status: 200, body: await showCorpus(c.get('world'), c.get('corpus'), await askerOf(c)) }), {
    before: showDeleted,
  }),
  route({
    method: 'put',
    path: '/v1/corpora/{corpus}',
    id: 'putCorpus',
    tag: 'corpora',
    summary: 'Create or change a corpus',
    description:
      'Fields you leave out stay as they are. `budget: null` removes the budget. Creating a corpus needs an admin key for all corpora (`*`); changing one needs an admin key that opens it.',
    access: ['admin'],
    makesCorpus: true,
    enters: 'corpus.create',
    body: {
      schema: corpusSchema,
      optional: true,
      example: { strategies: defaultStrategies, budget: { tokens: 5_000_000 } },
    },
    answers: {
      200: { description: 'The corpus was changed.', schema: corpus },
      201: { description: 'The corpus was created.', schema: corpus, example },
    },
    problems: ['strategy_unavailable', 'conflict', 'corpus_deleted', 'no_database', 'too_many_corpora'],
    repeatable: true,
  }).answer(async (c, input) => {
    const name = nameOf(c, 'corpus')
    const world = c.get('world')
    const seenUid = c.get('principal')?.corpora?.get(name)
    const { record, isNew } =
      (await saveCorpus(c, name, input, seenUid)) ?? (await saveCorpus(c, name, input, seenUid)) ?? refuseContested()
    forgetCached(c, record)
    const body = await showCorpus(world, record, await askerOf(c))
    return isNew ? { status: 201, body, headers: { location: `/v1/corpora/${name}` } } : { status: 200, body }
  }),
]

/** With `deleted=true` also those that are deleted but not yet removed, for callers who may undelete them. */
function recordsOf(c: Ctx, uids: readonly string[] | null, after: string, limit: number): Promise<readonly Listed[]> {
  const { catalogue, deletions } = c.get('world')
  const principal = c.get('principal')
  const withDeleted = c.req.query('deleted') === 'true' && principal && hasScope(principal, 'admin')
  const [name = '', uid = ''] = after.split(' ')
  return withDeleted ? deletions.list(uids, [name, uid], limit) : catalogue.corpora(uids, name, limit)
}

/** A deleted corpus may have the same name as another: the uid tells which of them is newer. */
const placeIn = ({ name, uid }: Listed): string => `${name} ${uid}`

function refuseContested(): never {
  throw new Problem('conflict', 'This corpus is being created and deleted at the same time. Try again.')
}
