/** The catalogue in D1: which corpora exist. JSON columns contain what this file wrote, and are trusted. Each statement may be executed twice (../d1-retry.ts). */

import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Settings } from '../../core/settings'
import { storedSettings } from '../../core/strategies/default-settings'
import { isMadeDivided } from '../../corpus-uid'
import { rememberLayout } from '../../partition-layout'
import type { Catalogue, CorpusRecord } from '../../ports/catalogue'
import { corpus } from './schema'

export function catalogue(binding: D1Database): Catalogue {
  const db = drizzle(binding)
  const living = isNull(corpus.deleted)
  return {
    async corpus(name, seeing) {
      const named = and(eq(corpus.name, name), living)
      // Along the index of public names: a hidden corpus is not read, so that it takes no longer than one that does not exist.
      const visible = sql`uid IN (SELECT ${seeing} UNION ALL SELECT p.uid FROM corpus p INDEXED BY corpus_public_name
        WHERE p.name = ${name} AND p.public = 1 AND p.deleted IS NULL)`
      const seen = seeing === undefined ? named : and(visible, sql`+name = ${name}`, living)
      const [row] = await db.select().from(corpus).where(seen)
      return row ? corpusOf(row) : null
    },
    async corpora(uids, after, limit) {
      const among = uids ? inArray(corpus.uid, uids.slice(0, MAX_UIDS)) : undefined
      const rows = await db
        .select()
        .from(corpus)
        .where(and(living, gt(corpus.name, after), among))
        .orderBy(asc(corpus.name))
        .limit(limit)
      return rows.map(corpusOf)
    },
    async hasCorpora(count) {
      const rows = await db
        .select({ uid: corpus.uid })
        .from(corpus)
        .where(living)
        .limit(1)
        .offset(count - 1)
      return rows.length > 0
    },
    async create(record) {
      const [, [named]] = await db.batch([
        db.insert(corpus).values(rowOf(record)).onConflictDoNothing(),
        db
          .select({ uid: corpus.uid })
          .from(corpus)
          .where(and(eq(corpus.name, record.name), living)),
      ])
      return named?.uid === record.uid
    },
    async change(record) {
      const { uid, name: _, created: __, database: ___, locationHint: ____, ...rest } = rowOf(record)
      const changed = await db
        .update(corpus)
        .set(rest)
        .where(
          and(
            eq(corpus.uid, uid),
            living,
            // An example that left with its document is brought back by nobody who read the record before.
            sql`(coalesce(json_extract(${corpus.settings}, ${REMOVALS}), 0) = ${record.exampleRemovals ?? 0}
              OR json_extract(${corpus.settings}, ${EXAMPLES}) IS json_extract(${examplesOf(record)}, '$.examples'))`,
          ),
        )
        .returning({ uid: corpus.uid })
      return changed.length > 0
    },
    async recordEmbedding(uid, { dimensions, embedding }) {
      const named = sql`json_set(${corpus.settings}, '$.dimensions', ${dimensions}, '$.embedding', ${embedding ?? null})`
      const unnamed = sql`json_remove(json_set(${corpus.settings}, '$.dimensions', ${dimensions}), '$.embedding')`
      await db
        .update(corpus)
        .set({ settings: embedding === undefined ? unnamed : named })
        .where(eq(corpus.uid, uid))
    },
    async recordExamples(uid, examples) {
      const removals = sql`coalesce(json_extract(${corpus.settings}, ${REMOVALS}), 0) + 1`
      const left = sql`json_set(json_replace(${corpus.settings}, ${EXAMPLES}, json(${JSON.stringify(examples)})), ${REMOVALS}, ${removals})`
      await db.update(corpus).set({ settings: left }).where(eq(corpus.uid, uid))
    },
    async recordLayout(uid, layout, strategies) {
      await db
        .update(corpus)
        .set({ layout: JSON.stringify(layout), ...(strategies ? { strategies: JSON.stringify(strategies) } : {}) })
        .where(and(eq(corpus.uid, uid), sql`coalesce(json_extract(${corpus.layout}, '$.n'), 0) < ${layout.n}`))
    },
    async dropped(name, job) {
      const [row] = await db
        .select()
        .from(corpus)
        .where(and(eq(corpus.dropJob, job), eq(corpus.name, name)))
      if (!row || row.deleted === null) return null
      const { uid, database, recoverableUntil, pending } = row
      const ref = database === null ? { uid } : { uid, database }
      return { ...ref, state: recoverableUntil !== null ? 'recoverable' : pending !== null ? 'clearing' : 'cleared' }
    },
  }
}

const EXAMPLES = '$.extraction.examples'
const REMOVALS = '$.exampleRemovals' // beside the settings, in their column
export const MAX_UIDS = 90 // D1 binds at most 100 parameters; a key names at most as many corpora

const examplesOf = ({ settings }: CorpusRecord): string => JSON.stringify({ examples: settings.extraction.examples ?? null })

/** Whoever reads where a corpus is, calls the partitions that it has now. */
export function rememberPartitions({ uid, layout }: Pick<typeof corpus.$inferSelect, 'uid' | 'layout'>): void {
  const told = layout ? JSON.parse(layout) : null
  if (told || isMadeDivided(uid)) rememberLayout(uid, told)
}

export function corpusOf(row: typeof corpus.$inferSelect): CorpusRecord {
  rememberPartitions(row)
  const { exampleRemovals, ...settings } = JSON.parse(row.settings) as Settings & { readonly exampleRemovals?: number }
  return {
    uid: row.uid,
    name: row.name,
    strategies: JSON.parse(row.strategies),
    settings: storedSettings(settings),
    ...(exampleRemovals === undefined ? {} : { exampleRemovals }),
    budget: JSON.parse(row.budget),
    public: row.public,
    created: row.created,
    undeleteSeconds: row.undeleteSeconds,
    ...(row.recovering ? { isRecovering: true } : {}),
    ...(row.database === null ? {} : { database: row.database }),
    ...(row.locationHint === null ? {} : { locationHint: row.locationHint }),
    ...(row.audit === null ? {} : { audit: JSON.parse(row.audit) }),
    ...(row.defaultAccess === null ? {} : { defaultAccess: JSON.parse(row.defaultAccess) }),
  }
}

function rowOf(record: CorpusRecord): typeof corpus.$inferInsert {
  return {
    uid: record.uid,
    name: record.name,
    strategies: JSON.stringify(record.strategies),
    settings: JSON.stringify({ ...record.settings, ...(record.exampleRemovals ? { exampleRemovals: record.exampleRemovals } : {}) }),
    budget: JSON.stringify(record.budget),
    public: record.public,
    created: record.created,
    database: record.database ?? null,
    locationHint: record.locationHint ?? null,
    audit: record.audit ? JSON.stringify(record.audit) : null,
    defaultAccess: record.defaultAccess ? JSON.stringify(record.defaultAccess) : null,
    undeleteSeconds: record.undeleteSeconds ?? 0,
  }
}
