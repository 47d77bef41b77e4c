/**
 * A corpus that was just moved to another embedding model: what this isolate remembers about it is read again, and the work is
 * repeated.
 */
import { isSameEmbedding } from '../core/settings'
import { mismatchIn } from '../embedding-mismatch'
import { recordOf } from './access'
import type { Ctx } from './context'

export async function withFreshModel<T>(c: Ctx, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const before = c.get('corpus')
    if (!(error instanceof Error) || mismatchIn(error.message) === undefined) throw error
    const record = await recordOf(c, false)
    if (record?.uid !== before.uid || isSameEmbedding(record.settings, before.settings)) throw error
    c.set('corpus', record)
    return work()
  }
}
