/** A corpus that was moved to another embedding model a moment ago: what this isolate remembers of it is looked up again, and the work done once more. */
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
