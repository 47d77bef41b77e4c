/** A runner's rounds under the Workflow's own rules: a step whose time is up runs on beside its repetition. */
import { afterEach, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { readLease } from '../../../durable-objects/corpus/indexing/runner'
import { startInstance } from '../../../durable-objects/corpus/indexing/start'
import { stepsStandIn, workflowStandIn } from '../../../local/workerd/workflow'
import { ingest, WRITTEN } from '../../../src/flows/ingest'
import { workerLimits, workflowLimits } from '../../../src/platform-limits'
import type { Models } from '../../../src/ports/models'
import { account } from '../../account'
import { type VirtualTime, virtualTime } from '../../virtual-time'
import { LEASE } from './mortal-object'
import { countedModels, letter, type Spending, scribe, spending } from './spending'

const CALL = 20_000 // ms a written reply takes
const opened: Spending[] = []

afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

interface World {
  readonly time: VirtualTime
  readonly corpus: Spending
  /** How often each text was asked about. */
  readonly asked: Map<string, number>
  readonly models: Models
}

/** A corpus whose clock is virtual, and a writer that takes its time. */
function world(): World {
  const corpus = spending(['cluerag'])
  opened.push(corpus)
  const time = virtualTime(corpus.clock.now)
  Object.defineProperty(corpus.clock, 'now', { get: () => time.now() })
  const asked = new Map<string, number>()
  const { models } = countedModels(scribe)
  const slow: Models = {
    ...models,
    async write(messages, options) {
      const about = messages.at(-1)?.content ?? ''
      asked.set(about, (asked.get(about) ?? 0) + 1)
      await time.sleep(CALL)
      return models.write(messages, options)
    },
  }
  return { time, corpus, asked, models: slow }
}

/** An instance as the object starts it, with its own steps; started again while something is left, as by the object's alarm. */
async function worked({ time, corpus, models }: World, timeouts: { readonly [step: string]: readonly number[] } = {}): Promise<void> {
  let made = 0
  for (let instance = 0; instance < 50 && corpus.context.sql.one('SELECT 1 FROM task WHERE urgent = 1') !== undefined; instance++) {
    const runner = { corpus: corpus.object, models, name: `i${instance}`, newId: () => `round-${++made}`, clock: time, calls: () => 0 }
    await ingest(runner, stepsStandIn({ clock: time, ...(instance === 0 ? { timeouts } : {}) }))
    while (commitNext(corpus.context)) await time.sleep(20) // by the alarm, too
    await time.sleep(5000)
  }
}

const documents = (count: number) => Array.from({ length: count }, (_, n) => letter(n))

it('[J10] a step that is repeated while its first attempt runs on pays for no task twice', async () => {
  const here = world()
  const accepted = here.corpus.accept(documents(60)) // half of the chunks are read by the writer
  await here.time.run(worked(here, { 'round 0': [1000], 'round 1': [CALL + 1000, CALL + 1000], 'round 3': [LEASE] }))
  expect(here.asked.size).toBe(30)
  expect([...here.asked.values()].filter((times) => times > 1)).toEqual([])
  const job = accepted.kind === 'accepted' ? here.corpus.job(accepted.job) : undefined
  expect(job?.status).toBe('succeeded')
  expect(job?.progress).toMatchObject({ done: job?.progress.total })
})

it('[J10] an attempt that died keeps its tasks no longer than its time', async () => {
  const here = world()
  here.corpus.accept(documents(3))
  const dead = await here.corpus.object.openTasks('i0', 1024, { id: 'dead', written: WRITTEN })
  expect(dead.tasks.length).toBeGreaterThan(0)
  const ask = (turn: { readonly id: string; readonly after?: string }) => here.corpus.object.openTasks('i0', 1024, turn)
  expect(await ask({ id: 'next' })).toMatchObject({ tasks: [], wait: LEASE })
  expect((await ask({ id: 'next', after: 'another' })).wait).toBe(LEASE)
  expect((await ask({ id: 'dead' })).tasks).toHaveLength(dead.tasks.length) // heard twice
  expect((await ask({ id: 'next', after: 'dead' })).tasks).toHaveLength(dead.tasks.length) // it ended without a reply
  const from = here.time.now()
  await here.time.run(worked(here))
  expect(here.corpus.context.sql.one('SELECT 1 FROM task WHERE urgent = 1')).toBeUndefined()
  expect(here.time.now() - from).toBeLessThan(LEASE + 120_000)
})

it('[F17] a round is lent no more tasks for a model that writes than fit into its time, with those behind them that need none', async () => {
  const here = world()
  here.corpus.accept(documents(150))
  const vectors = await here.corpus.object.openTasks('i0', 100_000, { id: 'a' })
  expect(vectors.tasks.every((task) => task.brief.kind === 'embed')).toBe(true)
  let max = 0
  const counted = {
    ...here.corpus.object,
    openTasks: async (...asked: Parameters<typeof here.corpus.object.openTasks>) => {
      const round = await here.corpus.object.openTasks(...asked)
      max = Math.max(max, round.tasks.filter((task) => task.brief.kind !== 'embed').length)
      return round
    },
  }
  await here.time.run(here.time.sleep(LEASE))
  await here.time.run(worked({ ...here, corpus: { ...here.corpus, context: here.corpus.context, object: counted } }))
  expect(max).toBe(WRITTEN)
  expect([...here.asked.values()].every((times) => times === 1)).toBe(true)
})

it('[V140] an instance ends before it has made more calls than an invocation may make, and the next begins at once', async () => {
  const here = account()
  const corpus = here.corpus(['cluerag'])
  opened.push(corpus)
  const accepted = corpus.accept(Array.from({ length: 900 }, (_, n) => letter(n)))
  await here.time.run(here.indexed(corpus, 'long'))
  const job = accepted.kind === 'accepted' ? corpus.job(accepted.job) : undefined
  expect(job?.status).toBe('succeeded')
  expect(here.callsOfOne()).toBeGreaterThan(workerLimits.safeSubrequests / 2) // one instance would have made more
  expect(here.callsOfOne()).toBeLessThanOrEqual(workerLimits.safeSubrequests)
  expect(readLease(corpus.context)).toBeUndefined() // none runs out while nothing is done
})

it('[V140] the Workflow stand-in refuses what Workflows refuse, and a step’s timeout does not end its callback', async () => {
  const time = virtualTime()
  const steps = stepsStandIn({ clock: time })
  const config = { retries: { limit: 1, delay: '2 seconds', backoff: 'exponential' }, timeout: 1000 }
  const large = time.run(steps.do('large', config, async () => 'x'.repeat(workflowLimits.maxStepResultBytes)))
  await expect(large).rejects.toThrow('Step large output is too large. Maximum allowed size is 1MiB.')
  let ran = 0
  const late = time.run(
    steps.do('late', config, async () => {
      await time.sleep(1500)
      ran++
    }),
  )
  await expect(late).rejects.toThrow('Execution timed out after 1000ms')
  await time.run(time.sleep(1000))
  expect(ran).toBe(2) // both attempts ran on
  const binding = workflowStandIn(async () => undefined)
  await binding.create({ id: 'a', params: {} })
  await expect(binding.create({ id: 'a', params: {} })).rejects.toThrow('(instance.already_exists) Instance already exists')
  await startInstance(binding, 'a', 'u') // its answer got lost the first time
  await expect(startInstance(binding, '-', 'u')).rejects.toThrow('invalid id')
  await expect(binding.create({ id: '-', params: {} })).rejects.toThrow('invalid id')
  await expect(binding.create({ id: 'b', params: 'x'.repeat(workflowLimits.maxPayloadBytes) })).rejects.toThrow('too large')
})

it('[F431] rounds that are quick are lent more texts, up to a bound; slow ones and those with faults fewer', async () => {
  const lent = async (ms: number): Promise<number[]> => {
    const time = virtualTime()
    const asked: number[] = []
    const object = {
      openTasks: async (_: string, texts: number) => {
        asked.push(texts)
        await time.sleep(asked.length < 6 ? 1000 : ms)
        return { tasks: [], left: 10 - asked.length, paused: false }
      },
      commit: async () => ({ kind: 'committed', left: 0 }),
      release: async () => {},
    } as unknown as Spending['object']
    const { models } = countedModels(scribe)
    const runner = { corpus: object, models, name: 'i', newId: () => `round-${asked.length}`, clock: time, calls: () => 0 }
    await time.run(ingest(runner, stepsStandIn({ clock: time })))
    return asked
  }
  expect(await lent(1000)).toEqual([1024, 2048, 4096, 8192, 16_384, 16_384, 16_384, 16_384, 16_384, 16_384])
  expect(await lent(10_000)).toEqual([1024, 2048, 4096, 8192, 16_384, 16_384, 8192, 4096, 2048, 1024])
})
