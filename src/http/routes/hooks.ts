/** Webhooks, through which other systems send documents: create, list, rotate, remove. What they bring: inbound.ts. */

import { hook, hookSchema, rotateSchema, shownHook } from '../../contract/hooks'
import { listOf } from '../../contract/pages'
import { sealOverlapping } from '../../hooks/seal'
import type { HookRecord } from '../../ports/hooks'
import { askerOf } from '../asker'
import { actorOf, type Ctx, enteredAction, objectOf, outboundObjectOf } from '../context'
import { page, placeOf } from '../cursor'
import { isoTime } from '../iso-time'
import { cursor, limit } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { MAX_SECRETS, requireUsableSecret, unexpired, vaultOf } from '../webhook-secrets'

const MAX_HOOKS = 100 // per corpus

export const hookRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/hooks',
    id: 'createHook',
    tag: 'hooks',
    summary: 'Create a webhook that lets another system send signed documents',
    description:
      'Presets: `standard` and `generic` (Standard Webhooks headers), `github` (`X-Hub-Signature-256`), `hmac` (an HMAC-SHA-256 in the header and form that `signature` describes). Without a mapping `standard`, `generic` and `hmac` accept `{id, text, title?, url?, metadata?}`, flat or under `data`, and `{id, deleted: true}`. `github` accepts release notes and the messages of pushed commits; or, with `source`, it fetches that source at once when the branch it follows is pushed to.',
    access: ['write'],
    enters: 'hook.create',
    body: {
      schema: hookSchema,
      example: {
        preset: 'generic',
        mapping: { id: '/page/id', text: '/page/body', title: '/page/title', deleted: { pointer: '/event', equals: 'page.removed' } },
      },
    },
    answers: { 201: { description: 'The webhook was created.', schema: shownHook } },
    problems: ['conflict'],
    repeatable: true,
  }).answer(async (c, { preset, mapping, signature, secret: given, source, access }) => {
    if (source != null) await requireRepository(c, source)
    const secret = requireUsableSecret(preset, given)
    const { hooks, now } = c.get('world')
    const { uid } = c.get('corpus')
    if ((await hooks.hooks(uid, '', MAX_HOOKS)).length >= MAX_HOOKS) {
      throw new Problem('conflict', `A corpus may have at most ${MAX_HOOKS} webhooks.`)
    }
    const id = `wh_${crypto.randomUUID().replaceAll('-', '')}`
    const secrets = [{ sealed: await vaultOf(c).seal(secret, id), until: null }]
    const how = { mapping: mapping ?? null, signature: signature ?? null, source: source ?? null }
    const record: HookRecord = { id, uid, preset, ...how, secrets, created: now(), access }
    await enterHook(c, id)
    if (!(await hooks.add(record))) throw notFound('corpus')
    return { status: 201, body: { ...view(c, record), secret }, headers: { 'cache-control': 'no-store' } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/hooks',
    id: 'listHooks',
    tag: 'hooks',
    summary: 'List the webhooks of a corpus',
    access: ['write'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of webhooks, without secrets.', schema: listOf(hook) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = page(await c.get('world').hooks.hooks(c.get('corpus').uid, after, limit + 1), limit, (one) => one.id)
    return { status: 200, body: { data: data.map((one) => view(c, one)), next_cursor } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/hooks/{hook}',
    id: 'getHook',
    tag: 'hooks',
    summary: 'Get a webhook',
    access: ['write'],
    answers: { 200: { description: 'The webhook, without its secret.', schema: hook } },
    problems: ['hook_not_found'],
  }).answer(async (c) => ({ status: 200, body: view(c, await hookOf(c)) })),
  route({
    method: 'delete',
    path: '/v1/corpora/{corpus}/hooks/{hook}',
    id: 'deleteHook',
    tag: 'hooks',
    summary: 'Delete a webhook',
    access: ['write'],
    enters: 'hook.delete',
    answers: { 204: { description: 'The webhook and its secrets were deleted.' } },
    repeatable: true,
    problems: ['hook_not_found'],
  }).answer(async (c) => {
    const { id } = await hookOf(c)
    await enterHook(c, id)
    if (!(await c.get('world').hooks.remove(c.get('corpus').uid, id))) throw notFound('hook')
    return { status: 204 }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/hooks/{hook}:rotate',
    id: 'rotateHook',
    tag: 'hooks',
    summary: 'Rotate the secret of a webhook; the old one stays valid for `overlap` more seconds',
    access: ['write'],
    enters: 'hook.rotate',
    body: { schema: rotateSchema, optional: true, example: { overlap: 3600 } },
    answers: { 200: { description: 'The secret was rotated.', schema: shownHook } },
    problems: ['hook_not_found'],
    repeatable: true,
  }).answer(async (c, { secret: given, overlap }) => {
    const record = await hookOf(c)
    const secret = requireUsableSecret(record.preset, given)
    const { hooks, now } = c.get('world')
    const sealed = await vaultOf(c).seal(secret, record.id)
    const until = now() + overlap * 1000
    const old = await sealOverlapping(vaultOf(c), unexpired(record, now()), { name: record.id, until })
    await enterHook(c, record.id)
    await hooks.rotate(record.id, [{ sealed, until: null }, ...old.filter((one) => one.until > now())].slice(0, MAX_SECRETS))
    return { status: 200, body: { ...view(c, record), secret }, headers: { 'cache-control': 'no-store' } }
  }),
]

/** A webhook is kept with the keys, so a change is logged before it is made: no change is missing, and a failed one may be listed. */
function enterHook(c: Ctx, subject: string): Promise<void> {
  return objectOf(c).noteAudit([{ action: enteredAction(c), subject, outcome: 'asked' }], actorOf(c))
}

async function hookOf(c: Ctx): Promise<HookRecord> {
  const record = await c.get('world').hooks.hook(nameOf(c, 'hook'))
  if (!record || record.uid !== c.get('corpus').uid) throw notFound('hook')
  return record
}

/** A source that the caller could see, too. */
async function requireRepository(c: Ctx, id: string): Promise<void> {
  const record = await outboundObjectOf(c).source(id, await askerOf(c))
  if (record?.kind === 'github') return
  const message = record ? 'is not a source of kind `github`' : 'does not exist'
  throw new Problem('invalid', 'A push cannot fetch this source; see `errors`.', { errors: [{ path: 'source', message }] })
}

function view(c: Ctx, { id, preset, mapping, signature = null, source = null, access, created }: HookRecord) {
  const url = new URL(`/v1/hooks/${id}`, c.req.url).href
  return { hook: id, url, preset, mapping, signature, source, access, created_at: isoTime(created) }
}
