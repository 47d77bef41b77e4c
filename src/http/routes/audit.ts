/** Audit logs: of a corpus, kept by its object; of the deployment, kept beside the keys. Newest first. */

import { auditEntry, deploymentEntry } from '../../contract/audit'
import { listOf } from '../../contract/pages'
import type { AuditEntry, AuditMark } from '../../ports/audit'
import type { DeploymentEntry } from '../../ports/deployment-audit'
import type { CorpusObject } from '../../ports/object'
import { type Ctx, objectOf } from '../context'
import { encode, page, placeOf } from '../cursor'
import { isoTime } from '../iso-time'
import { cursor, limit, type Parameter } from '../parameters'
import { Problem } from '../problem'
import { route } from '../route'
import { sinceOf, sinceOfList } from '../since'

const ENTRIES_AT_ONCE = 1000 // entries requested at a time
const encoder = new TextEncoder()
const since = sinceOfList('entries')
const format: Parameter = {
  name: 'format',
  in: 'query',
  description: '`jsonl`: streams everything from the cursor on, one entry per line.',
  schema: { type: 'string', enum: ['json', 'jsonl'], default: 'json' },
}
const entry = {
  n: 7,
  at: '2026-11-21T09:00:00.000Z',
  key: '5d1c0f2a9b3e4c77',
  door: 'http' as const,
  action: 'document.put',
  document: 'mill',
  subject: null,
  outcome: 'done',
}
const minted = { at: entry.at, key: 'admin', door: 'http' as const, action: 'key.create', subject: '5d1c0f2a9b3e4c77', outcome: 'done' }

export const auditRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/audit',
    id: 'getAudit',
    tag: 'corpora',
    summary: 'List who did what to a corpus, newest first',
    description:
      'Every write, deletion and change of settings, webhooks, endpoints and sources, recorded in the same transaction; reads too, if the corpus asks for that (`audit.reads`). Entries are never changed, and are deleted after `audit.days`. They contain no text and no secrets.',
    access: ['admin'],
    parameters: [cursor, limit, since, format],
    answers: { 200: { description: 'A page of entries.', schema: listOf(auditEntry), example: { data: [entry], next_cursor: null } } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    const place = { before: after === '' ? null : markOfEntry(after), since: sinceOf(c) }
    const form = c.req.query('format') || 'json'
    if (form === 'jsonl') return { response: streamEntries(c, place) }
    if (form !== 'json') {
      throw new Problem('invalid', 'The format must be json or jsonl.', { errors: [{ path: 'format', message: 'json or jsonl' }] })
    }
    const { data, next_cursor } = page(await objectOf(c).audit({ ...place, limit: limit + 1 }), limit, cursorOf)
    return { status: 200, body: { data: data.map(view), next_cursor } }
  }),
  route({
    method: 'get',
    path: '/v1/audit',
    id: 'getDeploymentAudit',
    tag: 'keys',
    summary: 'List changes to keys and whole corpora, newest first',
    description: 'Kept for 400 days. Needs an admin key for all corpora.',
    access: 'deployment',
    parameters: [cursor, limit],
    answers: {
      200: { description: 'A page of entries.', schema: listOf(deploymentEntry), example: { data: [minted], next_cursor: null } },
    },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    const found = await c.get('world').audit.entries(markOf(after), limit + 1)
    const data = found.slice(0, limit)
    const last = found.length > limit ? data.at(-1) : undefined
    return { status: 200, body: { data: data.map(deploymentView), next_cursor: last ? encode(`${last.at} ${last.id}`) : null } }
  }),
]

interface From {
  readonly before: AuditMark | null
  readonly since: number
}

/** All of it, a page at a time: nothing larger is in memory. A failure midway breaks off the connection. */
function streamEntries(c: Ctx, from: From): Response {
  const object: Pick<CorpusObject, 'audit'> = objectOf(c)
  let { before } = from
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const entries = await object.audit({ before, since: from.since, limit: ENTRIES_AT_ONCE })
      for (const entry of entries) controller.enqueue(encoder.encode(`${JSON.stringify(view(entry))}\n`))
      before = entries.at(-1) ?? before
      if (entries.length < ENTRIES_AT_ONCE) controller.close()
    },
  })
  const name = `${c.get('corpus').name}-audit.jsonl`
  return new Response(lines, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-request-id': c.get('requestId'),
    },
  })
}

/** An entry's number is enough if there is one log. */
function cursorOf({ n, at, partition }: AuditEntry): string {
  return partition === undefined ? String(n) : `${n} ${at} ${partition}`
}

function markOfEntry(cursor: string): AuditMark {
  const [n = 0, at, partition] = cursor.split(' ').map((one) => Number(one) || 0)
  return at === undefined || partition === undefined ? { n } : { n, at, partition }
}

function markOf(cursor: string): { readonly at: number; readonly id: string } | null {
  const [, at, id] = /^(\d{1,15}) (.+)$/.exec(cursor) ?? []
  return at && id ? { at: Number(at), id } : null
}

function view({ n, partition, at, key, door, action, document, subject, outcome }: AuditEntry) {
  const log = partition === undefined ? {} : { partition }
  return { n, ...log, at: isoTime(at), key, door, action, document, subject, outcome }
}

function deploymentView({ at, key, door, action, subject, outcome }: DeploymentEntry) {
  return { at: isoTime(at), key, door, action, subject, outcome }
}
