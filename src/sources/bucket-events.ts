/**
 * R2's change notifications, from a queue. A message may come twice, late, in any order, or never: it only names an object, and nothing
 * else in it is trusted. The source then checks whether the object exists; the next listing finds what no message reported.
 */
import { z } from 'zod'
import type { QueueMessage } from '../outbound/consume'
import type { BucketRoutes } from '../ports/buckets'
import type { OutboundObject } from '../ports/outbound'
import type { ObjectNews } from '../ports/sources'
import { listedObject } from './bucket'
import { isTaken } from './paths'

const RETRY_DELAY = 30 // seconds
const GONE: ReadonlySet<string> = new Set(['DeleteObject', 'LifecycleDeletion'])

const eventSchema = z.object({
  action: z.string().max(64),
  bucket: z.string().min(1).max(64),
  object: z.object({ key: z.string().min(1).max(1024) }),
})
type Event = z.output<typeof eventSchema>

export const isBucketEvent = (body: unknown): boolean => eventSchema.safeParse(body).success

export interface Told {
  readonly objects: number
  readonly failed: number
}

interface Deps {
  readonly routes: BucketRoutes
  corpus(uid: string): Pick<OutboundObject, 'source' | 'askSource'>
}

/** A bucket is reported again if not all of its sources could be told. */
export async function tellBuckets(deps: Deps, messages: readonly QueueMessage[]): Promise<Told> {
  const byBucket = new Map<string, { readonly message: QueueMessage; readonly event: Event }[]>()
  for (const message of messages) {
    const event = eventSchema.parse(message.body)
    byBucket.set(event.bucket, [...(byBucket.get(event.bucket) ?? []), { message, event }])
  }
  const told = { objects: 0, failed: 0 }
  for (const [bucket, heard] of byBucket) {
    try {
      await tell(
        deps,
        bucket,
        heard.map(({ event }) => event),
      )
      told.objects += heard.length
      for (const { message } of heard) message.ack()
    } catch {
      told.failed += heard.length
      for (const { message } of heard) message.retry({ delaySeconds: RETRY_DELAY })
    }
  }
  return told
}

async function tell({ routes, corpus }: Deps, bucket: string, events: readonly Event[]): Promise<void> {
  // The last message about each object: only whether it says that an unknown object is gone is used.
  const keys = new Map(events.map(({ object, action }) => [object.key, GONE.has(action)]))
  for (const { uid, source, prefix } of await routes.of(bucket)) {
    const named = [...keys].filter(([key]) => key.startsWith(prefix) && !key.endsWith('/'))
    if (named.length === 0) continue
    const record = await corpus(uid).source(source, 'all')
    const objects = named
      .filter(([key]) => record !== null && isTaken(record.options, key))
      .map(([key, isGone]): ObjectNews => ({ ...listedObject('r2', source, bucket, key, null), isGone }))
    if (objects.length > 0) await corpus(uid).askSource(source, { kind: 'objects', objects })
    if (!record) await routes.remove(uid, source)
  }
}
