/** D1, and what an invocation may call, as on the platform: what is refused, what is lost, and that Loam lives with it. */
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { d1, limitedD1, resetD1 } from '../../local/platform/d1'
import { connected, invocations, invoked, resetInvocations, TOO_MANY_CALLS } from '../../local/platform/invocation'
import { counted } from '../../local/platform/service'
import type { Control } from '../../local/workerd/control'
import { withRetries } from '../../src/adapters/d1-retry'
import { d1Errors, d1Limits, vectorizeLimits, workerLimits } from '../../src/platform-limits'
import { storeFault } from '../../src/store-fault'
import { call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const { DB, DATA_0, CONTROL } = env as unknown as { DB: D1Database; DATA_0: D1Database; CONTROL: Control }

afterEach(() => {
  resetD1()
  resetInvocations()
})

const local = limitedD1(DATA_0, 'DATA_0')
const said = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing failed',
    (error: Error) => error.message,
  )

describe('the local D1', () => {
  it('[L110] refuses what SQLite refuses there', async () => {
    const marks = (n: number) => Array.from({ length: n }, () => '?').join(', ')
    const select = (n: number) => local.prepare(`SELECT ${marks(1)} WHERE 1 IN (${marks(n - 1)})`).bind(...Array(n).fill(1))
    expect(await said(select(d1Limits.maxBoundParameters).all())).toBe('nothing failed')
    expect(await said(select(d1Limits.maxBoundParameters + 1).all())).toMatch(/too many SQL variables/)
    expect(await said(local.prepare(`SELECT '${'x'.repeat(d1Limits.maxStatementBytes)}'`).all())).toMatch(/statement too long/)
    const like = (bytes: number) => local.prepare('SELECT 1 WHERE ? LIKE ?').bind('x', 'x'.repeat(bytes)).all()
    expect([await said(like(d1Limits.maxLikeBytes)), await said(like(d1Limits.maxLikeBytes + 1))]).toEqual([
      'nothing failed',
      expect.stringMatching(/LIKE or GLOB pattern too complex/),
    ])
    const union = (n: number) => local.prepare(Array(n).fill('SELECT 1').join(' UNION ALL ')).all()
    expect([await said(union(d1Limits.maxCompoundTerms)), await said(union(d1Limits.maxCompoundTerms + 1))]).toEqual([
      'nothing failed',
      expect.stringMatching(/too many terms in compound SELECT/),
    ])
  })

  it('[L110] refuses a value of more than 2 MB, in text and in bytes', async () => {
    const length = (value: unknown) => said(local.prepare('SELECT length(?) AS n').bind(value).all())
    expect(await length('é'.repeat(d1Limits.maxRowBytes / 2))).toBe('nothing failed')
    expect(await length('é'.repeat(d1Limits.maxRowBytes / 2 + 1))).toBe('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
    expect(await said(local.batch([local.prepare('SELECT ?').bind('x'.repeat(d1Limits.maxRowBytes + 1))]))).toMatch(/too big/)
  })

  it('[L111] counts the calls of an invocation, a batch as one, and refuses those beyond', async () => {
    d1.maxCalls = 5
    const one = () => local.prepare('SELECT 1').first()
    const tried = () => invoked(async () => Promise.all(Array.from({ length: 6 }, () => said(one()))))
    expect((await tried()).filter((words) => words !== 'nothing failed')).toEqual([`D1_ERROR: ${d1Errors.calls[0]}`])
    const batched = Array.from({ length: 10 }, () => local.prepare('SELECT 1'))
    expect(await invoked(() => said(local.batch(batched)))).toBe('nothing failed')
    expect(d1.peak).toBe(6)
  })

  it('[L110] says how much a database holds, and refuses everything once it is full', async () => {
    const { meta } = await local.prepare('SELECT 1').run()
    d1.filled.set('DATA_0', 1e9)
    expect((await local.prepare('SELECT 1').run()).meta.size_after).toBe(meta.size_after + 1e9)
    d1.filled.set('DATA_0', d1Limits.maxDatabaseBytes)
    expect(await said(local.prepare('SELECT 1').all())).toBe(`D1_ERROR: ${d1Errors.full[0]}`)
  })

  it('[L110] fails in the words of the real one, which are told apart', async () => {
    for (const [fault, words] of Object.entries(d1Errors)) {
      for (const message of words) {
        d1.faults = [{ left: 1, message }]
        const error = await local
          .prepare('SELECT 1')
          .all()
          .catch((thrown: unknown) => thrown)
        expect([message, storeFault(error), storeFault(new Error('wrapped', { cause: error }))]).toEqual([message, fault, fault])
      }
    }
  })
})

describe('an invocation', () => {
  it('[L111] is refused calls of bindings beyond a number, those of D1 among them', async () => {
    invocations.maxCalls = 4
    const service = counted({ call: async (n: number) => n }, { connects: false })
    const all = invoked(async () => {
      await local.prepare('SELECT 1').first()
      return Promise.all([1, 2, 3, 4].map((n) => said(service.call(n))))
    })
    expect(await all).toEqual([...Array(3).fill('nothing failed'), TOO_MANY_CALLS])
    expect(await invoked(() => service.call(5))).toBe(5) // the next one begins anew
  })

  it('[L111] has six connections: a seventh call waits for one to be answered', async () => {
    const open: (() => void)[] = []
    const call = () => connected(() => new Promise<void>((resolve) => open.push(resolve)))
    const calls = invoked(() => Array.from({ length: 8 }, call))
    expect([open.length, invocations.waited]).toEqual([workerLimits.maxConnections, 2])
    open[0]?.()
    await calls[0]
    await Promise.resolve()
    expect(open).toHaveLength(workerLimits.maxConnections + 1)
    for (let at = 1; at < 8; at++) {
      open[at]?.()
      await calls[at]
    }
  })
})

describe('a failing D1', () => {
  const time = () => {
    const slept: number[] = []
    return { slept, time: { sleep: async (ms: number) => void slept.push(ms), random: () => 0.5 } }
  }

  it('[H104] is sent a statement again after a lost answer and once after an overload, later each time, and not after anything else', async () => {
    const tries: { [fault: string]: readonly number[] } = {}
    for (const [fault, [message]] of Object.entries(d1Errors)) {
      const { slept, time: clock } = time()
      d1.faults = [{ left: 9, message }]
      await said(withRetries(local, clock).prepare('SELECT 1').all())
      tries[fault] = slept
    }
    expect(tries).toEqual({ calls: [], full: [], overloaded: [1000], heavy: [], lost: [100, 400], refused: [] })
    const { time: clock } = time()
    d1.faults = [{ left: 2, message: d1Errors.lost[0] }]
    expect(await withRetries(local, clock).prepare('SELECT ? AS n').bind(7).first('n')).toBe(7)
    d1.faults = [{ left: 1, message: d1Errors.lost[0] }]
    const safe = withRetries(local, clock)
    expect(
      (await safe.batch<{ n: number }>([safe.prepare('SELECT 1 AS n'), safe.prepare('SELECT ? AS n').bind(2)])).map(
        ({ results }) => results,
      ),
    ).toEqual([[{ n: 1 }], [{ n: 2 }]])
  })

  it('[H104] whose answers are lost after it has carried out a statement holds everything once', async () => {
    const losing = (match: string) => {
      d1.faults = [{ left: 1, message: d1Errors.lost[0], done: true, match }]
    }
    losing('insert into "corpus"')
    const base = await corpus() // 201: made, and not taken for another's
    losing('insert into "access_key"')
    const minted = await call('POST', '/v1/keys', { name: 'once', scopes: ['read'], corpora: ['*'] })
    losing('insert into "idempotency"')
    const put = await call('PUT', `${base}/documents/a`, { text: 'Herons stand in the reeds.' }, { 'idempotency-key': 'lost' })
    expect([minted.status, put.status]).toEqual([201, 202])
    losing('INSERT INTO chunk')
    await succeeded(base, put.body.job)
    losing('update "access_key"')
    expect((await call('DELETE', `/v1/keys/${minted.body.id}`)).status).toBe(204)
    const name = base.split('/').at(-1)
    const corpora = await DB.prepare('SELECT count(*) AS n FROM corpus WHERE name = ?').bind(name).first('n')
    const keys = await DB.prepare('SELECT count(*) AS n FROM access_key WHERE id = ?').bind(minted.body.id).first('n')
    expect([corpora, keys, d1.faults[0]?.left]).toEqual([1, 1, 0])
    const listed = (await call('GET', `${base}/export`)).text.split('\n').filter((line) => line.startsWith('{"type":"chunk"'))
    expect(listed).toHaveLength(1)
  })

  it('[H106] is 503 with a time to come back, or 507 where it is full; never 500', async () => {
    const base = await corpus()
    const answers: unknown[] = []
    for (const fault of ['lost', 'overloaded', 'heavy', 'calls', 'full'] as const) {
      d1.faults = [{ left: 1000, message: d1Errors[fault][0] }]
      const { status, body } = await call('GET', `${base}/entities`)
      const made = await call('PUT', `${base}-${fault}`, {})
      answers.push([fault, status, body.code, made.status])
    }
    expect(answers).toEqual([
      ['lost', 503, 'unavailable', 503],
      ['overloaded', 503, 'overloaded', 503],
      ['heavy', 503, 'unavailable', 503],
      ['calls', 503, 'unavailable', 503],
      ['full', 507, 'database_full', 507],
    ])
  })
})

const pages = (from: number, to: number, words = '') =>
  Array.from({ length: to - from }, (_, i) => ({
    id: `page-${from + i}`,
    text: `Page ${from + i} tells of Anna Berg, who counted ${from + i} herons at Port Ellis with Otto Brandt. ${words}`,
  }))

const rowsIn = async (base: string, table: string): Promise<number> => {
  const uid = await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<string>('uid')
  return (await DATA_0.prepare(`SELECT count(*) AS n FROM ${table} WHERE uid = ?`).bind(uid).first<number>('n')) ?? 0
}

describe('the read model', () => {
  it('[H4] is sent everything, however few calls an invocation may make', async () => {
    const base = await corpus({ strategies: [] })
    const log = (n: number) => Array.from({ length: 900 }, (_, i) => `On day ${i} of year ${n} the tide at the quay stood ${i * n} low.`)
    d1.maxCalls = 2
    const upserts = Array.from({ length: 40 }, (_, n) => ({ id: `log-${n}`, text: log(n).join(' ') }))
    const { body } = await call('POST', `${base}/documents:batch`, { upserts })
    await succeeded(base, body.job)
    const whole = () => rowsIn(base, 'document').then((n) => (n === 40 ? n : undefined))
    await eventually('the read model to be told of all documents', whole)
    expect(d1.peak).toBeGreaterThan(2) // it was driven past it
    d1.maxCalls = d1Limits.maxCallsPerInvocation
    const text = (await call('GET', `${base}/export`)).text
    const end = JSON.parse(text.trim().split('\n').at(-1) ?? '')
    expect([end.type, end.counts.document, end.counts.chunk]).toEqual(['end', 40, await rowsIn(base, 'chunk')])
  })

  it('[V140] and the index are sent everything, however few calls of anything an invocation may make', async () => {
    const base = await corpus({ strategies: [] })
    d1.faults = [{ left: 1e9, message: d1Errors.lost[0], match: 'INSERT INTO document' }]
    const { body } = await call('POST', `${base}/documents:batch`, { upserts: pages(0, 60) })
    await succeeded(base, body.job)
    invocations.maxCalls = 2
    d1.faults = []
    await eventually('the read model to be told', () => rowsIn(base, 'document').then((n) => (n === 60 ? n : undefined)))
    expect(invocations.peak).toBeGreaterThan(2) // it was driven past it
    resetInvocations()
    const { body: found } = await call('POST', `${base}/search`, { query: 'Who counted 59 herons?' })
    expect([found.degraded, JSON.stringify(found.evidence).includes('page-59')]).toEqual([[], true])
  })

  it('[H4] is sent everything by smaller batches after it was reset over a large one', async () => {
    const base = await corpus()
    d1.faults = [{ left: 3, message: d1Errors.heavy[0], match: 'INSERT INTO chunk' }]
    const { body } = await call('POST', `${base}/documents:batch`, { upserts: pages(0, 40) })
    await succeeded(base, body.job)
    await eventually('the read model to be told', () => rowsIn(base, 'document').then((n) => (n === 40 ? n : undefined)))
    expect([await rowsIn(base, 'chunk'), d1.faults[0]?.left]).toEqual([40, 0])
  })

  it('[H102] a full vector index is answered before anything is kept, and such a corpus is still searched and emptied', async () => {
    const base = await corpus()
    await CONTROL.fillIndex(vectorizeLimits.maxVectors)
    const refused = await call('PUT', `${base}/documents/first`, { text: 'Ada Quill wrote to Otto Brandt.' })
    expect([refused.status, refused.body.code, refused.body.limit]).toEqual([507, 'index_full', 9.5e6])
    expect((await call('GET', `${base}/documents/first`)).status).toBe(404)
    await CONTROL.fillIndex(0)
    const later = await corpus()
    const taken = await call('PUT', `${later}/documents/first`, { text: 'Ada Quill wrote to Otto Brandt.' })
    await CONTROL.fillIndex(vectorizeLimits.maxVectors) // it is refused what it is sent
    await succeeded(later, taken.body.job)
    expect((await call('POST', `${later}/search`, { query: 'Ada Quill' })).body.evidence).toHaveLength(1)
    await succeeded(later, (await call('DELETE', `${later}/documents/first`)).body.job)
    await CONTROL.fillIndex(0)
  })

  it('[H102] that is full refuses documents before anything is kept, and is read as before; a new corpus is refused, too', async () => {
    const base = await corpus()
    const first = await call('PUT', `${base}/documents/first`, { text: 'Ada Quill wrote to Otto Brandt.' })
    await succeeded(base, first.body.job)
    d1.filled.set('DATA_0', 8e9)
    const name = base.split('/').at(-1)
    const refused = await eventually('the size to be known', async () => {
      const { status, body } = await call('POST', `${base}/documents:batch`, { upserts: pages(0, 2), deletes: [] })
      if (status === 202) await succeeded(base, body.job) // known from a moment ago; this write says how full it is now
      return status === 202 ? undefined : { status, body }
    })
    expect([refused.status, refused.body.code, refused.body.limit]).toEqual([507, 'database_full', 8e9])
    expect((await call('PUT', `/v1/corpora/${name}-more`, {})).body.code).toBe('no_database')
    expect((await call('GET', `${base}/documents/page-1`)).status).toBe((await call('GET', `${base}/documents/page-0`)).status)
    expect((await call('POST', `${base}/search`, { query: 'Ada Quill' })).body.evidence).not.toEqual([])
    await succeeded(base, (await call('DELETE', `${base}/documents/first`)).body.job)
  })
})
