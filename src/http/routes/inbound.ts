/**
 * What a webhook brings. An event is verified over its bytes before anything parses them, then accepted by one call to the corpus's
 * object, together with its name: an event sent twice counts once. Senders have no keys.
 */
import { z } from 'zod'
import { type EventReceived, eventContentSchema, eventReceived } from '../../contract/hooks'
import type { Json } from '../../core/graph/types'
import { fingerprint } from '../../core/ids'
import { readEvent } from '../../hooks/events'
import { isFollowed, readPush } from '../../hooks/push'
import { openSecrets, type Vault } from '../../hooks/seal'
import { verifyEvent } from '../../hooks/signature'
import type { DocumentInput } from '../../ports/documents'
import type { HookRecord } from '../../ports/hooks'
import { callAs } from '../acting'
import { MIB, parseJson, parseWith, readBytes, requireLength } from '../body'
import type { Ctx } from '../context'
import { withTexts } from '../files'
import { findCounted, verifyCounted } from '../hook-attempts'
import { header } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import { beginReading, endReading, endReadingOf } from '../reading-turn'
import type { Answered } from '../reply'
import { route } from '../route'
import { unexpired, vaultOf } from '../webhook-secrets'
import { inputOf, requireAccepted } from './taken'

const EVENT_LIMIT = 8 * MIB // as much as a batch: a document's text of 1 MiB and the event around it, or files in base64

export const inboundRoutes = [
  route({
    method: 'post',
    path: '/v1/hooks/{hook}',
    id: 'receiveEvent',
    tag: 'hooks',
    summary: 'Receive an event from a sender',
    description:
      'Needs no key: the signature over the raw body identifies the sender, and is checked before anything is parsed. Timestamps may be off by five minutes. An event that was received before is answered with `duplicate` and changes nothing.',
    access: 'signed',
    parameters: [
      header('webhook-id', 'The id of the event (Standard Webhooks).'),
      header('webhook-timestamp', 'Seconds since the epoch.'),
      header('webhook-signature', '`v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`; several are separated by spaces.'),
      header('x-hub-signature-256', '`sha256=` and the hex of HMAC-SHA-256 over the body (GitHub).'),
      header('x-github-delivery', 'The id of the event (GitHub).'),
    ],
    body: { schema: z.record(z.string(), z.unknown()), example: { id: 'a', text: 'A heron waits.' }, readBy: 'handler' },
    answers: {
      200: { description: 'Received before, nothing new, or nothing that this webhook accepts.', schema: eventReceived },
      202: { description: 'Accepted, or its source is being fetched.', schema: eventReceived, example: { job: 'j_1' } },
    },
    problems: [
      'signature_invalid',
      'rate_limited',
      'hook_not_found',
      'master_key_changed',
      'unsupported_media_type',
      'unreadable_document',
      'model_unavailable',
      'over_budget',
      'corpus_full',
      'storage_full',
      'database_full',
      'index_full',
    ],
  }).answer(async (c) => {
    const { hooks } = c.get('world')
    const name = nameOf(c, 'hook')
    const record = await findCounted(c, name, async () => {
      const found = await hooks.hook(name)
      if (!found) throw notFound('hook')
      return found
    })
    await requireLength(c, EVENT_LIMIT, EVENT_LIMIT)
    try {
      const { body, names } = await genuineBody(c, record)
      if (record.source) return await lookAgain(c, record, record.source, parseJson(body) as Json)
      const content = contentIn(c, record, body)
      if (!content) return { status: 200, body: { status: 'ignored' } }
      return await acceptEvent(c, record, content, names)
    } finally {
      endReading(c)
    }
  }),
]

type Content = ReturnType<typeof eventContentSchema.parse>

/**
 * The event as it was signed, and the names it is known under. An address that failed too often waits for no turn, and takes none
 * from others.
 */
function genuineBody(c: Ctx, record: HookRecord): Promise<{ readonly body: Uint8Array; readonly names: readonly string[] }> {
  return verifyCounted(c, record.id, async () => {
    const { now } = c.get('world')
    await beginReading(c, EVENT_LIMIT)
    const body = await readBytes(c, EVENT_LIMIT)
    const secrets = await openHookSecrets(vaultOf(c), record, now())
    const names = await verifyEvent(record, secrets, { header: (name) => c.req.header(name), body, now: now() })
    if (!names) throw new Problem('signature_invalid', 'The signature or its timestamp is not valid.')
    return { body, names }
  })
}

/** When this returns, nothing holds the event itself, which contains its files once more. */
function contentIn(c: Ctx, { preset, mapping }: HookRecord, body: Uint8Array): Content | null {
  const content = readEvent(preset, mapping, c.req.header('x-github-event') ?? '', parseJson(body) as Json)
  return content && parseWith(eventContentSchema, content)
}

/**
 * A push to the branch that the hook's source follows: it checks now, or when a pause is over. Checking twice is harmless: what has
 * not changed costs nothing.
 */
async function lookAgain(c: Ctx, { id, uid }: HookRecord, followed: string, event: Json): Promise<Answered<200 | 202, EventReceived>> {
  const push = c.req.header('x-github-event') === 'push' ? readPush(event) : null
  const object = callAs(c.get('world').outbound(uid), { key: id, door: 'hook' })
  const record = push && (await object.source(followed, 'all'))
  if (!record || !isFollowed(record, push) || record.status === 'removing') return { status: 200, body: { status: 'ignored' } }
  await object.askSource(followed, { kind: 'push' })
  return { status: 202, body: { status: 'looking' } }
}

async function acceptEvent(
  c: Ctx,
  record: HookRecord,
  content: Content,
  names: readonly string[],
): Promise<Answered<200 | 202, EventReceived>> {
  const by = { key: record.id, door: 'hook' } as const
  const upserts = (await withTexts(c, content.upserts, { uid: record.uid, by }, (n) => `upserts.${n}`)).map(
    ({ id, access: _, ...rest }): DocumentInput => {
      return { id, ...inputOf(rest), ...(record.access.length > 0 ? { access: record.access } : {}) }
    },
  )
  endReadingOf(c, upserts)
  if (upserts.length + content.deletes.length === 0) return { status: 200, body: { status: 'ignored' } }
  const kind = upserts.length === 0 ? 'delete' : upserts.length === 1 && content.deletes.length === 0 ? 'ingest' : 'batch'
  // The sender's own names of events are not shown.
  const events = names.map((name) => fingerprint(record.id, name))
  const object = callAs(c.get('world').corpus(record.uid), by)
  const accepted = await object.accept({ kind, upserts, deletes: content.deletes, events })
  if (accepted.kind === 'duplicate')
    return { status: 200, body: { status: 'duplicate', ...(accepted.job === null ? {} : { job: accepted.job }) } }
  if (accepted.kind === 'unchanged' || accepted.kind === 'missing') return { status: 200, body: { status: 'unchanged' } }
  if (accepted.kind === 'gone') throw notFound('hook')
  return { status: 202, body: { job: requireAccepted(accepted).job } }
}

/** If no secret opens, it cannot be determined whether the event is signed: that is the deployment's fault and not the sender's. */
async function openHookSecrets(vault: Vault, record: HookRecord, now: number): Promise<string[]> {
  if (record.secrets.length === 0) throw new Problem('signature_invalid', 'This webhook was restored from a backup and has no secret yet.')
  const found = await openSecrets(vault, unexpired(record, now), record.id)
  if (found.length > 0) return found.map(({ secret }) => secret)
  const detail =
    'The secret of this webhook was sealed under another MASTER_KEY. Set that key again; or rotate the webhook (POST …/hooks/{hook}:rotate) and give its sender the new secret.'
  throw new Problem('master_key_changed', detail, { retryAfter: 300 })
}
