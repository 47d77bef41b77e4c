/** What taking documents in would cost, before it costs anything. */
import { Hono } from 'hono'
import { estimate } from '../../flows/estimate'
import { within } from '../access'
import { json, MIB } from '../body'
import { type Http, objectOf } from '../context'
import { estimateSchema } from '../schemas/documents'
import { completed } from '../settings'

const LIMIT = 16 * MIB

export const estimateRoutes = new Hono<Http>().post('/v1/corpora/:corpus/estimate', within('read', 'write'), async (c) => {
  const { documents } = await json(c, estimateSchema, LIMIT)
  const { settings, strategies } = c.get('corpus')
  const { measured } = await objectOf(c).usage(null, 1)
  return c.json(estimate(documents, completed(settings), c.get('world').models, { strategies, measured }))
})
