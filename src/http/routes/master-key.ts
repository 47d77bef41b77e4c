/**
 * The progress of sealing secrets again under another master key, and sealing another page for those who wait. For admin keys of all
 * corpora.
 */

import { masterKey } from '../../contract/deployment'
import { resealPage, resealProgress } from '../../flows/reseal'
import type { Ctx } from '../context'
import { route } from '../route'
import { vaultOf } from '../webhook-secrets'

const example = {
  key: 'mZ0x3kQf',
  older_keys: 1,
  status: 'resealing' as const,
  resealed: 41,
  unreadable: 0,
  repeat: 0,
  left: { webhooks: 0, corpora: 12 },
}
const answers = { 200: { description: 'The progress.', schema: masterKey, example } }

export const masterKeyRoutes = [
  route({
    method: 'get',
    path: '/v1/master-key',
    id: 'getMasterKey',
    tag: 'keys',
    summary: 'Get the progress of resealing secrets under another master key',
    description: 'Needs an admin key for all corpora.',
    access: 'deployment',
    answers,
    problems: ['invalid', 'unavailable'],
  }).answer(async (c) => ({ status: 200, body: await resealProgress(partsOf(c)) })),
  route({
    method: 'post',
    path: '/v1/master-key:reseal',
    id: 'reseal',
    tag: 'keys',
    summary: 'Reseal another page of secrets',
    description:
      'The schedule does the same every few minutes; this is for those who do not want to wait. Repeating it does no harm. Needs an admin key for all corpora.',
    access: 'deployment',
    answers,
    problems: ['invalid', 'unavailable'],
  }).answer(async (c) => {
    await resealPage(partsOf(c))
    return { status: 200, body: await resealProgress(partsOf(c)) }
  }),
]

function partsOf(c: Ctx) {
  const { reseal: store, outbound, now } = c.get('world')
  return { vault: vaultOf(c), store, outbound, now }
}
