/** What taking documents in would cost, before it costs anything but time: so it needs a key, in a public corpus too. */
import { Hono } from 'hono'
import { estimateSchema } from '../../contract/estimates'
import { estimate } from '../../flows/estimate'
import { signedIn, within } from '../access'
import { json, MIB } from '../body'
import { type Http, objectOf } from '../context'
import { Problem } from '../problem'
import { completed } from '../settings'

const LIMIT = 8 * MIB // of JSON, which may need more bytes than the text
const MAX_TEXT = 4 * MIB // characters: texts are cut as indexing cuts them, about a second a MiB, two at worst

export const estimateRoutes = new Hono<Http>().post('/v1/corpora/:corpus/estimate', signedIn, within('read', 'write'), async (c) => {
  const { documents } = await json(c, estimateSchema, LIMIT)
  if (documents.reduce((sum, { text }) => sum + text.length, 0) > MAX_TEXT) {
    throw new Problem('too_large', `An estimate reads at most ${MAX_TEXT} characters of text; ask in parts, and add up.`)
  }
  const { settings, strategies } = c.get('corpus')
  const { measured } = await objectOf(c).usage(null, 1)
  return c.json(estimate(documents, completed(settings), c.get('world').models, { strategies, measured }))
})
