/** What indexing documents would cost, before it costs anything but time; so it needs a key, even in a public corpus. */

import { estimate, estimateSchema } from '../../contract/estimates'
import { estimate as estimated } from '../../flows/estimate'
import { withRoleModels } from '../../flows/role-models'
import { MIB } from '../body'
import { objectOf } from '../context'
import { Problem } from '../problem'
import { route } from '../route'

const LIMIT = 8 * MIB // of JSON, which may need more bytes than the text
const MAX_TEXT = 4 * MIB // characters: texts are cut as indexing cuts them, about a second a MiB, two at worst
const text = 'Bread is baked in the old mill on Tuesdays.'

export const estimateRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/estimate',
    id: 'estimateDocuments',
    tag: 'documents',
    summary: 'Estimate what indexing documents would cost',
    description:
      'Per strategy, with bounds, for at most 4 Mi characters. Chunks whose entities and relations come with their document (`graph`) do not count as read by a model for these. Free of charge; nothing is stored.',
    access: ['read', 'write'],
    needsKey: true,
    body: { schema: estimateSchema, limit: LIMIT, example: { documents: [{ text }] } },
    answers: { 200: { description: 'The estimate.', schema: estimate } },
  }).answer(async (c, { documents }) => {
    if (documents.reduce((sum, { text }) => sum + text.length, 0) > MAX_TEXT) {
      throw new Problem('too_large', `An estimate reads at most ${MAX_TEXT} characters of text. Ask in parts and add them up.`)
    }
    const { settings, strategies } = c.get('corpus')
    const counted = documents.map(({ title, text, graph }) => ({ title, text, ...(graph ? { brought: graph } : {}) }))
    const { measured } = await objectOf(c).usage(null, 1, 'all')
    return {
      status: 200,
      body: estimated(counted, settings, withRoleModels(c.get('world').models, settings.roleModels), { strategies, measured }),
    }
  }),
]
