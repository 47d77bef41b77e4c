/** Keys: minted, listed, revoked. The key itself is shown once. */
import { Hono } from 'hono'
import type { KeyRecord } from '../../catalogue-ports'
import { wholeAdmin } from '../access'
import { json } from '../body'
import type { Http } from '../context'
import { page, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { newKey } from '../principal'
import { Problem } from '../problem'
import { keySchema } from '../schemas/corpora'

export const keyRoutes = new Hono<Http>()
  .post('/v1/keys', wholeAdmin, repeatable(), async (c) => {
    const asked = await json(c, keySchema)
    const { catalogue, now } = c.get('world')
    const { id, key, hash } = await newKey()
    const record: KeyRecord = {
      id,
      hash,
      name: asked.name,
      scopes: [...new Set(asked.scopes)],
      corpora: [...new Set(asked.corpora)],
      created: now(),
      principals: [...new Set(asked.principals)].sort(),
      accessChoose: asked.access_choose,
    }
    await catalogue.mint(record)
    return c.json({ ...view(record), key }, 201, { location: `/v1/keys/${id}`, 'cache-control': 'no-store' })
  })
  .get('/v1/keys', wholeAdmin, async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = page(await c.get('world').catalogue.keys(after, limit + 1), limit, (record) => record.id)
    return c.json({ data: data.map(view), next_cursor })
  })
  .delete('/v1/keys/:id', wholeAdmin, async (c) => {
    const id = c.req.param('id')
    const { catalogue, now } = c.get('world')
    const revoked = await catalogue.revoke(id, now())
    c.get('caches').keys.forget(id)
    if (!revoked) throw new Problem('key_not_found', 'There is no such key.')
    return c.body(null, 204)
  })

function view({ id, name, scopes, corpora, principals, accessChoose, created }: KeyRecord) {
  return { id, name, scopes, corpora, principals, access_choose: accessChoose, created_at: new Date(created).toISOString() }
}
