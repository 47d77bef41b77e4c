/**
 * What people decide about entities and relations: made, listed, and undone one by one. In every corpus; in effect when a call
 * returns.
 */
import {
  added,
  addSchema,
  type DecisionStatus,
  decisionView,
  nothingSchema,
  type Outcome,
  outcome,
  relationEndsSchema,
  relationSchema,
  renameSchema,
  splitSchema,
  type Wish,
} from '../../contract/decisions'
import { mergeSchema, unmergeSchema } from '../../contract/names'
import { listOf } from '../../contract/pages'
import { nameId } from '../../core/builders/sense-list'
import { nameKey } from '../../core/text/names'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { placeOf, withOpaqueCursor } from '../cursor'
import { cursor, limit } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import type { Answered } from '../reply'
import { route } from '../route'

const base = '/v1/corpora/{corpus}'
const answers = { 200: { description: 'Done, or it was already so.', schema: outcome } }
const common = { method: 'post', tag: 'graph', access: ['write'], answers, repeatable: true } as const
const AT_ONCE =
  'Takes effect before the call returns, and also applies to later documents and rebuilt graphs. If more than 256 chunks mention the entity, the rest follow within seconds.'

export const decisionRoutes = [
  route({
    ...common,
    path: `${base}/entities`,
    id: 'addEntity',
    summary: 'Add an entity that neither rules nor a model found',
    description:
      'The name is then an entity in every chunk that says it, in whole words, and where no model has read, it is related to the names in the same sentence. Takes effect before the call returns, and also applies to later documents and rebuilt graphs. In a large corpus, up to 256 chunks follow at once and the rest soon. An entity that exists is left as it is (`unchanged`); a name that no text says is refused, because an entity without a text would lead to nothing.',
    body: { schema: addSchema, example: { name: 'glass furnace', type: 'machine', description: 'Melts sand into glass.' } },
    answers: { 200: { description: 'Added, or it was already so.', schema: added } },
    problems: ['document_not_found', 'corpus_full', 'too_large', 'conflict'],
  }).answer(async (c, { name: text, ...more }) => {
    const entity = nameId(nameKey(text))
    const { status, body } = await decided(c, { op: 'add', entity, text, ...more })
    return { status, body: { ...body, entity } }
  }),
  route({
    ...common,
    path: `${base}/entities/{entity}:merge`,
    id: 'mergeEntity',
    summary: 'Merge an entity into another that is the same thing',
    description: `Its mentions and relations become those of the other, which questions find under both names. Nothing is lost. ${AT_ONCE}`,
    body: { schema: mergeSchema, example: { with: 'e_2b7c1f' } },
    problems: ['node_not_found', 'corpus_full'],
  }).answer(async (c, { with: other }) => {
    const entity = nameOf(c, 'entity')
    if (other === entity) throw sameEntity('with')
    return decided(c, { op: 'merge', entity, other })
  }),
  route({
    ...common,
    path: `${base}/entities/{entity}:unmerge`,
    id: 'unmergeEntity',
    summary: 'Undo a merge, including one made by similarity',
    description: 'Entities separated here are not merged by similarity again.',
    body: { schema: unmergeSchema, example: {} },
    problems: ['node_not_found'],
  }).answer(async (c, { from = null }) => answered(await objectOf(c).partEntities(nameOf(c, 'entity'), from))),
  route({
    ...common,
    path: `${base}/entities/{entity}:split`,
    id: 'splitEntity',
    summary: 'Split an entity: in these documents the name means another thing',
    description: `${AT_ONCE} At most 1,000 chunks of the documents may mention the name.`,
    body: { schema: splitSchema, example: { documents: ['planets.md'], name: 'Mercury (planet)' } },
    problems: ['node_not_found', 'document_not_found', 'corpus_full', 'too_large'],
  }).answer(async (c, { documents, name }) => decided(c, { op: 'split', entity: nameOf(c, 'entity'), documents, text: name })),
  route({
    ...common,
    path: `${base}/entities/{entity}:rename`,
    id: 'renameEntity',
    summary: 'Change the name under which an entity is shown',
    description: 'Questions find it under both names.',
    body: { schema: renameSchema, example: { name: 'Ada Lovelace' } },
    problems: ['node_not_found', 'corpus_full'],
  }).answer(async (c, { name }) => decided(c, { op: 'rename', entity: nameOf(c, 'entity'), text: name })),
  route({
    ...common,
    path: `${base}/entities/{entity}:hide`,
    id: 'hideEntity',
    summary: 'Hide a name: it is shown nowhere and links nothing',
    description: `Texts with that name are found as before. ${AT_ONCE}`,
    body: { schema: nothingSchema, example: {} },
    problems: ['node_not_found', 'corpus_full'],
  }).answer(async (c) => decided(c, { op: 'hide', entity: nameOf(c, 'entity') })),
  route({
    ...common,
    path: `${base}/entities/{entity}:pin`,
    id: 'pinEntity',
    summary: 'Pin an entity: it comes first in lists and stays in every chunk that mentions it',
    body: { schema: nothingSchema, example: {} },
    problems: ['node_not_found', 'corpus_full'],
  }).answer(async (c) => decided(c, { op: 'pin', entity: nameOf(c, 'entity') })),
  route({
    ...common,
    path: `${base}/relations`,
    id: 'addRelation',
    summary: 'Add a relation between two entities',
    description:
      'Searches follow it, and it shows that a person added it, by which key and when. It exists as long as both of its ends do.',
    body: { schema: relationSchema, example: { source: 'e_2b7c1f', target: 'e_9d11aa', description: 'founded', strength: 8 } },
    problems: ['node_not_found', 'corpus_full', 'partitioned'],
  }).answer(async (c, { source, target, description, strength }) => {
    if (source === target) throw sameEntity('target')
    return decided(c, { op: 'relate', entity: source, other: target, text: description, strength })
  }),
  route({
    ...common,
    path: `${base}/relations:remove`,
    id: 'removeRelation',
    summary: 'Remove a relation that texts state',
    description: 'It stays removed whatever texts say, now or later. To remove a relation that people added, undo that decision.',
    body: { schema: relationEndsSchema, example: { source: 'e_2b7c1f', target: 'e_9d11aa' } },
    problems: ['node_not_found', 'corpus_full'],
  }).answer(async (c, { source, target }) => {
    if (source === target) throw sameEntity('target')
    return decided(c, { op: 'unrelate', entity: source, other: target })
  }),
  route({
    method: 'get',
    path: `${base}/decisions`,
    id: 'listDecisions',
    tag: 'graph',
    summary: 'List people’s decisions about entities and relations, oldest first, without those undone',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of decisions.', schema: listOf(decisionView) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    return { status: 200, body: withOpaqueCursor(await objectOf(c).decisions(after === '' ? null : after, limit, await askerOf(c))) }
  }),
  route({
    method: 'delete',
    path: `${base}/decisions/{decision}`,
    id: 'deleteDecision',
    tag: 'graph',
    summary: 'Undo one decision',
    description: 'Other decisions about the same names stay.',
    access: ['write'],
    answers: { 200: { description: 'Undone.', schema: outcome } },
    repeatable: true,
    problems: ['decision_not_found', 'conflict'],
  }).answer(async (c) => {
    const n = nameOf(c, 'decision')
    return answered(await objectOf(c).undecide(/^\d{1,9}$/.test(n) ? Number(n) : -1))
  }),
]

async function decided(c: Ctx, wish: Wish): Promise<Answered<200, DecisionStatus>> {
  return answered(await objectOf(c).decide(wish, await askerOf(c)))
}

function answered(result: Outcome): Answered<200, DecisionStatus> {
  switch (result.kind) {
    case 'done':
      return {
        status: 200,
        body: { status: 'done', decision: result.n, ...(result.skipped ? { skipped_partitions: result.skipped } : {}) },
      }
    case 'unchanged':
      return { status: 200, body: { status: 'unchanged', decision: result.n } }
    case 'missing':
      throw missing(result.what)
    case 'full':
      if (result.of === 'chunks') throw new Problem('too_large', `The documents mention the name in more than ${result.limit} chunks.`)
      throw new Problem('corpus_full', `A corpus can have at most ${result.limit} ${result.of} added by people.`)
    case 'held':
      throw new Problem(
        'conflict',
        `The entity is ${result.op === 'hide' ? 'hidden' : 'pinned'} by decision ${result.by}. Undo that first.`,
      )
    case 'apart':
      throw new Problem('partitioned', 'No partition of the corpus has texts that name both (docs/partitions.md, "Decisions").')
    case 'unsaid':
      throw new Problem('invalid', 'No text says this name.', { errors: [{ path: 'name', message: 'no text that you may read says it' }] })
  }
}

function missing(what: Extract<Outcome, { readonly kind: 'missing' }>['what']): Problem {
  switch (what) {
    case 'entity':
    case 'relation':
      return notFound('node', what)
    case 'document':
      return notFound('document', 'document that says this name')
    case 'decision':
      return notFound('decision')
  }
}

function sameEntity(path: string): Problem {
  return new Problem('invalid', 'These are the same entity.', { errors: [{ path, message: 'the same entity' }] })
}
