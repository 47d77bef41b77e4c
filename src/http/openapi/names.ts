import { decided, mergeSchema, nameOperation, unmergeSchema } from '../../contract/names'
import { listOf } from '../../contract/pages'
import { cursor, limit, type Operation } from './operation'

const base = '/v1/corpora/{corpus}/entities'

export const nameOperations: readonly Operation[] = [
  {
    method: 'get',
    path: `${base}/merges`,
    id: 'listMerges',
    tag: 'graph',
    summary: 'Which entities were taken for one thing, and parted again, oldest first',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of the audit.', schema: listOf(nameOperation) } },
    problems: ['strategy_not_enabled', 'invalid'],
  },
  {
    method: 'post',
    path: `${base}/{entity}:merge`,
    id: 'mergeEntity',
    tag: 'graph',
    summary: 'Say that two entities are one thing',
    description:
      'In force when this returns; reports of the communities it touches are written afterwards. Nothing of either entity is lost.',
    access: ['write'],
    body: { schema: mergeSchema, example: { with: 'e_2b7c1f' } },
    answers: { 200: { description: 'Merged, or merged already.', schema: decided } },
    problems: ['strategy_not_enabled', 'node_not_found'],
    repeatable: true,
  },
  {
    method: 'post',
    path: `${base}/{entity}:unmerge`,
    id: 'unmergeEntity',
    tag: 'graph',
    summary: 'Undo a merge, also one made by likeness',
    description: 'What was parted here is not merged by likeness again.',
    access: ['write'],
    body: { schema: unmergeSchema, example: {} },
    answers: { 200: { description: 'Parted, or apart already.', schema: decided } },
    problems: ['strategy_not_enabled', 'node_not_found'],
    repeatable: true,
  },
]
