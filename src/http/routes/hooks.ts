/**
 * Webhooks: made, listed, rotated, removed, and what they bring. An event is verified over its bytes before anything parses them, then
 * taken in by one call to the corpus's object, together with its name: twice the same event is once.
 */
import { Hono } from 'hono'
import type { Preset } from '../../contract/hooks'
import { hookSchema, rotateSchema, saidSchema } from '../../contract/hooks'
import type { Json } from '../../core/graph/types'
import { fingerprint } from '../../core/ids'
import { saidBy } from '../../hooks/events'
import { openable, overlapping, type Vault } from '../../hooks/seal'
import { eventOf, keyOf, newSecret } from '../../hooks/signature'
import type { DocumentInput } from '../../ports/documents'
import type { HookRecord } from '../../ports/hooks'
import { noCorpus, within } from '../access'
import { acting } from '../acting'
import { bytesOf, checked, json, MIB, parsed } from '../body'
import { actorOf, type Ctx, type Http, objectOf } from '../context'
import { page, placeOf } from '../cursor'
import { foundFrom, genuineFrom } from '../hook-attempts'
import { repeatable } from '../idempotency'
import { Problem } from '../problem'
import { takes } from '../query'
import { taken } from './documents'

const EVENT_LIMIT = 2 * MIB // a document's text of 1 MiB and what stands around it
const MOST_HOOKS = 100 // per corpus
const MOST_SECRETS = 4 // at once: the one in use and those that overlap
const base = '/v1/corpora/:corpus/hooks'
const PATH = '/v1/hooks/:hook'

export const hookRoutes = new Hono<Http>()
  .post(base, within('write'), repeatable(), async (c) => {
    const { preset, mapping, secret: given, access } = await json(c, hookSchema)
    const secret = usable(preset, given)
    const { hooks, now } = c.get('world')
    const { uid } = c.get('corpus')
    if ((await hooks.hooks(uid, '', MOST_HOOKS)).length >= MOST_HOOKS) {
      throw new Problem('conflict', `A corpus may have ${MOST_HOOKS} webhooks.`)
    }
    const id = `wh_${crypto.randomUUID().replaceAll('-', '')}`
    const secrets = [{ sealed: await vaultOf(c).seal(secret, id), until: null }]
    const record: HookRecord = { id, uid, preset, mapping: mapping ?? null, secrets, created: now(), access }
    await enterHook(c, 'hook.create', id)
    if (!(await hooks.add(record))) throw noCorpus()
    return c.json({ ...view(c, record), secret }, 201, { 'cache-control': 'no-store' })
  })
  .get(base, takes('cursor', 'limit'), within('write'), async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = page(await c.get('world').hooks.hooks(c.get('corpus').uid, after, limit + 1), limit, (one) => one.id)
    return c.json({ data: data.map((one) => view(c, one)), next_cursor })
  })
  .get(`${base}/:hook{[^/:]+}`, within('write'), async (c) => c.json(view(c, await hookOf(c))))
  .delete(`${base}/:hook{[^/:]+}`, within('write'), async (c) => {
    const { id } = await hookOf(c)
    await enterHook(c, 'hook.delete', id)
    if (!(await c.get('world').hooks.remove(c.get('corpus').uid, id))) throw noHook()
    return c.body(null, 204)
  })
  .post(`${base}/:hook{[^/:]+:rotate}`, within('write'), repeatable(), async (c) => {
    const { secret: given, overlap } = await json(c, rotateSchema)
    const record = await hookOf(c)
    const secret = usable(record.preset, given)
    const { hooks, now } = c.get('world')
    const sealed = await vaultOf(c).seal(secret, record.id)
    const until = now() + overlap * 1000
    const old = await overlapping(vaultOf(c), living(record, now()), { name: record.id, until })
    await enterHook(c, 'hook.rotate', record.id)
    await hooks.rotate(record.id, [{ sealed, until: null }, ...old.filter((one) => one.until > now())].slice(0, MOST_SECRETS))
    return c.json({ ...view(c, record), secret }, 200, { 'cache-control': 'no-store' })
  })

/** Stands before the door that asks for keys: senders have none. */
export const inboundRoutes = new Hono<Http>().post(PATH, async (c) => {
  const { hooks, now } = c.get('world')
  const record = await foundFrom(c, nameOf(c), async () => {
    const found = await hooks.hook(nameOf(c))
    if (!found) throw noHook()
    return found
  })
  const { body, names } = await genuineFrom(c, record.id, async () => {
    const body = new Uint8Array(await bytesOf(c, EVENT_LIMIT))
    const secrets = await opened(vaultOf(c), record, now())
    const names = await eventOf(record.preset, secrets, { header: (name) => c.req.header(name), body, now: now() })
    if (!names) throw new Problem('signature_invalid', 'The signature or its timestamp is not valid.')
    return { body, names }
  })
  const said = saidBy(record.preset, record.mapping, c.req.header('x-github-event') ?? '', parsed(body) as Json)
  if (!said) return c.json({ status: 'ignored' })
  return takeIn(c, record, checked(saidSchema, said), names)
})

async function takeIn(c: Ctx, record: HookRecord, said: ReturnType<typeof saidSchema.parse>, names: readonly string[]): Promise<Response> {
  const upserts = said.upserts.map(({ id, text, title, url, metadata }): DocumentInput => {
    return {
      id,
      text,
      title: title ?? '',
      url: url ?? null,
      metadata: metadata ?? {},
      ...(record.access.length > 0 ? { access: record.access } : {}),
    }
  })
  if (upserts.length + said.deletes.length === 0) return c.json({ status: 'ignored' })
  const kind = upserts.length === 0 ? 'delete' : upserts.length === 1 && said.deletes.length === 0 ? 'ingest' : 'batch'
  // What the sender calls its events stays with the sender.
  const events = names.map((name) => fingerprint(record.id, name))
  const object = acting(c.get('world').corpus(record.uid), { key: record.id, door: 'hook' })
  const accepted = await object.accept({ kind, upserts, deletes: said.deletes, events })
  if (accepted.kind === 'duplicate') return c.json({ status: 'duplicate', ...(accepted.job === null ? {} : { job: accepted.job }) })
  if (accepted.kind === 'unchanged' || accepted.kind === 'missing') return c.json({ status: 'unchanged' })
  if (accepted.kind === 'gone') throw noHook()
  return c.json({ job: taken(accepted).job }, 202)
}

/** A webhook is kept beside the keys, and so entered before it is changed: no change is missing, and one that failed may stand there. */
function enterHook(c: Ctx, action: string, subject: string): Promise<void> {
  return objectOf(c).noteAudit([{ action, subject, outcome: 'asked' }], actorOf(c))
}

const noHook = () => new Problem('hook_not_found', 'There is no such webhook.')
const nameOf = (c: Ctx): string => (c.req.param('hook') ?? '').split(':')[0] ?? ''

async function hookOf(c: Ctx): Promise<HookRecord> {
  const record = await c.get('world').hooks.hook(nameOf(c))
  if (!record || record.uid !== c.get('corpus').uid) throw noHook()
  return record
}

export function vaultOf(c: Ctx): Vault {
  const { vault } = c.get('world')
  if (!vault) throw new Problem('unavailable', 'The secret MASTER_KEY is not set, so webhook secrets cannot be kept.', { retryAfter: 60 })
  return vault
}

function usable(preset: Preset, given: string | null | undefined): string {
  const secret = given ?? newSecret()
  if (keyOf(preset, secret) === null) {
    const message = preset === 'standard' ? '`whsec_` and 16 to 128 bytes as base64' : '16 to 128 bytes'
    throw new Problem('invalid', 'The secret is not usable.', { errors: [{ path: 'secret', message }] })
  }
  return secret
}

function living(record: HookRecord, now: number): HookRecord['secrets'] {
  return record.secrets.filter((one) => one.until === null || one.until > now)
}

/** Signed or not, nothing can be told where no secret opens: that is the deployment's fault and not the sender's. */
async function opened(vault: Vault, record: HookRecord, now: number): Promise<string[]> {
  const found = await openable(vault, living(record, now), record.id)
  if (found.length > 0) return found.map(({ secret }) => secret)
  const detail =
    'The secret of this webhook was sealed under another MASTER_KEY. Set that key again; or rotate the webhook (POST …/hooks/{hook}:rotate) and give its sender the new secret.'
  throw new Problem('master_key_changed', detail, { retryAfter: 300 })
}

function view(c: Ctx, { id, preset, mapping, access, created }: HookRecord) {
  const url = new URL(`/v1/hooks/${id}`, c.req.url).href
  return { hook: id, url, preset, mapping, access, created_at: new Date(created).toISOString() }
}
