/** The audit log of a corpus: entered with the change itself, never altered, deleted in time. */
import { expect, it } from 'vitest'
import { auditEntries, withAuditEntry } from '../../../durable-objects/corpus/audit/log'
import { acceptWithAudit } from '../../../durable-objects/corpus/ingest/accept-with-audit'
import { deleteExpired, retentionAt } from '../../../durable-objects/corpus/maintenance/retention'
import { addSource, claimSource, closeSource } from '../../../durable-objects/corpus/sources/sources'
import { trimAudit } from '../../../durable-objects/corpus/tables/audit'
import { type Actor, type AuditEntry, auditDefaults } from '../../../src/ports/audit'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Mortal, mortalWorld } from './mortal-object'

const DAY = 86_400_000
const SECRET = 'The heron keeps its fish in the attic.'
const document = (id: string, text = SECRET): DocumentInput => ({ id, text, title: '', url: null, metadata: { note: SECRET } })
const ana: Actor = { key: '5d1c0f2a9b3e4c77', door: 'http' }
const ALL = { before: null, since: 0, limit: 100 }

function corpus() {
  const world = mortalWorld([])
  return { world, context: world.wake().context }
}
const told = (context: Mortal['context']) =>
  auditEntries(context, ALL)
    .reverse()
    .map(({ key, door, action, document, subject, outcome }) => [key, door, action, document ?? subject, outcome])

it('[V180] each document put or deleted is recorded with who, what, when, through which door and with what result, and no word of it', () => {
  const { world, context } = corpus()
  const put = (upserts: readonly DocumentInput[], by: Actor, more: object = {}) =>
    acceptWithAudit(context, by, { kind: 'batch', upserts, deletes: [], ...more })
  put([document('a'), document('b')], ana)
  world.clock.now += 1000
  put([document('a'), document('c')], { key: 'wh_1', door: 'hook' }, { deletes: ['b'], events: ['e1'] })
  put([document('a'), document('c')], { key: 'wh_1', door: 'hook' }, { events: ['e1'] }) // heard before: nothing new
  put([document('a', 'Another.')], { key: 'admin', door: 'mcp' }, { ifMatch: 7 })
  acceptWithAudit(context, ana, { kind: 'delete', upserts: [], deletes: ['nobody'] })
  acceptWithAudit(context, undefined, { kind: 'ingest', upserts: [document('x')], deletes: [] }) // nobody in particular
  expect(told(context)).toEqual([
    [ana.key, 'http', 'document.put', 'a', 'done'],
    [ana.key, 'http', 'document.put', 'b', 'done'],
    ['wh_1', 'hook', 'document.put', 'a', 'unchanged'],
    ['wh_1', 'hook', 'document.put', 'c', 'done'],
    ['wh_1', 'hook', 'document.delete', 'b', 'done'],
    ['admin', 'mcp', 'document.put', 'a', 'precondition_failed'],
    [ana.key, 'http', 'document.delete', 'nobody', 'missing'],
  ])
  expect(auditEntries(context, ALL).map(({ at }) => at - world.clock.now)).toEqual([0, 0, 0, 0, 0, -1000, -1000])
  expect(JSON.stringify(auditEntries(context, ALL))).not.toContain('heron')
})

it('[V180] what a source brings is recorded under the source’s id', () => {
  const { world, context } = corpus()
  const input = {
    id: 'src_1',
    url: 'https://x.example/',
    document: 'page',
    every: DAY,
    onGone: 'delete' as const,
    metadata: {},
    created: 0,
  }
  withAuditEntry(context, ana, 'source.create', { subject: 'src_1' }, () => addSource(context, input))
  const look = (outcome: Parameters<typeof closeSource>[3]) => {
    world.clock.now += 40 * DAY
    context.sql.run(`UPDATE source SET state = 'queued', due = 0`)
    const order = claimSource(context, 'src_1')
    if (order.kind === 'go') closeSource(context, 'src_1', order.attempt, outcome)
  }
  look({ kind: 'fetched', document: document('page'), etag: null, modified: null, hash: 'h' })
  look({ kind: 'missing', last: 'http_404' })
  look({ kind: 'missing', last: 'http_404' })
  expect(told(context)).toEqual([
    [ana.key, 'http', 'source.create', 'src_1', 'added'],
    ['src_1', 'source', 'document.put', 'page', 'done'],
    ['src_1', 'source', 'document.delete', 'page', 'done'],
  ])
})

it('[V181] an entry and its change are one transaction: a crash at any of its writes leaves neither or both', () => {
  for (let death = 0; ; death++) {
    const { context } = corpus()
    let left = death
    const run = context.sql.run
    const dying = {
      ...context,
      sql: {
        ...context.sql,
        run: (...given: Parameters<typeof run>) => {
          if (left-- === 0) throw new Error('died')
          run(...given)
        },
      },
    }
    let isDone = true
    try {
      acceptWithAudit(dying, ana, { kind: 'ingest', upserts: [document('a')], deletes: [] })
    } catch {
      isDone = false
    }
    const revisions = context.sql.all('SELECT 1 FROM revision').length
    expect([death, revisions, auditEntries(context, ALL).length]).toEqual([death, isDone ? 1 : 0, isDone ? 1 : 0])
    if (isDone) break
    expect(death).toBeLessThan(50)
  }
})

it('[V181] no entry is ever changed; the oldest are deleted when their days are over, a bounded number a visit, and wake the corpus then', () => {
  const { world, context } = corpus()
  expect(retentionAt(context)).toBeNull()
  for (let n = 0; n < 2500; n += 500) {
    const deletes = Array.from({ length: 500 }, (_, i) => `d${n + i}`)
    acceptWithAudit(context, ana, { kind: 'delete', upserts: [], deletes })
  }
  const began = world.clock.now
  expect(() => context.sql.run(`UPDATE audit SET key = 'somebody else'`)).toThrow('never changed')
  expect(retentionAt(context)).toBe(began + 400 * DAY)
  const short = { ...context, config: { ...context.config, audit: { ...auditDefaults, days: 30 } } }
  expect(retentionAt(short)).toBe(began + 30 * DAY)
  const count = () => context.sql.one<{ n: number }>('SELECT count(*) AS n FROM audit')?.n
  world.clock.now = began + 30 * DAY
  deleteExpired(short)
  expect(count()).toBe(2500) // to the day
  world.clock.now += 1
  acceptWithAudit(context, ana, { kind: 'delete', upserts: [], deletes: ['late'] })
  deleteExpired(short)
  expect(count()).toBe(501)
  deleteExpired(short)
  expect(told(context).map(([, , , id]) => id)).toEqual(['late'])
})

it('[V181] of more entries than may be kept the oldest are deleted', () => {
  const { context } = corpus()
  for (const name of ['a', 'b', 'c', 'd', 'e']) acceptWithAudit(context, ana, { kind: 'delete', upserts: [], deletes: [name] })
  trimAudit(context.sql, 3)
  expect(told(context).map(([, , , id]) => id)).toEqual(['c', 'd', 'e'])
})

it('[V181] it is listed newest first, a page at a time, from a given time on', () => {
  const { world, context } = corpus()
  const start = world.clock.now
  for (let n = 0; n < 25; n++) {
    world.clock.now = start + n
    acceptWithAudit(context, ana, { kind: 'delete', upserts: [], deletes: [`d${n}`] })
  }
  const seen: (string | null)[] = []
  for (let before: AuditEntry | null = null; ; ) {
    const page = auditEntries(context, { before, since: start + 5, limit: 8 })
    seen.push(...page.map((one) => one.document))
    if (page.length < 8) break
    before = page.at(-1) ?? null
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => `d${24 - i}`))
})
