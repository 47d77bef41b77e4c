/** The half minute after a switch of partitions, in which callers may still know the former ones: here it passes at once. */
import { runInDurableObject } from 'cloudflare:test'
import { metaKeys, readMeta, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { counted } from '../../durable-objects/sql'
import { FORGOTTEN_AFTER } from '../../src/partition-layout'
import { bindings } from './corpora'
import { eventually } from './waiting'

/** Once the jobs of the former ones are moved, nobody is left who knows them. Fails if it is not the half minute that is waited for. */
export async function forgotten(uid: string): Promise<void> {
  const waited = await eventually('the jobs of the former partitions', () =>
    runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, async (_object, { storage }) => {
      const sql = counted(storage.sql)
      const state = readMeta(sql, metaKeys.repartition)
      if (!state?.areJobsMoved) return undefined
      writeMeta(sql, metaKeys.repartition, { ...state, notBefore: 0 })
      await storage.setAlarm(Date.now())
      return state.notBefore - (state.switchedAt ?? 0)
    }),
  )
  if (waited !== FORGOTTEN_AFTER) throw new Error(`the former partitions were kept for ${waited} ms, not for ${FORGOTTEN_AFTER}`)
}
