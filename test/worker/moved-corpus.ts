/** A corpus whose documents are moved into partitions: what it has, what it answers, and what is left of it elsewhere. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { metaKeys, readMeta, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { counted } from '../../durable-objects/sql'
import { FORGOTTEN_AFTER } from '../../src/partition-layout'
import { bindings, indexed, texts } from './corpora'
import { call, corpus, succeeded } from './living'
import { ended, eventually } from './waiting'

const { DB, DATA_0 } = env as unknown as { DB: D1Database; DATA_0: D1Database }

/** With all texts, each with metadata, and one with a label. */
export async function filled(more: object = {}): Promise<{ base: string; uid: string }> {
  const base = await corpus(more)
  const upserts = texts.map(([id, text]) => ({
    id,
    text,
    title: `On ${id}`,
    metadata: { of: id },
    access: id === 'salt' ? ['miners'] : [],
  }))
  const batch = await call('POST', `${base}/documents:batch`, { upserts })
  await succeeded(base, batch.body.job)
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<string>('uid')) ?? ''
  return { base, uid }
}

export const found = async (base: string, query: string) =>
  (await call('POST', `${base}/search`, { query, strategy: 'keyword' })).body.evidence.map((one: { document: string; score: number }) => [
    one.document,
    one.score,
  ])

export const documentsOf = async (base: string) => {
  const { data } = (await call('GET', `${base}/documents?limit=100`)).body
  return Promise.all(
    data.map(async ({ document }: { document: string }) => {
      const { indexed_version: _, status: __, ...rest } = (await call('GET', `${base}/documents/${document}`)).body
      return rest
    }),
  )
}

/** What was left is removed: the job has ended. */
export const moved = (base: string, job: string) =>
  ended<{ status: string }>(job, async () => {
    await indexed()
    return (await call('GET', `${base}/jobs/${job}`)).body
  })

/** In D1, of a corpus or a partition. */
export const rowsOf = (uid: string, table = 'node') =>
  DATA_0.prepare(`SELECT count(*) AS n FROM ${table} WHERE uid = ?`).bind(uid).first<number>('n')

/**
 * The half minute in which callers may still know where the documents were passes at once, when the jobs are moved. Fails if it is not half a minute
 * that is waited for.
 */
export async function forgotten(uid: string): Promise<void> {
  const waited = await eventually('the jobs to be moved', () =>
    runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, async (_object, { storage }) => {
      const sql = counted(storage.sql)
      const state = readMeta(sql, metaKeys.repartition)
      if (!state?.areJobsMoved) return undefined
      writeMeta(sql, metaKeys.repartition, { ...state, notBefore: 0 })
      await storage.setAlarm(Date.now())
      return state.notBefore - (state.switchedAt ?? 0)
    }),
  )
  if (waited !== FORGOTTEN_AFTER) throw new Error(`what was left is kept for ${waited} ms, not for ${FORGOTTEN_AFTER}`)
}
