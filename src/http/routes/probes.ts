/** Probes, which every change of the whole graph must pass, and the health of a corpus. */

import { corpusHealth } from '../../contract/health'
import { pinned, probes, probesSchema } from '../../contract/probes'
import { pinProbes } from '../../flows/probes'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { configOf, embeddingFor } from '../corpus-config'
import { withFreshModel } from '../fresh-model'
import { keyKeeper } from '../key-limits'
import { header } from '../parameters'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const ifMatch = header('If-Match', 'The ETag of the probes as you know them. 412 if others have been pinned since.')

export const probeRoutes = [
  route({
    method: 'put',
    path: '/v1/corpora/{corpus}/probes',
    id: 'putProbes',
    tag: 'corpora',
    summary: 'Pin questions with the documents that must answer them',
    description:
      'A reindex, rebuild or consolidation that would lose more than `tolerance` of a strategy’s recall@k is not promoted: its job fails with the reason, and the current graph stays. Questions are embedded once. This replaces everything that was pinned: send `If-Match` with the ETag of what you read, so that nobody else’s probes are lost.',
    access: ['write'],
    parameters: [ifMatch],
    body: {
      schema: probesSchema,
      example: { probes: [{ query: 'Who built the mill?', expect: ['mill'] }], k: 10, tolerance: 0.02 },
    },
    answers: {
      200: {
        description: 'The questions are pinned.',
        schema: pinned,
        example: { count: 1, k: 10, tolerance: 0.02, revision: 'x5Vh…', missing: [] },
      },
    },
    problems: ['model_unavailable', 'over_budget', 'precondition_failed'],
    repeatable: true,
  }).answer(async (c, input) => {
    const asker = await askerOf(c)
    const outcome = await withFreshModel(c, () => pinProbes(depsOf(c), { ...input, asker }, expectedRevision(c)))
    if (outcome === 'over_budget') throw new Problem('over_budget', 'The budget does not cover the vectors of these questions.')
    if (outcome === 'changed') throw new Problem('precondition_failed', 'Other probes have been pinned since.')
    const { probes, k, tolerance, revision, missing } = outcome
    // A stored answer outlives what it is about: it counts the questions, and does not repeat them.
    return { status: 200, body: { count: probes.length, k, tolerance, revision, missing }, headers: taggedWith(revision) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/probes',
    id: 'getProbes',
    tag: 'corpora',
    summary: 'Get the pinned questions, with what each one last found',
    access: ['write'],
    answers: { 200: { description: 'The pinned questions. Use the ETag for `If-Match`.', schema: probes } },
  }).answer(async (c) => {
    const known = await objectOf(c).probes(await askerOf(c))
    return { status: 200, body: known, headers: taggedWith(known.revision) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/health',
    id: 'getHealth',
    tag: 'corpora',
    summary: 'Get the health of a corpus',
    description:
      'What the schedule found: orphans, stale texts, drift, the results of the probes, what an outage of the model left undone, and what the index and the database still lack.',
    access: ['read'],
    needsWholeSight: true,
    answers: {
      200: { description: 'The state that the schedule last recorded, and what can be determined at once.', schema: corpusHealth },
    },
  }).answer(async (c) => {
    const health = await objectOf(c).health()
    if (!health) throw notFound('corpus')
    return { status: 200, body: health }
  }),
]

function depsOf(c: Ctx) {
  const world = c.get('world')
  const config = configOf(world, c.get('corpus'))
  const { models } = embeddingFor(world, config)
  return { corpus: objectOf(c), config, models, key: keyKeeper(c, config.prices), later: world.later }
}

const taggedWith = (revision: string) => ({ etag: `"${revision}"` })

/**
 * If-Match names the probes the caller has read. A compressing proxy may have made the tag weak; anything that is not a tag matches
 * nothing.
 */
function expectedRevision(c: Ctx): string | undefined {
  const header = c.req.header('if-match')?.trim()
  if (header === undefined || header === '*') return undefined
  return /^(?:W\/)?"([^"]*)"$/.exec(header)?.[1] ?? ''
}
