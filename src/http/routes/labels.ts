/** Labels and classification, where the corpus has GORAG switched on. */
import { Hono } from 'hono'
import { classifySchema, labelSchema, sinceSchema } from '../../contract/labels'
import { type ClassifyDeps, classifyText, putLabel } from '../../flows/classify'
import { within } from '../access'
import { json, MIB } from '../body'
import { type Ctx, type Http, objectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { keyKeeper } from '../key-limits'
import { idAt } from '../path'
import { may } from '../principal'
import { Problem } from '../problem'
import { takes } from '../query'
import { configOf } from './corpora'

const ID = 4 // place of the label or learned id in the path
const EXAMPLES_LIMIT = 8 * MIB
const base = '/v1/corpora/:corpus'

export const labelRoutes = new Hono<Http>()
  .put(`${base}/labels/:label`, within('write'), repeatable(EXAMPLES_LIMIT), async (c) => {
    const label = idAt(c, ID)
    const { description, examples } = await json(c, labelSchema, EXAMPLES_LIMIT)
    const view = await putLabel(gorag(c), { id: label, description: description ?? '', examples })
    if (!view) throw overBudget()
    // A stored answer outlives what it is about: it names the examples, and does not repeat them.
    return c.json({ ...view, examples: view.examples.map(({ id }) => ({ id })) })
  })
  .get(`${base}/labels`, takes('cursor', 'limit'), within('read'), async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = await gorag(c).corpus.labels(after === '' ? null : after, limit)
    return c.json({ data, next_cursor: next_cursor === null ? null : encode(next_cursor) })
  })
  .delete(`${base}/labels/:label`, within('write'), async (c) => c.json(known(await gorag(c).corpus.dropLabel(idAt(c, ID)))))
  .post(`${base}/classify`, within('read', 'write'), repeatable(EXAMPLES_LIMIT), async (c) => {
    const { text, learn = false } = await json(c, classifySchema, EXAMPLES_LIMIT)
    const principal = c.get('principal')
    const needed = learn ? 'write' : 'read'
    if (!(principal ? may(principal, needed) : !learn)) throw new Problem('forbidden', `This key lacks the scope ${needed}.`)
    return c.json(await classifyText(gorag(c), { text, learn }))
  })
  .delete(`${base}/learned/:id`, within('write'), async (c) => c.json(known(await gorag(c).corpus.unlearn({ id: idAt(c, ID) }))))
  .delete(`${base}/learned`, takes('since'), within('write'), async (c) => {
    const undone = await gorag(c).corpus.unlearn({ since: sinceOf(c) })
    return c.json({ status: undone ? 'deleted' : 'unchanged' })
  })

/** A label without vectors would be found by its keywords alone, for good. */
export const overBudget = () => new Problem('over_budget', 'The budget does not cover the vectors of this label.')

/** What classifying needs, or a problem where the corpus has not switched it on. */
export function gorag(c: Ctx): ClassifyDeps {
  if (!c.get('corpus').strategies.includes('gorag')) throw new Problem('strategy_not_enabled', 'This corpus has not enabled gorag.')
  const world = c.get('world')
  const { models, later } = world
  const config = configOf(world, c.get('corpus'))
  return { corpus: objectOf(c), config, models, key: keyKeeper(c, config.prices), later }
}

/** From when on; required, so that nobody forgets everything by leaving it out. */
function sinceOf(c: Ctx): number {
  const parsed = sinceSchema.safeParse(c.req.query('since'))
  if (parsed.success) return Date.parse(parsed.data)
  throw new Problem('invalid', 'Say since when, as a time of ISO 8601.', { errors: [{ path: 'since', message: 'not a time' }] })
}

function known(there: boolean): { readonly status: 'deleted' } {
  if (!there) throw new Problem('label_not_found', 'There is no such label or learned text.')
  return { status: 'deleted' }
}
