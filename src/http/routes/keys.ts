/** Keys: made, listed, rotated, revoked. A secret is shown once. */
import { Hono } from 'hono'
import { keySchema, limitKeySchema, rotateKeySchema } from '../../contract/keys'
import type { Grant, KeyRecord } from '../../ports/keys'
import { asAdmin, noScope, signedIn } from '../access'
import { json } from '../body'
import { actorOf, type Ctx, type Http } from '../context'
import { page, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { may, newKey, type Principal, uidsSeen } from '../principal'
import { type Fault, Problem } from '../problem'
import { takes } from '../query'
import { excess } from '../rights'

const MAX_PREVIOUS = 3 // replaced secrets that are good beside the one in use
const MAX_CORPORA = 90 // of a key
const secretly = { 'cache-control': 'no-store' }

export const keyRoutes = new Hono<Http>()
  .post('/v1/keys', asAdmin, repeatable(), async (c) => {
    const given = await json(c, keySchema)
    const { keys, now } = c.get('world')
    const { id, key, hash } = await newKey()
    const record: KeyRecord = {
      id,
      hash,
      previous: [],
      name: given.name,
      scopes: [...new Set(given.scopes)],
      corpora: await grantsOf(c, given.corpora),
      created: now(),
      principals: given.principals,
      accessChoose: given.access_choose,
      expires: expiryOf(c, given.expires_at),
      used: null,
      ...(given.limits ? { limits: given.limits } : {}),
    }
    refuseLimited(c)
    refuseExcess(callerOf(c), record)
    await keys.mint(record, actorOf(c))
    return c.json({ ...view(record), key }, 201, { location: `/v1/keys/${id}`, ...secretly })
  })
  .get('/v1/keys', takes('cursor', 'limit'), asAdmin, async (c) => {
    const { after, limit } = placeOf(c)
    const found = await c.get('world').keys.keys(uidsSeen(callerOf(c)), after, limit + 1)
    const { data, next_cursor } = page(found, limit, (record) => record.id)
    return c.json({ data: data.map(view), next_cursor })
  })
  .delete('/v1/keys/:id', asAdmin, async (c) => {
    const { id } = await withinReach(c, c.req.param('id'))
    const { keys, now } = c.get('world')
    const revoked = await keys.revoke(id, now(), actorOf(c))
    c.get('caches').keys.forget(id)
    if (!revoked) throw noSuchKey()
    return c.body(null, 204)
  })
  .patch('/v1/keys/:id', asAdmin, async (c) => {
    const { limits } = await json(c, limitKeySchema)
    refuseLimited(c)
    const record = await withinReach(c, c.req.param('id'))
    refuseExcess(callerOf(c), record)
    if (!(await c.get('world').keys.limit(record.id, limits, c.get('world').now(), actorOf(c)))) throw noSuchKey()
    c.get('caches').keys.forget(record.id)
    const { limits: _, ...rest } = record
    return c.json(view(limits ? { ...rest, limits } : rest))
  })
  .post('/v1/keys/:id{[^/:]+:rotate}', signedIn, repeatable(), async (c) => {
    const { overlap } = await json(c, rotateKeySchema)
    const caller = callerOf(c)
    const id = c.req.param('id').replace(/:rotate$/, '')
    if (caller.id !== id && !may(caller, 'admin')) throw noScope(['admin'])
    const record = await withinReach(c, id)
    if (caller.id !== id) refuseExcess(caller, record) // who rotates a key has it
    const { keys, now } = c.get('world')
    const { key, hash } = await newKey(id)
    const until = now() + overlap * 1000
    const old = [{ hash: record.hash, until }, ...record.previous.map((one) => ({ ...one, until: Math.min(one.until, until) }))]
    const previous = old.filter((one) => one.until > now()).slice(0, MAX_PREVIOUS)
    if (!(await keys.rotate(id, { at: now(), from: record.hash, to: hash, previous }, actorOf(c)))) {
      throw new Problem('conflict', 'The key is being rotated or revoked by another request.')
    }
    c.get('caches').keys.forget(id)
    return c.json({ ...view(record), key }, 200, secretly)
  })

/** Whoever made keys could use as many days as keys. */
function refuseLimited(c: Ctx): void {
  if (callerOf(c).limits) throw new Problem('forbidden', 'A key with limits makes no keys and changes none.')
}

const noSuchKey = (): Problem => new Problem('key_not_found', 'There is no such key.')

function callerOf(c: Ctx): Principal {
  const principal = c.get('principal')
  if (!principal) throw new Error('keys: nobody calls')
  return principal
}

/** The caller's own key, or one that opens nothing the caller does not. Any other is as one that is not there. */
async function withinReach(c: Ctx, id: string): Promise<KeyRecord> {
  const caller = callerOf(c)
  const record = await c.get('world').keys.key(id)
  if (!record) throw noSuchKey()
  const confined = caller.corpora !== null && caller.id !== id
  if (confined && (!record.corpora?.length || excess(caller, { ...record, expires: caller.expires }).length > 0)) throw noSuchKey()
  return record
}

/** By name as the caller sees them: a key that names its corpora learns nothing of others. */
async function grantsOf(c: Ctx, names: readonly string[]): Promise<readonly Grant[] | null> {
  if (names.includes('*')) return null
  const wanted = [...new Set(names)]
  const found = await uidsOf(c, wanted)
  const lacking = wanted.filter((name) => !found.has(name))
  if (lacking.length > 0) {
    const errors = lacking.map((name): Fault => ({ path: 'corpora', message: `there is no corpus ${name}` }))
    throw new Problem('invalid', 'A key is made for corpora that are there.', { errors })
  }
  return wanted.map((name) => ({ name, uid: found.get(name) ?? '', isThere: true }))
}

async function uidsOf(c: Ctx, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { catalogue } = c.get('world')
  const own = callerOf(c).corpora
  const known = own === null ? names : names.filter((name) => own.has(name))
  const records = await Promise.all(known.slice(0, MAX_CORPORA).map((name) => catalogue.corpus(name, own?.get(name))))
  const opened = records.filter((record) => record !== null && (own?.get(record.name) ?? record.uid) === record.uid)
  return new Map(opened.flatMap((record) => (record ? [[record.name, record.uid]] : [])))
}

function expiryOf(c: Ctx, given: string | null | undefined): number | null {
  if (given == null) return callerOf(c).expires
  const expires = Date.parse(given)
  if (expires > c.get('world').now()) return expires
  throw new Problem('invalid', 'A key expires in the future.', { errors: [{ path: 'expires_at', message: 'is over' }] })
}

function refuseExcess(giver: Principal, record: KeyRecord): void {
  const errors = excess(giver, record)
  if (errors.length > 0) throw new Problem('invalid', 'A key gives nothing it does not have.', { errors })
}

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function view({ corpora, accessChoose, created, expires, used, ...record }: KeyRecord) {
  const { id, name, scopes, principals, limits = null } = record
  const opened = corpora === null ? ['*'] : corpora.filter(({ isThere }) => isThere).map((one) => one.name)
  const times = { created_at: time(created), expires_at: time(expires), last_used_at: time(used) }
  return { id, name, scopes, corpora: opened, principals, access_choose: accessChoose, limits, ...times }
}
