/** Keys: create, list, limit, rotate, revoke. A secret is shown once. */

import { key, keySchema, limitKeySchema, mintedKey, rotateKeySchema } from '../../contract/keys'
import { listOf } from '../../contract/pages'
import type { Grant, KeyRecord } from '../../ports/keys'
import { actorOf, type Ctx } from '../context'
import { page, placeOf } from '../cursor'
import { isoTime, isoTimeOrNull } from '../iso-time'
import { cursor, limit } from '../parameters'
import { nameOf } from '../path'
import { newKey, type Principal, visibleUids } from '../principal'
import { type Fault, notFound, Problem } from '../problem'
import { excess } from '../rights'
import { route } from '../route'

const MAX_PREVIOUS = 3 // replaced secrets that are still valid besides the one in use
const MAX_CORPORA = 90 // of a key
const secretly = { 'cache-control': 'no-store' }
const minted = {
  id: '5d1c0f2a9b3e4c77',
  name: 'website',
  scopes: ['read'],
  corpora: ['manuals'],
  principals: [],
  access_choose: false,
  limits: null,
  created_at: '2026-11-21T09:00:00.000Z',
  expires_at: '2027-11-21T09:00:00.000Z',
  last_used_at: null,
}
const RIGHTS =
  'An admin key for certain corpora can create, list, rotate and revoke keys for those alone. No key can create one that opens more, or is valid for longer, than itself.'

export const keyRoutes = [
  route({
    method: 'post',
    path: '/v1/keys',
    id: 'mintKey',
    tag: 'keys',
    summary: 'Create a key',
    description: RIGHTS,
    access: 'admin',
    needsUnlimitedKey: true,
    body: {
      schema: keySchema,
      example: { name: 'website', scopes: ['read'], corpora: ['manuals'], expires_at: '2027-11-21T09:00:00.000Z' },
    },
    answers: {
      201: {
        description: 'Created. The key is shown only this once.',
        schema: mintedKey,
        example: { ...minted, key: 'loam_5d1c0f2a9b3e4c77_…' },
      },
    },
    repeatable: true,
  }).answer(async (c, given) => {
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
    refuseExcess(callerOf(c), record)
    await keys.mint(record, actorOf(c))
    return { status: 201, body: { ...view(record), key }, headers: { location: `/v1/keys/${id}`, ...secretly } }
  }),
  route({
    method: 'get',
    path: '/v1/keys',
    id: 'listKeys',
    tag: 'keys',
    summary: 'List keys, without their secrets',
    access: 'admin',
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of keys.', schema: listOf(key), example: { data: [minted], next_cursor: null } } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    const found = await c.get('world').keys.keys(visibleUids(callerOf(c)), after, limit + 1)
    const { data, next_cursor } = page(found, limit, (record) => record.id)
    return { status: 200, body: { data: data.map(view), next_cursor } }
  }),
  route({
    method: 'delete',
    path: '/v1/keys/{key}',
    id: 'revokeKey',
    tag: 'keys',
    summary: 'Revoke a key',
    description: 'It is refused everywhere within a minute.',
    access: 'admin',
    answers: { 204: { description: 'The key was revoked.' } },
    repeatable: true,
    problems: ['key_not_found'],
  }).answer(async (c) => {
    const { id } = await keyWithinReach(c, c.req.param('key') ?? '')
    const { keys, now } = c.get('world')
    const revoked = await keys.revoke(id, now(), actorOf(c))
    c.get('caches').keys.forget(id)
    if (!revoked) throw notFound('key')
    return { status: 204 }
  }),
  route({
    method: 'patch',
    path: '/v1/keys/{key}',
    id: 'limitKey',
    tag: 'keys',
    summary: 'Limit what a key may use',
    description: 'In effect everywhere within a minute. A key with limits can neither create nor change keys.',
    access: 'admin',
    needsUnlimitedKey: true,
    body: { schema: limitKeySchema, example: { limits: { tokens_a_day: 200_000, requests_a_day: 1000 } } },
    answers: {
      200: { description: 'The key.', schema: key, example: { ...minted, limits: { tokens_a_day: 200_000, requests_a_day: 1000 } } },
    },
    repeatable: true,
    problems: ['key_not_found'],
  }).answer(async (c, { limits }) => {
    const record = await keyWithinReach(c, c.req.param('key') ?? '')
    refuseExcess(callerOf(c), record)
    if (!(await c.get('world').keys.limit(record.id, limits, c.get('world').now(), actorOf(c)))) throw notFound('key')
    c.get('caches').keys.forget(record.id)
    const { limits: _, ...rest } = record
    return { status: 200, body: view(limits ? { ...rest, limits } : rest) }
  }),
  route({
    method: 'post',
    path: '/v1/keys/{key}:rotate',
    id: 'rotateKey',
    tag: 'keys',
    summary: 'Give a key a new secret',
    description:
      'The old secret stays valid until the overlap has passed. Any key may rotate itself; an admin key may rotate those it could create.',
    access: 'self',
    body: { schema: rotateKeySchema, optional: true, example: { overlap: 3600 } },
    answers: {
      200: {
        description: 'Rotated. The new key is shown only this once.',
        schema: mintedKey,
        example: { ...minted, key: 'loam_5d1c0f2a9b3e4c77_…' },
      },
    },
    problems: ['key_not_found', 'conflict'],
    repeatable: true,
  }).answer(async (c, { overlap }) => {
    const caller = callerOf(c)
    const id = nameOf(c, 'key')
    const record = await keyWithinReach(c, id)
    if (caller.id !== id) refuseExcess(caller, record) // whoever rotates a key has it
    const { keys, now } = c.get('world')
    const { key, hash } = await newKey(id)
    const until = now() + overlap * 1000
    const old = [{ hash: record.hash, until }, ...record.previous.map((one) => ({ ...one, until: Math.min(one.until, until) }))]
    const previous = old.filter((one) => one.until > now()).slice(0, MAX_PREVIOUS)
    if (!(await keys.rotate(id, { at: now(), from: record.hash, to: hash, previous }, actorOf(c)))) {
      throw new Problem('conflict', 'The key is being rotated or revoked by another request.')
    }
    c.get('caches').keys.forget(id)
    return { status: 200, body: { ...view(record), key }, headers: secretly }
  }),
]

function callerOf(c: Ctx): Principal {
  const principal = c.get('principal')
  if (!principal) throw new Error('keys: the request has no principal')
  return principal
}

/** The caller's own key, or one that opens nothing that the caller's does not. Any other is treated as if it did not exist. */
async function keyWithinReach(c: Ctx, id: string): Promise<KeyRecord> {
  const caller = callerOf(c)
  const record = await c.get('world').keys.key(id)
  if (!record) throw notFound('key')
  const confined = caller.corpora !== null && caller.id !== id
  if (confined && (!record.corpora?.length || excess(caller, { ...record, expires: caller.expires }).length > 0)) throw notFound('key')
  return record
}

/** Corpora by name as the caller sees them: a key for certain corpora learns nothing about others. */
async function grantsOf(c: Ctx, names: readonly string[]): Promise<readonly Grant[] | null> {
  if (names.includes('*')) return null
  const wanted = [...new Set(names)]
  const found = await uidsOf(c, wanted)
  const lacking = wanted.filter((name) => !found.has(name))
  if (lacking.length > 0) {
    const errors = lacking.map((name): Fault => ({ path: 'corpora', message: `there is no corpus ${name}` }))
    throw new Problem('invalid', 'A key can be created only for corpora that exist.', { errors })
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
  throw new Problem('invalid', 'A key must expire in the future.', { errors: [{ path: 'expires_at', message: 'is in the past' }] })
}

function refuseExcess(giver: Principal, record: KeyRecord): void {
  const errors = excess(giver, record)
  if (errors.length > 0) throw new Problem('invalid', 'A key cannot grant what it does not have.', { errors })
}

function view({ corpora, accessChoose, created, expires, used, ...record }: KeyRecord) {
  const { id, name, scopes, principals, limits = null } = record
  const opened = corpora === null ? ['*'] : corpora.filter(({ isThere }) => isThere).map((one) => one.name)
  const times = { created_at: isoTime(created), expires_at: isoTimeOrNull(expires), last_used_at: isoTimeOrNull(used) }
  return { id, name, scopes, corpora: opened, principals, access_choose: accessChoose, limits, ...times }
}
