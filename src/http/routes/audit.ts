/** Audit logs: of a corpus, kept by its object; of the deployment, kept beside the keys. Newest first. */
import { Hono } from 'hono'
import type { AuditEntry } from '../../ports/audit'
import type { DeploymentEntry } from '../../ports/deployment-audit'
import type { CorpusObject } from '../../ports/object'
import { noScope, signedIn, within } from '../access'
import { type Ctx, type Http, objectOf } from '../context'
import { encode, page, placeOf } from '../cursor'
import { may } from '../principal'
import { Problem } from '../problem'
import { checkQuery, takes } from '../query'

const EXPORTED = 1000 // entries asked for at a time
const encoder = new TextEncoder()

export const auditRoutes = new Hono<Http>()
  .get('/v1/corpora/:corpus/audit', takes('cursor', 'limit', 'since', 'format'), within('admin'), async (c) => {
    const { after, limit } = placeOf(c)
    const place = { before: after === '' ? null : Number(after) || 0, since: sinceOf(c) }
    const format = c.req.query('format') || 'json'
    if (format === 'jsonl') return exported(c, place)
    if (format !== 'json') {
      throw new Problem('invalid', 'The format is json or jsonl.', { errors: [{ path: 'format', message: 'json or jsonl' }] })
    }
    const { data, next_cursor } = page(await objectOf(c).audit({ ...place, limit: limit + 1 }), limit, ({ n }) => String(n))
    return c.json({ data: data.map(view), next_cursor })
  })
  .get('/v1/audit', takes('cursor', 'limit'), signedIn, async (c) => {
    const principal = c.get('principal')
    if (!principal || !may(principal, 'admin') || principal.corpora !== null) throw noScope(['admin'])
    checkQuery(c)
    const { after, limit } = placeOf(c)
    const found = await c.get('world').audit.entries(markOf(after), limit + 1)
    const data = found.slice(0, limit)
    const last = found.length > limit ? data.at(-1) : undefined
    return c.json({ data: data.map(deploymentView), next_cursor: last ? encode(`${last.at} ${last.id}`) : null })
  })

interface From {
  readonly before: number | null
  readonly since: number
}

/** All of it, a page at a time: nothing larger is in memory. Failing half-way breaks the connection off. */
function exported(c: Ctx, from: From): Response {
  const object: Pick<CorpusObject, 'audit'> = objectOf(c)
  let { before } = from
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const entries = await object.audit({ before, since: from.since, limit: EXPORTED })
      for (const entry of entries) controller.enqueue(encoder.encode(`${JSON.stringify(view(entry))}\n`))
      before = entries.at(-1)?.n ?? before
      if (entries.length < EXPORTED) controller.close()
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

function sinceOf(c: Ctx): number {
  const text = c.req.query('since')
  const time = text ? Date.parse(text) : 0
  if (!Number.isNaN(time)) return time
  throw new Problem('invalid', 'Say since when as a time of ISO 8601.', { errors: [{ path: 'since', message: 'not a time' }] })
}

function markOf(cursor: string): { readonly at: number; readonly id: string } | null {
  const [, at, id] = /^(\d{1,15}) (.+)$/.exec(cursor) ?? []
  return at && id ? { at: Number(at), id } : null
}

const time = (ms: number): string => new Date(ms).toISOString()

function view({ n, at, key, door, action, document, subject, outcome }: AuditEntry) {
  return { n, at: time(at), key, door, action, document, subject, outcome }
}

function deploymentView({ at, key, door, action, subject, outcome }: DeploymentEntry) {
  return { at: time(at), key, door, action, subject, outcome }
}
