/** Moving a corpus to another embedding model in place, and what that would cost. */

import { accepted } from '../../contract/jobs'
import { type Migration, migration, migrationSchema } from '../../contract/migrations'
import { type EmbeddingModel, embeddingModelOf, isEmbeddedBy } from '../../core/settings'
import { modelsFor } from '../../flows/embedding-model'
import { NEURON_USD, PRICED_ON, usdOf } from '../../flows/prices'
import type { MigrationState } from '../../ports/migration'
import type { Models } from '../../ports/models'
import { type Ctx, objectOf } from '../context'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { requireAccepted } from './taken'

const example = {
  from: { model: '@cf/baai/bge-m3', dimensions: 1024 },
  to: { model: '@cf/qwen/qwen3-embedding-0.6b', dimensions: 1024 },
  job: null,
  step: null,
  estimate: {
    texts: 12_400,
    tokens: 1_850_000,
    usd: 0.0222,
    neurons: 2018,
    seconds: 310,
    rewritten: { tokens: { in: 410_000, out: 96_000, embedded: 96_000 }, usd: 0.06 },
  },
  priced_on: PRICED_ON,
}

const embeddingModel = {
  name: 'embedding_model',
  in: 'query',
  description: 'One of the deployment’s models. By default, the one that new corpora use.',
  schema: { type: 'string' },
} as const

export const migrationRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/migration',
    id: 'getMigration',
    tag: 'corpora',
    summary: 'Estimate a move to another embedding model, and get its progress',
    access: ['write'],
    parameters: [embeddingModel],
    answers: { 200: { description: 'The estimate, and the step of the job that moves the corpus.', schema: migration, example } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const state = await objectOf(c).migration()
    if (!state) throw notFound('corpus')
    return { status: 200, body: viewOf(c, state, targetOf(c, c.req.query('embedding_model'), state)) }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:migrate',
    id: 'migrateCorpus',
    tag: 'corpora',
    summary: 'Change the embedding model of a corpus, in place',
    description:
      'Questions are answered with the current model until the other has everything; then everything is switched at once. Documents may be added and deleted meanwhile. Cancelling the job before the switch leaves the corpus as it was. `GET …/migration` estimates the cost first.',
    access: ['admin'],
    body: { schema: migrationSchema, optional: true, example: {} },
    answers: { 202: { description: 'The job is running.', schema: accepted, example: { job: 'j_1' } } },
    problems: ['conflict', 'over_budget', 'storage_full', 'invalid'],
    repeatable: true,
  }).answer(async (c, { embedding_model }) => {
    const to = targetOf(c, embedding_model, null)
    const outcome = await objectOf(c).migrate(to)
    if (outcome === 'same') throw new Problem('conflict', `The corpus already has vectors of ${to.id}.`)
    if (outcome === 'no_index') throw new Problem('conflict', 'The deployment does not have a separate index for each of the two models.')
    if (outcome === 'busy') {
      throw new Problem('conflict', 'Other work on the whole corpus is in progress, or its old index is still being emptied.')
    }
    return { status: 202, body: { job: requireAccepted(outcome).job } }
  }),
]

/** The named model, or else the one it is being moved to, or else the deployment's. */
function targetOf(c: Ctx, named: string | undefined, state: MigrationState | null): EmbeddingModel {
  const { embedding, previous } = c.get('world').models
  const known = [embedding, ...(previous ? [previous.embedding] : [])]
  const wanted = named ?? (state?.job ? embeddingModelOf(state.settings)?.id : undefined) ?? embedding.id
  const one = known.find(({ id }) => id === wanted)
  if (one) return { id: one.id, dimensions: one.dimensions }
  const message = `the deployment has ${known.map(({ id }) => id).join(' and ')}`
  throw new Problem('invalid', 'The deployment does not have this embedding model.', { errors: [{ path: 'embedding_model', message }] })
}

function viewOf(c: Ctx, state: MigrationState, to: EmbeddingModel): Migration {
  const { models } = c.get('world')
  const isThere = isEmbeddedBy(state.served, to) && embeddingModelOf(state.served) !== null
  const { tokens, texts, seconds, rewritten } = state
  const usd = usdFor(models, to, { in: 0, out: 0, embedded: tokens })
  return {
    from: { model: embeddingModelOf(state.served)?.id ?? null, dimensions: state.served.dimensions },
    to: isThere ? null : { model: to.id, dimensions: to.dimensions },
    job: state.job,
    step: state.step,
    estimate: {
      texts,
      tokens,
      usd,
      neurons: Math.round(usd / NEURON_USD),
      seconds,
      rewritten: { tokens: rewritten, usd: usdFor(models, to, rewritten) },
    },
    priced_on: PRICED_ON,
  }
}

function usdFor(models: Models, to: EmbeddingModel, spent: MigrationState['rewritten']): number {
  return usdOf(modelsFor(models, { models: `${to.id} `, dimensions: to.dimensions }), spent)
}
