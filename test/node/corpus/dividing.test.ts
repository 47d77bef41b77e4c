/** A corpus that was made without partitions is divided, while documents come and go, and its object dies. */
import { expect, it } from 'vitest'
import { auditEntries } from '../../../durable-objects/corpus/audit/log'
import { carriedParts } from '../../../durable-objects/corpus/backup/carried'
import { recoveryEstimate } from '../../../durable-objects/corpus/backup/recovery-estimate'
import { withdrawalsSince } from '../../../durable-objects/corpus/backup/replay'
import { usage } from '../../../durable-objects/corpus/billing/usage'
import { asOne } from '../../../durable-objects/corpus/division/as-one'
import { beginRepartition, cancelRepartition, repartitionJob, repartitionOf } from '../../../durable-objects/corpus/division/state'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { lastReceipt } from '../../../durable-objects/corpus/outbox/receipts'
import { isAside, removeAside, setAside } from '../../../durable-objects/corpus/repartition/aside'
import { KEPT_TABLES, KEYS_ASIDE } from '../../../durable-objects/corpus/repartition/aside-tables'
import { hindrancesIn } from '../../../durable-objects/corpus/repartition/hindrances'
import { scheduleStateOf } from '../../../durable-objects/corpus/schedule/state'
import { finishMovedJobs } from '../../../durable-objects/corpus/tables/job'
import { metaKeys, readMeta, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { hasForgotten } from '../../../durable-objects/corpus/tables/report'
import { insertSource, listSources } from '../../../durable-objects/corpus/tables/source'
import { partOf } from '../../../src/core/joint/part-of'
import { partitionsOf, partitionUids, uidsOfSet } from '../../../src/corpus-uid'
import { CLOSED, MOVED } from '../../../src/partition-layout'
import { dividedWorld, run, sorted } from './moving-world'
import { dice } from './working'

const PARTS = 3

it('[P2470] [P2402] a corpus without partitions is divided: what was put, changed and deleted meanwhile is so, and nothing is embedded again', async () => {
  const that = await dividedWorld(1, PARTS)
  for (let n = 0; n < 12; n++) {
    that.write(`d${n}`, 'put', `Captain ${n} sails the sea of ${n} storms.`)
    await that.settle(that.old)
  }
  const { version } = that.whole.graph
  const spent = usage(that.whole)
  expect(beginRepartition(that.whole, { count: PARTS }, undefined).kind).toBe('accepted')
  let isLate = false
  await run(that, (own, order) => {
    const answer = that.obey(own, order)
    if (order.kind === 'state' && !isLate && repartitionOf(that.whole)?.place === null) {
      isLate = true
      that.write('d1', 'delete')
      that.write('d2', 'put', 'The captain of two is another one.')
      that.write('d3', 'access', 'officers')
      that.write('new', 'put', 'A captain who came later.')
    }
    return answer
  })
  expect(isLate).toBe(true)
  const versions: Record<string, number> = { d2: 2, new: 1 }
  const expected = new Map([...that.docs].map(([id, one]) => [id, { ...one, version: versions[id] ?? 1 }]))
  expect(sorted(that.held())).toEqual(sorted(expected))
  for (const [i, { mortal }] of that.coming.entries())
    for (const id of mortal.context.graph.page('document', '', 1000)) expect([id, partOf(id, PARTS)]).toEqual([id, i])
  expect(that.bill.kinds.embed ?? 0).toBe(0)
  expect(that.coming.reduce((sum, { mortal }) => sum + mortal.context.graph.version, 0)).toBeGreaterThan(version)
  expect([partitionsOf(that.uid), partitionUids(that.uid)]).toEqual([PARTS, uidsOfSet(that.uid, { set: 1, count: PARTS })])
  // Its own object has what belongs to the whole.
  expect([that.whole.graph.count('document'), that.whole.graph.count('chunk'), isAside(that.whole.sql)]).toEqual([0, 0, false])
  expect(usage(that.whole).embedded).toBeGreaterThanOrEqual(spent.embedded)
  expect(that.own.world.told().filter((line) => line.startsWith('vector'))).toEqual([])
  const gone = that.coming[partOf('d1', PARTS)]?.mortal.context
  expect(gone && withdrawalsSince(gone, 0).deleted.map(({ document }) => document)).toEqual(['d1'])
  expect(hasForgotten(that.whole.sql, ['d1'], 0)).toBe(true)
  expect(
    auditEntries(that.whole, { before: null, since: 0, limit: 1000 }).filter(({ action }) => action === 'document.put').length,
  ).toBeGreaterThan(12)
})

it('[P2471] its object dies at any write, calls are lost and late: it goes on, with the same documents', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const roll = dice(seed)
    const that = await dividedWorld(1, PARTS)
    for (let n = 0; n < 8; n++) that.write(`d${n}`, 'put', `Captain ${n} sails the sea of ${n} storms.`)
    await that.settle(that.old)
    beginRepartition(that.whole, { count: PARTS }, undefined)
    let [trouble, deaths] = [30, 12]
    const change = () => {
      const id = `d${roll(10)}`
      const what = (['put', 'put', 'delete', 'access'] as const)[roll(4)] ?? 'put'
      that.write(id, what, what === 'access' ? `label ${roll(3)}` : `Captain ${id} says ${roll(50)}.`)
    }
    that.own.mortal.doom({ write: 1 + roll(60) })
    await run(
      that,
      (own, order) => {
        if (trouble > 0 && roll(3) === 0 && !that.own.mortal.dead()) {
          trouble--
          that.own.mortal.doom({})
          change()
          if (deaths-- > 0) that.own.mortal.doom({ write: 1 + roll(40) })
        }
        const luck = trouble > 0 ? roll(8) : 8
        if (luck === 0) throw new Error('lost')
        const answer = that.obey(own, order)
        if (luck === 1) throw new Error('lost') // it was carried out
        return answer
      },
      async () => {
        if (trouble > 0) trouble--
        if (deaths-- > 0) that.own.mortal.doom({ write: 1 + roll(60) })
      },
    )
    const held = new Map([...that.held()].map(([id, { version: _, ...one }]) => [id, { ...one, version: undefined }]))
    const expected = new Map([...that.docs].map(([id, one]) => [id, { ...one, version: undefined }]))
    expect([seed, sorted(held)]).toEqual([seed, sorted(expected)])
    expect([seed, that.whole.graph.count('document'), isAside(that.whole.sql)]).toEqual([seed, 0, false])
  }
}, 120_000)

it('[P2472] cancelled before the switch, it leaves the corpus as it was', async () => {
  const that = await dividedWorld(1, PARTS, ['erarag', 'cluerag'])
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  const state = that.whole.graph.state
  const begun = beginRepartition(that.whole, { count: PARTS, strategies: ['erarag'] }, undefined)
  if (begun.kind !== 'accepted') throw new Error(begun.kind)
  await run(that, (own, order) => {
    const answer = that.obey(own, order)
    if (order.kind === 'put') expect(cancelRepartition(that.whole, begun.job)).toBe(true)
    return answer
  })
  expect(repartitionJob(that.whole, begun.job)?.status).toBe('cancelled')
  expect([partitionsOf(that.uid), that.coming.every(({ isEmpty }) => isEmpty), that.whole.graph.state]).toEqual([1, true, state])
  expect([that.whole.config.strategies, readMeta(that.whole.sql, metaKeys.moving)]).toEqual([['erarag', 'cluerag'], undefined])
  expect(that.write('d2', 'put', 'Another captain.')).toBe(true)
  // The next one takes other objects.
  expect([beginRepartition(that.whole, { count: 2, strategies: [] }, undefined).kind, repartitionOf(that.whole)?.to.set]).toEqual([
    'accepted',
    2,
  ])
})

it('[P2473] what partitions cannot have is named, and nothing has begun', async () => {
  const that = await dividedWorld(1, PARTS, ['erarag', 'cluerag'])
  const { sql, config } = that.whole
  const hindered = (strategies?: readonly string[]) =>
    hindrancesIn(that.whole, { set: 0, count: 1 }, strategies).map(({ path, message }) => `${path}: ${message}`)
  expect(hindered()).toEqual([
    expect.stringContaining('cluerag: not offered in partitions; say which remain of what is on, such as ["erarag"]'),
  ])
  expect(hindered(['erarag'])).toEqual([])
  expect(hindered(['cluerag'])).toEqual([expect.stringContaining('cluerag works only in an unpartitioned corpus')])
  expect(hindered(['gorag'])).toEqual([expect.stringContaining('gorag is not switched on')])
  writeMeta(sql, metaKeys.pendingConfig, config)
  expect(hindered([]).map((one) => one.split(':')[0])).toEqual(['jobs'])
  expect(beginRepartition(that.whole, { count: PARTS }, undefined, () => [{ path: 'x', message: 'y' }])).toEqual({
    kind: 'hindered',
    by: [{ path: 'x', message: 'y' }],
  })
  expect(repartitionOf(that.whole)).toBeUndefined()
})

it('[P2474] the own object refuses who does not know of the partitions, and sources of one page are where their document is', async () => {
  const that = await dividedWorld(1, PARTS)
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  const kinds = ['page', 'feed', 's3'] as const
  for (const kind of kinds)
    insertSource(
      that.whole.sql,
      { id: `src_${kind}`, kind, url: 'https://a.example', document: `of ${kind}`, every: 1, onGone: 'keep', metadata: {}, created: 0 },
      9e15,
    )
  const asked = asOne(
    {
      get context() {
        return that.whole
      },
    },
    { view: async () => 'view', layout: async () => 'layout', addEndpoint: async () => 'added' },
  )
  expect(await asked.view()).toBe('view')
  beginRepartition(that.whole, { count: PARTS }, undefined)
  await run(that, that.obey)
  for (const call of [asked.view, asked.addEndpoint]) await expect(call()).rejects.toThrow(MOVED)
  expect(await asked.layout()).toBe('layout')
  expect(that.write('d9', 'put', 'Too late.')).toBe(false)
  expect(listSources(that.whole.sql, '', 9).map(({ id }) => id)).toEqual(['src_feed', 'src_s3'])
  const holding = that.coming.map(({ mortal }) => listSources(mortal.context.sql, '', 9).map(({ id }) => id))
  expect(holding.map((ids, part) => (part === partOf('of page', PARTS) ? ids.join() === 'src_page' : ids.length === 0))).toEqual([
    true,
    true,
    true,
  ])
})

it('[P2475] a call that was under way in the moment of the switch is made again, if it was about documents', async () => {
  const that = await dividedWorld(1, PARTS)
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const slow = async () => {
    await held
    return 'done'
  }
  const asked = asOne(
    {
      get context() {
        return that.whole
      },
    },
    { view: slow, addEndpoint: slow },
  )
  const [view, added] = [asked.view(), asked.addEndpoint()]
  beginRepartition(that.whole, { count: PARTS }, undefined)
  await run(that, that.obey)
  goOn()
  await expect(view).rejects.toThrow(MOVED)
  expect(await added).toBe('done')
})

it('[P2476] in the moment of the switch its object is one without documents; jobs that wait are done when nothing of them is left', async () => {
  const that = await dividedWorld(1, PARTS)
  for (let n = 0; n < 4; n++) that.write(`d${n}`, 'put', `Captain ${n} sails.`)
  await that.settle(that.old)
  const { sql, graph } = that.whole
  const accepted = accept(that.whole, { kind: 'delete', upserts: [], deletes: ['d1'] })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  const vectors = () => that.own.world.told().filter((line) => line.startsWith('vector')).length
  const [version, sent] = [graph.version, vectors()]
  that.whole.atomically(() => setAside(that.whole))
  expect([graph.count('document'), graph.count('chunk'), graph.version, isAside(sql), sent > 0]).toEqual([0, 0, version + 1, true, true])
  expect(lastReceipt(that.whole)).toMatchObject({ version: version + 1, state: '0'.repeat(64) })
  expect([findJob(sql, accepted.job)?.status, findJob(sql, accepted.job)?.phase]).toEqual(['running', 'done'])
  expect(
    scheduleStateOf(that.whole, { failures: 0, failedAt: 0, starts: 0, startedAt: 0, isDraining: false, drainedAt: 0 }, 0).work,
  ).toMatchObject({
    hasSlice: false,
    hasTasks: false,
    invisibleSince: null,
  })
  const removed: string[] = []
  for (let turn = 0; turn < 50 && removed.at(-1) !== 'gone'; turn++) {
    removed.push(await removeAside(that.whole, that.own.mortal.sinks, that.clock.now + 1, async () => undefined))
    that.clock.now += 10_000
  }
  expect([removed.at(-1), vectors(), isAside(sql)]).toEqual(['gone', 0, false])
  finishMovedJobs(sql)
  expect(findJob(sql, accepted.job)?.status).toBe('succeeded')
})

it('[P2477] each table of the object is set aside or kept for a reason', async () => {
  const that = await dividedWorld(1, PARTS)
  const tables = that.whole.sql
    .all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'words_%'`)
    .map(({ name }) => name)
  expect([...tables].sort()).toEqual([...Object.keys(KEYS_ASIDE), ...Object.keys(KEPT_TABLES)].sort())
})

it('[P2478] meanwhile it is not restored to a moment; restored to one before, it knows which objects were used', async () => {
  const that = await dividedWorld(1, PARTS)
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  const begun = beginRepartition(that.whole, { count: PARTS }, undefined)
  if (begun.kind !== 'accepted') throw new Error(begun.kind)
  const memory = { bookmarkAt: async () => 'there', restoreAtNextSession: async () => undefined, restart: () => undefined }
  await expect(recoveryEstimate(that.whole, memory, that.clock.now)).rejects.toThrow(CLOSED)
  cancelRepartition(that.whole, begun.job)
  await run(that, that.obey)
  expect((await recoveryEstimate(that.whole, memory, that.clock.now)).kind).toBe('estimate')
  const [head] = carriedParts(that.whole, 0)
  const values = head?.kind === 'head' ? head.values : {}
  const [state, layout] = [metaKeys.repartition, metaKeys.layout].map(({ name }) => JSON.parse(values[name] ?? 'null'))
  expect([state?.step, state?.to.set, layout?.n, layout?.count]).toEqual(['done', 1, 3, 1])
})
