/** Sources: pages that are looked at by schedule. */
import { Hono } from 'hono'
import { everyOf, msOf, sourceSchema } from '../../contract/sources'
import type { Asker } from '../../core/access/labels'
import type { SourceInput, SourceRecord } from '../../ports/sources'
import { within } from '../access'
import { askerOf } from '../asker'
import { json } from '../body'
import { type Ctx, type Http, outboundObjectOf } from '../context'
import { page, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { Problem } from '../problem'
import { takes } from '../query'
import { callable } from './callable'

const LONGEST_ID = 256 // bytes
const base = '/v1/corpora/:corpus/sources'
const one = `${base}/:source{[^/:]+}`

export const sourceRoutes = new Hono<Http>()
  .post(base, within('write'), repeatable(), async (c) => {
    const body = await json(c, sourceSchema)
    const url = (await callable(c, body.url)).href
    const id = `src_${crypto.randomUUID().replaceAll('-', '')}`
    const short = new TextEncoder().encode(url).length <= LONGEST_ID
    const input: SourceInput = {
      id,
      url,
      document: body.document ?? (short ? url : id),
      every: msOf(body.every),
      onGone: body.on_gone,
      metadata: body.metadata ?? {},
      access: body.access,
      created: c.get('world').now(),
    }
    const added = await outboundObjectOf(c).addSource(input)
    if (added === 'taken') throw new Problem('conflict', 'Another source brings this document.')
    if (added === 'too_many') throw new Problem('conflict', 'This corpus has as many sources as it may.')
    return c.json(view(await sourceOf(c, id, 'all')), 201)
  })
  .get(base, takes('cursor', 'limit'), within('write'), async (c) => {
    const { after, limit } = placeOf(c)
    const { data } = await outboundObjectOf(c).sources(after, limit + 1, await askerOf(c))
    const { data: shown, next_cursor } = page(data, limit, ({ id }) => id)
    return c.json({ data: shown.map(view), next_cursor })
  })
  .get(one, within('write'), async (c) => c.json(view(await sourceOf(c))))
  .delete(one, within('write'), async (c) => {
    await sourceOf(c)
    if (!(await outboundObjectOf(c).removeSource(nameOf(c)))) throw noSource()
    return c.body(null, 204)
  })
  .post(`${base}/:source{[^/:]+:fetch}`, within('write'), repeatable(), async (c) => {
    await sourceOf(c)
    const asked = await outboundObjectOf(c).askSource(nameOf(c))
    if (!asked) throw noSource()
    return c.json(view(asked), 202)
  })

const noSource = () => new Problem('source_not_found', 'There is no such source.')
const nameOf = (c: Ctx): string => (c.req.param('source') ?? '').split(':')[0] ?? ''

async function sourceOf(c: Ctx, id = nameOf(c), asker?: Asker): Promise<SourceRecord> {
  const record = await outboundObjectOf(c).source(id, asker ?? (await askerOf(c)))
  if (!record) throw noSource()
  return record
}

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function view({ id, url, document, every, onGone, metadata, access, created, status, failures, last, seen, changed, due }: SourceRecord) {
  return {
    source: id,
    url,
    document,
    every: everyOf(every),
    on_gone: onGone,
    metadata,
    access: access ?? [],
    status,
    failures,
    last_result: last,
    seen_at: time(seen),
    changed_at: time(changed),
    next_fetch_at: time(due),
    created_at: time(created),
  }
}
