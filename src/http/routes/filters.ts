/** Saved filters: what questions are often filtered by, stored under a name. */
import { droppedFilter, renamedFilterSchema, savedFilter, savedFilterSchema, savedFilters } from '../../contract/filters'
import type { SavedFilter } from '../../ports/retrieval'
import { askerOf } from '../asker'
import { objectOf } from '../context'
import { isoTime } from '../iso-time'
import { idOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const base = '/v1/corpora/{corpus}/filters'

export const filterRoutes = [
  route({
    method: 'put',
    path: `${base}/{filter}`,
    id: 'putFilter',
    tag: 'questions',
    summary: 'Create or replace a saved filter',
    description:
      'Questions refer to it by `filters.saved`; their own filters must match as well. An existing filter of that name is replaced.',
    access: ['write'],
    body: { schema: savedFilterSchema, example: { metadata: { lang: ['en', 'de'], year: 2024 } } },
    answers: { 200: { description: 'The filter was saved.', schema: savedFilter } },
    problems: ['conflict'],
    repeatable: true,
  }).answer(async (c, { document, metadata, language }) => {
    const filters = { ...(document ? { document } : {}), ...(metadata ? { metadata } : {}), ...(language ? { language } : {}) }
    const saved = await objectOf(c).putFilter(idOf(c, 'filter'), filters)
    if (saved === 'too_many') throw new Problem('conflict', 'This corpus already has 100 saved filters, which is the maximum.')
    return { status: 200, body: view(saved) }
  }),
  route({
    method: 'get',
    path: base,
    id: 'listFilters',
    tag: 'questions',
    summary: 'List saved filters by name',
    access: ['read'],
    answers: { 200: { description: 'All saved filters, at most 100.', schema: savedFilters } },
  }).answer(async (c) => ({ status: 200, body: { data: (await objectOf(c).filters(await askerOf(c))).map(view) } })),
  route({
    method: 'get',
    path: `${base}/{filter}`,
    id: 'getFilter',
    tag: 'questions',
    summary: 'Get a saved filter',
    access: ['read'],
    answers: { 200: { description: 'The filter.', schema: savedFilter } },
    problems: ['filter_not_found'],
  }).answer(async (c) => {
    const name = idOf(c, 'filter')
    const found = (await objectOf(c).filters(await askerOf(c))).find((one) => one.name === name)
    if (!found) throw notFound('filter')
    return { status: 200, body: view(found) }
  }),
  route({
    method: 'post',
    path: `${base}/{filter}:rename`,
    id: 'renameFilter',
    tag: 'questions',
    summary: 'Rename a saved filter',
    access: ['write'],
    body: { schema: renamedFilterSchema, example: { to: 'recent-manuals' } },
    answers: { 200: { description: 'Renamed.', schema: savedFilter } },
    repeatable: true,
    problems: ['filter_not_found', 'conflict'],
  }).answer(async (c, { to }) => {
    const done = await objectOf(c).changeFilter(idOf(c, 'filter'), to)
    if (done === 'missing') throw notFound('filter')
    if (done === 'taken') throw new Problem('conflict', 'A saved filter of that name already exists.')
    const renamed = (await objectOf(c).filters(await askerOf(c))).find(({ name }) => name === to)
    if (!renamed) throw notFound('filter')
    return { status: 200, body: view(renamed) }
  }),
  route({
    method: 'delete',
    path: `${base}/{filter}`,
    id: 'deleteFilter',
    tag: 'questions',
    summary: 'Delete a saved filter',
    access: ['write'],
    answers: { 200: { description: 'Deleted.', schema: droppedFilter } },
    repeatable: true,
    problems: ['filter_not_found'],
  }).answer(async (c) => {
    if ((await objectOf(c).changeFilter(idOf(c, 'filter'), null)) === 'missing') throw notFound('filter')
    return { status: 200, body: { status: 'deleted' } }
  }),
]

function view({ name, filters, changed }: SavedFilter) {
  const { document, metadata, language } = filters
  return {
    filter: name,
    ...(document ? { document: [...document] } : {}),
    ...(metadata ? { metadata: metadata as typeof savedFilter._output.metadata } : {}),
    ...(language ? { language: [...language] } : {}),
    changed: isoTime(changed),
  }
}
