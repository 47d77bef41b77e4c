/** Which sources follow which bucket, in D1, so that a bucket's message reaches them. A source registers again at each listing. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { BucketRoutes } from '../../ports/buckets'
import { bucketRoute, corpus } from './schema'

const MAX = 1000 // sources of one bucket that are notified; the others find out at their next listing

export function bucketRoutes(binding: D1Database): BucketRoutes {
  const db = drizzle(binding)
  return {
    async of(bucket) {
      const living = and(eq(corpus.uid, bucketRoute.uid), isNull(corpus.deleted))
      const rows = await db
        .select({ route: bucketRoute })
        .from(bucketRoute)
        .innerJoin(corpus, living)
        .where(eq(bucketRoute.bucket, bucket))
        .orderBy(asc(bucketRoute.uid), asc(bucketRoute.source))
        .limit(MAX)
      return rows.map(({ route }) => route)
    },
    async put(route) {
      const { uid, source, bucket, prefix } = route
      // One statement: a corpus that is being deleted gets none, since nothing would remove it.
      await db.run(sql`INSERT INTO ${bucketRoute} (uid, source, bucket, prefix) SELECT ${uid}, ${source}, ${bucket}, ${prefix}
        WHERE EXISTS (SELECT 1 FROM ${corpus} WHERE ${corpus.uid} = ${uid} AND ${corpus.deleted} IS NULL) ON CONFLICT DO NOTHING`)
    },
    async remove(uid, source) {
      await db.delete(bucketRoute).where(and(eq(bucketRoute.uid, uid), eq(bucketRoute.source, source)))
    },
  }
}
