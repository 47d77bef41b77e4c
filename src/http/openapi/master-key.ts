import { masterKey } from '../../contract/deployment'
import type { Operation } from './operation'

const example = {
  key: 'mZ0x3kQf',
  older_keys: 1,
  status: 'resealing' as const,
  resealed: 41,
  unreadable: 0,
  left: { webhooks: 0, corpora: 12 },
}
const answers = { 200: { description: 'How far it is.', schema: masterKey, example } }

export const masterKeyOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/master-key',
    id: 'getMasterKey',
    tag: 'keys',
    summary: 'How far secrets have been sealed anew under another master key',
    description: 'Needs an admin key for all corpora.',
    access: 'admin',
    parameters: [],
    answers,
    problems: ['invalid', 'unavailable'],
  },
  {
    method: 'post',
    path: '/v1/master-key:reseal',
    id: 'reseal',
    tag: 'keys',
    summary: 'Seal a further page of secrets anew',
    description:
      'The schedule does the same every few minutes; this is for who waits for it. Repeating it does no harm. Needs an admin key for all corpora.',
    access: 'admin',
    parameters: [],
    answers,
    problems: ['invalid', 'unavailable'],
  },
]
