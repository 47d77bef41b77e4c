/** Another number of partitions, while documents come and go, and calls are lost, repeated and late. */
import { expect, it } from 'vitest'
import { auditEntries } from '../../../durable-objects/corpus/audit/log'
import { withdrawalsSince } from '../../../durable-objects/corpus/backup/replay'
import { beginRepartition, cancelRepartition, repartitionJob, repartitionOf } from '../../../durable-objects/corpus/division/state'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { metaKeys, readMeta } from '../../../durable-objects/corpus/tables/meta'
import { deleteReportsUpTo } from '../../../durable-objects/corpus/tables/report'
import { listTops, replaceTops } from '../../../durable-objects/corpus/tables/top'
import { partOf } from '../../../src/core/joint/part-of'
import { partitionsOf, partitionUids } from '../../../src/corpus-uid'
import type { MoveOrder } from '../../../src/ports/repartition'
import type { ToldTop } from '../../../src/ports/reports'
import { type Divided, dividedWorld, run, sorted } from './moving-world'
import { dice } from './working'

const [FEW, MORE] = [2, 3]

it('[P2402] what is deleted, replaced or relabelled after it was moved is so in the new partitions before the switch', async () => {
  const that = await dividedWorld(FEW, MORE)
  for (let n = 0; n < 12; n++) {
    that.write(`d${n}`, 'put', `Captain ${n} sails the sea of ${n} storms.`)
    await that.settle(that.old) // a version each
  }
  const before = that.old.reduce((sum, { mortal }) => sum + mortal.context.graph.version, 0)
  expect(beginRepartition(that.whole, { count: MORE }, undefined).kind).toBe('accepted')
  const top = { id: 's', text: 'Captains sail.' } as unknown as ToldTop
  for (const own of partitionUids(that.uid)) replaceTops(that.whole.sql, own, ['s'], [top])
  let isLate = false
  await run(that, (own, order) => {
    const answer = that.obey(own, order)
    // Everything has been moved once: now it changes.
    if (order.kind === 'state' && !isLate && repartitionOf(that.whole)?.place === null) {
      isLate = true
      expect(that.coming.reduce((sum, { mortal }) => sum + mortal.context.graph.count('document'), 0)).toBe(12)
      that.write('d1', 'delete')
      that.write('d2', 'put', 'The captain of two is another one.')
      that.write('d3', 'access', 'officers')
      that.write('d4', 'delete')
      that.write('d4', 'put', 'Captain four is back.')
      that.write('new', 'put', 'A captain who came later.')
    }
    return answer
  })
  expect(isLate).toBe(true)
  const expected = new Map([...that.docs].map(([id, one]) => [id, { ...one, version: that.versionAt(id) }]))
  expect(sorted(that.held())).toEqual(sorted(expected))
  expect(that.held().has('d1')).toBe(false)
  // Nothing is above partitions that the corpus does not have.
  expect(listTops(that.whole.sql)).toEqual([])
  // [P2401] Nothing was embedded but what had never been.
  expect(that.bill.kinds.embed ?? 0).toBe(0)
  expect(that.coming.reduce((sum, { mortal }) => sum + mortal.context.graph.version, 0)).toBeGreaterThan(before)
  expect(partitionsOf(that.uid)).toBe(MORE)
})

it('[P2402] [P2407] lost, repeated and late calls at any point, with writes in between, give the same documents', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const roll = dice(seed)
    const that = await dividedWorld(FEW, MORE)
    for (let n = 0; n < 8; n++) that.write(`d${n}`, 'put', `Captain ${n} sails the sea of ${n} storms.`)
    await that.settle(that.old)
    beginRepartition(that.whole, { count: MORE }, undefined)
    const late: [string, MoveOrder][] = []
    let trouble = 40
    const change = () => {
      const id = `d${roll(10)}`
      const what = (['put', 'put', 'delete', 'access'] as const)[roll(4)] ?? 'put'
      that.write(id, what, what === 'access' ? `label ${roll(3)}` : `Captain ${id} says ${roll(50)}.`)
    }
    await run(
      that,
      (own, order) => {
        if (trouble > 0 && roll(3) === 0) change()
        const luck = trouble > 0 ? roll(8) : 8
        if (luck < 3) trouble--
        if (luck === 0) throw new Error('lost')
        const answer = that.obey(own, order)
        if (order.kind === 'put') late.push([own, order])
        if (luck === 1) throw new Error('lost') // it was carried out
        if (luck === 2 && late.length > 0) that.obey(...(late[roll(late.length)] as [string, MoveOrder]))
        return answer
      },
      async () => {
        if (trouble > 0) trouble--
      },
    )
    const expected = new Map([...that.docs].map(([id, one]) => [id, { ...one, version: that.versionAt(id) }]))
    expect([seed, sorted(that.held())]).toEqual([seed, sorted(expected)])
    for (const [i, { mortal }] of that.coming.entries())
      for (const id of mortal.context.graph.page('document', '', 1000)) expect([seed, id, partOf(id, MORE)]).toEqual([seed, id, i])
  }
}, 120_000)

it('[P2403] what does not end within twenty seconds is opened again and tried later', async () => {
  const that = await dividedWorld(FEW, MORE)
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  beginRepartition(that.whole, { count: MORE }, undefined)
  let closed = 0
  const closings: number[] = []
  await run(that, (own, order) => {
    if (order.kind === 'close') {
      if (order.isClosed && closed === 0) closed = that.clock.now
      if (!order.isClosed && closed > 0) {
        closings.push(that.clock.now - closed)
        closed = 0
      }
    }
    const answer = that.obey(own, order)
    // A job that does not end, until the second try.
    if (answer.kind === 'state' && closed > 0 && closings.length < 1) return { ...answer, state: { ...answer.state, isBusy: true } }
    return answer
  })
  expect(closings.length).toBe(1)
  expect(closings[0]).toBeLessThan(21_000)
  expect(repartitionJob(that.whole, repartitionOf(that.whole)?.job ?? '')?.status).toBe('succeeded')
})

it('[P2405] the old partitions refuse to be written before the switch, and everything after it', async () => {
  const that = await dividedWorld(FEW, MORE)
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  beginRepartition(that.whole, { count: MORE }, undefined)
  const seen: boolean[] = []
  await run(that, (own, order) => {
    const answer = that.obey(own, order)
    if (order.kind === 'serve') seen.push(that.write('d2', 'put', 'Too late.'))
    return answer
  })
  expect(new Set(seen)).toEqual(new Set([false]))
  expect(that.old.map(({ mortal }) => readMeta(mortal.context.sql, metaKeys.moving)?.hasLeft)).toEqual([true, true])
})

it('[P2407] cancelled before the switch, it leaves the corpus as it was; after it, it cannot be cancelled', async () => {
  const that = await dividedWorld(FEW, MORE)
  that.write('d1', 'put', 'A captain.')
  await that.settle(that.old)
  const begun = beginRepartition(that.whole, { count: MORE }, undefined)
  if (begun.kind !== 'accepted') throw new Error(begun.kind)
  await run(that, (own, order) => {
    const answer = that.obey(own, order)
    if (order.kind === 'put') expect(cancelRepartition(that.whole, begun.job)).toBe(true)
    return answer
  })
  expect(repartitionJob(that.whole, begun.job)?.status).toBe('cancelled')
  expect([partitionsOf(that.uid), that.coming.every(({ isEmpty }) => isEmpty), that.old.some(({ isEmpty }) => isEmpty)]).toEqual([
    FEW,
    true,
    false,
  ])
  expect(that.write('d2', 'put', 'Another captain.')).toBe(true)
  expect(readMeta(that.old[0]?.mortal.context.sql as never, metaKeys.moving)).toBeUndefined()
  // The next one takes other objects.
  expect([beginRepartition(that.whole, { count: MORE }, undefined).kind, repartitionOf(that.whole)?.to.set]).toEqual(['accepted', 2])
  expect(beginRepartition(that.whole, { count: 5 }, undefined).kind).toBe('busy')
})

it('[P2409] the audit logs of several partitions become one by time, and what was deleted stays known', async () => {
  const that = await dividedWorld(3, 2)
  for (let n = 0; n < 30; n++) {
    that.clock.now += 10_000
    that.write(`d${n}`, 'put', `Captain ${n}.`)
  }
  that.write('d3', 'delete')
  const deletedAt = that.clock.now
  await that.settle(that.old)
  const everyone = { before: null, since: 0, limit: 1000 }
  const logOf = (parts: Divided['old']) => parts.flatMap(({ mortal: { context } }) => auditEntries(context, everyone))
  const before = logOf(that.old)
  beginRepartition(that.whole, { count: 2 }, undefined)
  let [lost, closings] = [5, 0]
  await run(that, (own, order) => {
    const answer = that.obey(own, order)
    if (order.kind === 'rows-of' && order.table === 'audit' && lost-- > 0) throw new Error('lost') // it was carried out
    if (order.kind === 'rows-of') that.obey(own, order) // carried out twice
    if (order.kind === 'close' && order.isClosed && closings++ === 0) that.write('d4', 'put', 'Captain four again, at the last moment.')
    return answer
  })
  const whole = (one: { readonly at: number; readonly document?: string | null | undefined; readonly action: string }) =>
    `${one.at} ${one.action} ${one.document}`
  expect(logOf(that.coming).map(whole).sort()).toEqual(logOf(that.old).map(whole).sort())
  expect(before.length).toBe(30)
  for (const { mortal } of that.coming) {
    const times = auditEntries(mortal.context, everyone).map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => b - a))
  }
  const gone = that.coming[partOf('d3', 2)]?.mortal.context
  expect(gone && withdrawalsSince(gone, 0).deleted).toEqual([{ document: 'd3', at: deletedAt }])
})

it('[P2411] if the new partitions cannot hold it, the job fails and the corpus stays as it is', async () => {
  const that = await dividedWorld(FEW, MORE)
  for (let n = 0; n < 6; n++) that.write(`d${n}`, 'put', `Captain ${n}.`)
  await that.settle(that.old)
  const begun = beginRepartition(that.whole, { count: MORE }, undefined)
  if (begun.kind !== 'accepted') throw new Error(begun.kind)
  await run(that, (own, order) => (order.kind === 'put' ? { kind: 'refused', why: 'full' } : that.obey(own, order)))
  expect(repartitionJob(that.whole, begun.job)).toMatchObject({ status: 'failed', error: 'corpus_full' })
  expect([partitionsOf(that.uid), that.coming.every(({ isEmpty }) => isEmpty), that.write('d9', 'put', 'Captain nine.')]).toEqual([
    FEW,
    true,
    true,
  ])
})

it('[P2412] a deletion that D1 and the index have not confirmed by the switch is done when the old partitions are removed and the new ones have forgotten', async () => {
  const that = await dividedWorld(FEW, MORE)
  for (let n = 0; n < 4; n++) that.write(`d${n}`, 'put', `Captain ${n}.`)
  await that.settle(that.old)
  beginRepartition(that.whole, { count: MORE }, undefined)
  let job = ''
  const seen: unknown[] = []
  await run(that, (own, order) => {
    if (order.kind === 'close' && order.isClosed && job === '') {
      const accepted = accept(that.home('d1'), { kind: 'delete', upserts: [], deletes: ['d1'] })
      if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
      job = accepted.job
      that.docs.delete('d1')
    }
    if (order.kind === 'state') for (const { mortal } of that.old) deleteReportsUpTo(mortal.context.sql, Number.MAX_SAFE_INTEGER) // told at once; the index takes its time
    if (order.kind === 'leave') seen.push(findJob(that.whole.sql, job)?.status, findJob(that.home('d1').sql, job)?.phase)
    return that.obey(own, order)
  })
  expect(new Set(seen)).toEqual(new Set(['running', 'telling']))
  expect(findJob(that.whole.sql, job)?.status).toBe('succeeded')
  expect(that.held().has('d1')).toBe(false)
})
