/** When the object of a corpus in partitions asks its probes. */
import { expect, it } from 'vitest'
import { askProbes, probesDueAt } from '../../../durable-objects/corpus/maintenance/ask-probes'
import { pinProbes, resultsOf } from '../../../durable-objects/corpus/quality-gate/probes'
import { metaKeys, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { newUid } from '../../../src/corpus-uid'
import type { AskProbe } from '../../../src/ports/probes'
import { mortalWorld } from './mortal-object'

const HOUR = 3_600_000
const bounds = { k: 3, tolerance: 0.1 }
const probe = (query: string) => ({ query, expect: ['mill'] })

it('[P2315] soon after they are pinned, again an hour later if the corpus has settled at another version, and after a failure later', async () => {
  const world = mortalWorld([], {}, { uid: newUid({ partitions: 2 }) })
  const { context } = world.wake()
  const { clock } = world
  const asked: string[] = []
  let isDown = false
  const ask: AskProbe = async ({ probe: { query }, k }) => {
    if (isDown) throw new Error('down')
    asked.push(`${query} ${k}`)
    return { auto: { recall: 1, rank: 1 } }
  }
  const run = () => askProbes(context, ask, clock.now + 1000)
  expect(probesDueAt(context)).toBe(null)
  pinProbes(context, [probe('one?'), probe('two?')], bounds)
  expect((probesDueAt(context) ?? Infinity) <= clock.now).toBe(true)
  await run()
  await run()
  expect([asked.splice(0), probesDueAt(context)]).toEqual([['one? 3', 'two? 3'], null])
  expect(resultsOf(context).map(({ last }) => last?.at)).toEqual([clock.now, clock.now])
  const first = clock.now
  writeMeta(context.sql, metaKeys.settledVersion, 7)
  expect(probesDueAt(context)).toBe(first + HOUR)
  await run()
  expect(asked).toEqual([])
  clock.now = first + HOUR
  isDown = true
  await run()
  expect([asked, probesDueAt(context)]).toEqual([[], clock.now + 300_000])
  isDown = false
  clock.now += 300_000
  await run()
  expect([asked.splice(0), probesDueAt(context)]).toEqual([['one? 3', 'two? 3'], null])
  pinProbes(context, [probe('one?'), probe('three?')], bounds)
  await run()
  expect(asked).toEqual(['three? 3'])
  world.close()
})
