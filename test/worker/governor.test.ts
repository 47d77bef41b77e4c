/** The governor in the runtime: loans outlive it, and a large corpus does not keep a small one waiting. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it } from 'vitest'
import type { GovernorObject } from '../../src/ports/call-slots'
import { doc, newCorpus } from './corpora'
import { ended, eventually } from './waiting'

const { GOVERNOR, CORPUS } = env as unknown as { GOVERNOR: DurableObjectNamespace; CORPUS: DurableObjectNamespace }
const of = (name: string): GovernorObject => GOVERNOR.getByName(name) as unknown as GovernorObject
const MODEL = 'hash' // the embedding model of these tests
const call = (party: string, patience: number, model: string) => ({ model, kind: 'embedding' as const, party, patience })
const SLOTS = 24
const held: string[] = []

/** Takes every slot of the account for one corpus, and leaves hundreds of its calls waiting. */
async function occupied(): Promise<void> {
  const ids = await Promise.all(Array.from({ length: SLOTS }, () => of('account').acquire(call('big', 5000, MODEL))))
  held.push(...ids.filter((id) => id !== null))
}

afterEach(async () => {
  for (const id of held.splice(0)) await of('account').release(id)
})

it('[V67] hundreds of open calls of one corpus do not delay another’s single document', async () => {
  await occupied()
  expect(held).toHaveLength(SLOTS)
  let [served, letGo] = [0, (): void => {}]
  const end = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const waiting = Array.from({ length: 200 }, async () => {
    const id = await eventually('a slot', async () => (await of('account').acquire(call('big', 20_000, MODEL))) ?? undefined)
    served++
    await end
    await of('account').release(id)
  })
  const { uid, corpus } = await newCorpus()
  const accepted = await corpus.accept({ kind: 'ingest', upserts: [doc('a', 'A heron stands here.')], deletes: [] })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  expect((await corpus.job(accepted.job, 300))?.status).not.toBe('succeeded') // its call waits for a slot
  await eventually('a runner of the document', () =>
    runInDurableObject(
      CORPUS.getByName(uid),
      (_object, { storage }) => storage.sql.exec(`SELECT 1 FROM meta WHERE key = 'lease'`).toArray()[0],
    ),
  )
  // Slots come free one by one. The document's call has the next one as soon as it waits: on a busy machine not at once.
  const job = await ended(accepted.job, async () => {
    await of('account').release(held.shift() ?? '')
    return (await corpus.job(accepted.job, 300)) ?? { status: 'gone' }
  })
  expect(job.status).toBe('succeeded')
  expect(served).toBeLessThanOrEqual(SLOTS)
  // The others are served as slots come free.
  letGo()
  for (const id of held.splice(0)) await of('account').release(id)
  await Promise.all(waiting)
})

it('[V67] a governor that is evicted remembers what it has lent; who waited asks again', async () => {
  const name = `crash-${crypto.randomUUID()}`
  const before = of(name)
  const ids = await Promise.all(Array.from({ length: SLOTS }, () => before.acquire(call('a', 1000, 'm'))))
  expect(ids.every((id) => id !== null)).toBe(true)
  const waiting = before.acquire(call('b', 20_000, 'm')).catch(() => 'gone')
  await before.acquire(call('c', 1, 'm')) // calls over one stub arrive in order: by now the one before is in the queue
  await runInDurableObject(GOVERNOR.getByName(name), (_object, state) => state.abort('evicted by the test')).catch(() => undefined)
  expect(await waiting).toBe('gone')
  expect(await of(name).acquire(call('b', 10, 'm'))).toBeNull()
  await of(name).release(ids[0] ?? '')
  expect(await of(name).acquire(call('b', 1000, 'm'))).not.toBeNull()
})
