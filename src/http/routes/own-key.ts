/** Tells a key what it may do. */

import { ownKey } from '../../contract/keys'
import { noKey } from '../access'
import { isoTimeOrNull } from '../iso-time'
import { route } from '../route'

export const ownKeyRoutes = [
  route({
    method: 'get',
    path: '/v1/keys/self',
    id: 'getOwnKey',
    tag: 'keys',
    summary: 'Get what this key may do',
    description: 'The rights of the key that asks, without its secret or name.',
    access: 'key',
    answers: {
      200: {
        description: 'The key’s rights.',
        schema: ownKey,
        example: {
          id: '5d1c0f2a9b3e4c77',
          scopes: ['read'],
          corpora: ['manuals'],
          principals: ['group:finance'],
          access_choose: false,
          limits: null,
          expires_at: '2027-11-21T09:00:00.000Z',
        },
      },
    },
  }).answer((c) => {
    const caller = c.get('principal')
    if (!caller) throw noKey()
    const { id, scopes, corpora, principals, accessChoose, limits = null, expires } = caller
    const opened = corpora === null ? ['*'] : [...corpora.keys()]
    const rights = { scopes: [...scopes], corpora: opened, principals: [...principals], access_choose: accessChoose }
    return { status: 200, body: { id, ...rights, limits, expires_at: isoTimeOrNull(expires) } }
  }),
]
