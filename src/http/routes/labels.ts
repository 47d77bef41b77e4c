/** Labels and classification, if the corpus has GORAG switched on. */

import { classified, classifySchema, deleted, label, labelSchema, sinceSchema, type ToClassify, undone } from '../../contract/labels'
import { listOf } from '../../contract/pages'
import { type ClassifyDeps, classifyText, putLabel } from '../../flows/classify'
import { MIB } from '../body'
import { type Ctx, objectOf } from '../context'
import { configOf, embeddingFor } from '../corpus-config'
import { placeOf, withOpaqueCursor } from '../cursor'
import { withFreshModel } from '../fresh-model'
import { keyKeeper } from '../key-limits'
import { requireOffer } from '../offers'
import { cursor, limit, type Parameter } from '../parameters'
import { idOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const EXAMPLES_LIMIT = 8 * MIB
const base = '/v1/corpora/{corpus}'
const since: Parameter = {
  name: 'since',
  in: 'query',
  description: 'Required: an ISO 8601 time. What was learned at or after it is undone.',
  schema: { type: 'string', format: 'date-time' },
}

export const labelRoutes = [
  route({
    method: 'put',
    path: `${base}/labels/{label}`,
    id: 'putLabel',
    tag: 'classification',
    summary: 'Create or replace a label',
    description: 'The label can be used as soon as the call returns.',
    access: ['write'],
    body: {
      schema: labelSchema,
      example: { description: 'About baking', examples: ['Bread is baked on Tuesdays.'] },
      limit: EXAMPLES_LIMIT,
    },
    answers: { 200: { description: 'The label; its examples by id.', schema: label } },
    problems: ['strategy_not_enabled', 'over_budget'],
    repeatable: true,
  }).answer(async (c, { description, examples }) => {
    const label = { id: idOf(c, 'label'), description: description ?? '', examples }
    const view = await withFreshModel(c, () => putLabel(classifyDeps(c), label))
    if (!view) throw overBudget()
    // A stored answer outlives what it is about: it names the examples, and does not repeat them.
    return { status: 200, body: { ...view, examples: view.examples.map(({ id }) => ({ id })) } }
  }),
  route({
    method: 'get',
    path: `${base}/labels`,
    id: 'listLabels',
    tag: 'classification',
    summary: 'List labels by name',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of labels.', schema: listOf(label) } },
    problems: ['strategy_not_enabled', 'invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    return { status: 200, body: withOpaqueCursor(await classifyDeps(c).corpus.labels(after === '' ? null : after, limit)) }
  }),
  route({
    method: 'delete',
    path: `${base}/labels/{label}`,
    id: 'deleteLabel',
    tag: 'classification',
    summary: 'Delete a label',
    access: ['write'],
    answers: { 200: { description: 'Deleted.', schema: deleted } },
    repeatable: true,
    problems: ['strategy_not_enabled', 'label_not_found', 'invalid'],
  }).answer(async (c) => ({ status: 200, body: requireFound(await classifyDeps(c).corpus.dropLabel(idOf(c, 'label'))) })),
  route({
    method: 'post',
    path: `${base}/classify`,
    id: 'classify',
    tag: 'classification',
    summary: 'Classify a text by the corpus’s labels',
    description: '`learn: true` (needs `write`) keeps the text as an example if the decision was confident. This can be undone.',
    access: ['read', 'write'],
    scopeFor: ({ learn }: ToClassify) => (learn ? 'write' : 'read'),
    body: { schema: classifySchema, example: { text: 'The oven is lit at four.' }, limit: EXAMPLES_LIMIT },
    answers: { 200: { description: 'The label, the other candidates and the tree that led to them.', schema: classified } },
    problems: ['strategy_not_enabled'],
    repeatable: true,
  }).answer(async (c, { text, learn = false }) => {
    return { status: 200, body: await withFreshModel(c, () => classifyText(classifyDeps(c), { text, learn })) }
  }),
  route({
    method: 'delete',
    path: `${base}/learned/{learned}`,
    id: 'unlearn',
    tag: 'classification',
    summary: 'Undo what was learned from one text',
    access: ['write'],
    answers: { 200: { description: 'Forgotten.', schema: deleted } },
    repeatable: true,
    problems: ['strategy_not_enabled', 'label_not_found', 'invalid'],
  }).answer(async (c) => ({ status: 200, body: requireFound(await classifyDeps(c).corpus.unlearn({ id: idOf(c, 'learned') })) })),
  route({
    method: 'delete',
    path: `${base}/learned`,
    id: 'unlearnSince',
    tag: 'classification',
    summary: 'Undo everything that was learned since a given time',
    access: ['write'],
    parameters: [since],
    answers: { 200: { description: 'Undone, or there was nothing to undo.', schema: undone } },
    repeatable: true,
    problems: ['strategy_not_enabled', 'invalid'],
  }).answer(async (c) => {
    const undone = await classifyDeps(c).corpus.unlearn({ since: sinceOf(c) })
    return { status: 200, body: { status: undone ? 'deleted' : 'unchanged' } }
  }),
]

/** A label without vectors would permanently be found only by its keywords. */
export const overBudget = () => new Problem('over_budget', 'The budget does not cover the vectors of this label.')

/** What classifying needs, or a problem if the corpus has not switched it on. */
export function classifyDeps(c: Ctx): ClassifyDeps {
  requireOffer(c, 'labels')
  const world = c.get('world')
  const { later } = world
  const config = configOf(world, c.get('corpus'))
  const { models } = embeddingFor(world, config)
  return { corpus: objectOf(c), config, models, key: keyKeeper(c, config.prices), later }
}

/** Required, so that nobody deletes everything by leaving it out. */
function sinceOf(c: Ctx): number {
  const parsed = sinceSchema.safeParse(c.req.query('since'))
  if (parsed.success) return Date.parse(parsed.data)
  throw new Problem('invalid', 'Give the time as ISO 8601.', { errors: [{ path: 'since', message: 'not a time' }] })
}

function requireFound(there: boolean): { readonly status: 'deleted' } {
  if (!there) throw notFound('label')
  return { status: 'deleted' }
}
