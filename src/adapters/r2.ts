/** R2 buckets bound to the Worker, behind the port. `BUCKETS` says which binding is which bucket: `BUCKET_0=documents`. */
import type { R2Bucket, R2ObjectBody } from '@cloudflare/workers-types'
import { bytesUpTo } from '../bytes-up-to'
import type { Bucket, Buckets } from '../ports/buckets'

const PAGE = 1000 // keys; R2 refuses more (10022)
const DOWN = { kind: 'failed', last: 'network' } as const

/** A binding that is named but does not exist is not a bucket. */
export function bucketsOf(env: object & { readonly BUCKETS?: string }): Buckets {
  const bound = env as { readonly [binding: string]: unknown }
  const named = (env.BUCKETS ?? '')
    .split(/\s+/)
    .map((one) => one.split('='))
    .flatMap(([binding = '', name = '']) => (name !== '' && bound[binding] ? [[name, bound[binding] as R2Bucket] as const] : []))
  const found = new Map(named)
  return {
    names: [...found.keys()],
    open(name) {
      const bucket = found.get(name)
      return bucket ? r2(bucket) : null
    },
  }
}

export function r2(bucket: Pick<R2Bucket, 'list' | 'get'>): Bucket {
  return {
    async list(prefix, after) {
      try {
        const page = await bucket.list({ prefix, limit: PAGE, ...(after === null ? {} : { startAfter: after }) })
        return { objects: page.objects.map(({ key, etag }) => ({ key, etag })), isLast: !page.truncated }
      } catch {
        return DOWN
      }
    },
    async read(key, known, limit) {
      try {
        const object = await bucket.get(key, known === null ? {} : { onlyIf: { etagDoesNotMatch: known } })
        if (!object) return { kind: 'missing' }
        if (!('body' in object)) return { kind: 'unchanged' }
        const { etag, size, httpMetadata, body } = object as R2ObjectBody
        if (size > limit) {
          await body.cancel()
          return { kind: 'too_large' }
        }
        const bytes = await bytesUpTo(body as unknown as ReadableStream<Uint8Array>, limit)
        return bytes ? { kind: 'read', etag, type: httpMetadata?.contentType ?? '', bytes } : { kind: 'too_large' }
      } catch {
        return DOWN
      }
    },
  }
}
