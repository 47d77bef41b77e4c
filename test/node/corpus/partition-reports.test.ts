/** What a partition reports to the object of its corpus, and what waits for that. */
import { expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { isForgettingUntold } from '../../../durable-objects/corpus/tables/report'
import { newUid, partitionUids } from '../../../src/corpus-uid'
import type { Report } from '../../../src/ports/reports'
import { mortalWorld } from './mortal-object'
import { finish, noBill } from './working'

it('[P2223] a deletion in a partition is done only when the corpus’s own object has been told, which takes each report once', async () => {
  const uid = newUid({ partitions: 2 })
  const [part = ''] = partitionUids(uid)
  const world = mortalWorld([], {}, { uid: part })
  const mortal = world.wake()
  const { context } = mortal
  const told: Report[] = []
  let isDown = false
  const asked: string[] = []
  const whole = (of: string) => ({
    takeReports: async (from: string, reports: readonly Report[]) => {
      asked.push(`${of} ${from}`)
      if (isDown) throw new Error('down')
      told.push(...reports)
    },
    reserveFor: () => Promise.reject(new Error('there is no budget')),
  })
  const sinks = { ...mortal.sinks, whole }
  const document = { id: 'heron', text: 'A heron waits.', title: '', url: null, metadata: {} }
  accept(context, { kind: 'ingest', upserts: [document], deletes: [] })
  await finish({ ...mortal, sinks }, world, noBill())
  expect(told.map((one) => one.kind === 'event' && one.type)).toEqual(['document.ready', 'corpus.settled'])
  isDown = true
  const accepted = accept(context, { kind: 'delete', upserts: [], deletes: ['heron'] })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  const phase = () => findJob(context.sql, accepted.job)?.phase
  await expect(finish({ ...mortal, sinks }, world, noBill())).rejects.toThrow()
  world.clock.now += 86_400_000
  for (let i = 0; i < 5; i++) await drain(context, sinks).catch(() => undefined)
  finishJobsAwaitingSinks(context)
  expect([world.rows.size, phase()]).toEqual([0, 'telling']) // the stores beside it have forgotten; the corpus's own object has not
  // Another deletion of what is not there any more waits for the same.
  const again = accept(context, { kind: 'batch', upserts: [{ ...document, id: 'stork' }], deletes: ['heron'] })
  expect(again.kind).toBe('accepted')
  isDown = false
  await finish({ ...mortal, sinks }, world, noBill())
  expect([phase(), new Set(asked)]).toEqual(['done', new Set([`${uid} ${part}`])])
  expect(told.filter(({ kind }) => kind === 'forgotten').map((one) => one.kind === 'forgotten' && one.documents)).toContainEqual(['heron'])
  const numbers = told.map(({ n }) => n)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(new Set(numbers).size).toBe(numbers.length)
  world.close()
})

it('[P2432] a deletion waits until the corpus’s own object has the top summaries that it has changed; other changes wait for nothing', async () => {
  const [part = ''] = partitionUids(newUid({ partitions: 2 }))
  const world = mortalWorld(['erarag'], {}, { uid: part })
  const mortal = world.wake()
  const { context } = mortal
  const told: Report[] = []
  let isDown = true
  const whole = () => ({
    takeReports: async (_: string, reports: readonly Report[]) => {
      if (isDown) throw new Error('down')
      told.push(...reports)
    },
    reserveFor: () => Promise.reject(new Error('there is no budget')),
  })
  const sinks = { ...mortal.sinks, whole }
  const waiting = () =>
    context.sql
      .all<{ kind: string; seq: number | null }>("SELECT body ->> 'kind' AS kind, seq FROM report ORDER BY n")
      .filter((one) => one.kind !== 'event')
  const upserts = Array.from({ length: 20 }, (_, n) => ({ id: `d${n}`, text: `Heron ${n} waits.`, title: '', url: null, metadata: {} }))
  accept(context, { kind: 'batch', upserts, deletes: [] })
  await finish({ ...mortal, sinks }, world, noBill()).catch(() => undefined)
  expect(waiting().map(({ kind, seq }) => [kind, seq])).toEqual([['tops', null]])
  expect(isForgettingUntold(context.sql)).toBe(false)
  isDown = false
  await drain(context, sinks)
  isDown = true
  const accepted = accept(context, { kind: 'delete', upserts: [], deletes: ['d3'] })
  await finish({ ...mortal, sinks }, world, noBill()).catch(() => undefined)
  const [forgotten, tops] = waiting()
  expect([forgotten?.kind, tops?.kind, tops?.seq]).toEqual(['forgotten', 'tops', forgotten?.seq])
  expect([forgotten?.seq === null, isForgettingUntold(context.sql)]).toEqual([false, true])
  isDown = false
  world.clock.now += 86_400_000
  await finish({ ...mortal, sinks }, world, noBill())
  expect(accepted.kind === 'accepted' && findJob(context.sql, accepted.job)?.phase).toBe('done')
  const [before, after] = told.flatMap((one) => (one.kind === 'tops' ? [one] : []))
  expect([before?.changed.map((one) => one.id), before?.ids.length]).toEqual([before?.ids, 3])
  expect(JSON.stringify(before)).toContain('Heron 3 ')
  expect(JSON.stringify(after)).not.toContain('Heron 3 ')
  expect([after?.ids.length, after?.changed.length]).toEqual([3, 1])
  world.close()
})
