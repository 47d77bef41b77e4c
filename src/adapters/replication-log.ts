/** The log between a corpus's object and its replicas, in R2. Nothing is ever overwritten: an existing object stays unchanged. */
import type { R2Bucket } from '@cloudflare/workers-types'
import { workerLimits } from '../platform-limits'
import type { ReplicationLog } from '../ports/replication'

type Bucket = Pick<R2Bucket, 'put' | 'get' | 'list' | 'delete'>

export function replicationLog(bucket: Bucket): ReplicationLog {
  return {
    // R2 does not say why it wrote nothing: `null` means that the condition did not hold.
    put: async (key, bytes) => (await bucket.put(key, bytes, { onlyIf: { etagDoesNotMatch: '*' } })) !== null,
    async get(key) {
      const object = await bucket.get(key)
      return object ? new Uint8Array(await object.arrayBuffer()) : null
    },
    async list(prefix) {
      const keys: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await bucket.list({ prefix, limit: workerLimits.maxR2ListKeys, ...(cursor === undefined ? {} : { cursor }) })
        keys.push(...page.objects.map(({ key }) => key))
        if (!page.truncated) return keys
        cursor = page.cursor
      }
    },
    async remove(keys) {
      const most = workerLimits.maxR2DeleteKeys
      for (let at = 0; at < keys.length; at += most) await bucket.delete(keys.slice(at, at + most))
    },
  }
}
