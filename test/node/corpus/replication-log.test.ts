/** The log of replicas over R2 itself, as Miniflare runs it. */
import type { R2Bucket } from '@cloudflare/workers-types'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replicationLog } from '../../../src/adapters/replication-log'
import { workerLimits } from '../../../src/platform-limits'

const script = 'export default { fetch: () => new Response() }'
let miniflare: Miniflare
let bucket: R2Bucket

beforeAll(async () => {
  miniflare = new Miniflare({ cf: false, modules: true, script, r2Buckets: { REPLICATION: 'replication-log-test' } })
  bucket = (await miniflare.getR2Bucket('REPLICATION')) as unknown as R2Bucket
})
afterAll(() => miniflare.dispose())

it('[S1580] what is in R2 under a name is never written over, of two that write at once one is told no, and what is not there is null', async () => {
  const log = replicationLog(bucket)
  const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(3)]
  expect([await log.put('log/u/e/1-1', one), await log.put('log/u/e/1-1', other)]).toEqual([true, false])
  expect(await log.get('log/u/e/1-1')).toEqual(one)
  expect((await Promise.all([log.put('log/u/e/2-1', one), log.put('log/u/e/2-1', other)])).sort()).toEqual([false, true])
  expect(await log.get('log/u/e/9-1')).toBeNull()
})

it('[S1580] all of a corpus is listed and removed, page by page as R2 gives and takes it, and nothing of another', async () => {
  // R2 refuses more than a thousand names at a time; Miniflare does not where they are removed.
  const calls: number[] = []
  const page = 3
  const strict = {
    put: bucket.put.bind(bucket),
    get: bucket.get.bind(bucket),
    list: (options: Parameters<R2Bucket['list']>[0]) => bucket.list({ ...options, limit: Math.min(options?.limit ?? page, page) }),
    delete: async (keys: string | string[]) => {
      calls.push(keys.length)
      if (keys.length > workerLimits.maxR2DeleteKeys) throw new Error('R2: too many keys')
      await bucket.delete(keys)
    },
  }
  const log = replicationLog(strict as unknown as R2Bucket)
  const keys = Array.from({ length: 8 }, (_, n) => `log/mine/e/${n}-1`)
  for (const key of [...keys, 'log/mine2/e/1-1']) await log.put(key, Uint8Array.of(1))
  expect(await log.list('log/mine/')).toEqual(keys)
  await log.remove([...keys, ...Array.from({ length: workerLimits.maxR2DeleteKeys }, (_, n) => `log/mine/none/${n}`)])
  expect([await log.list('log/mine/'), await log.list('log/mine2/'), calls]).toEqual([[], ['log/mine2/e/1-1'], [1000, 8]])
})
