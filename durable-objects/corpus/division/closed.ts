/** A partition whose documents are in others by now, or will be in a moment. */
import { corpusUidOf } from '../../../src/corpus-uid'
import { CLOSED, MOVED } from '../../../src/partition-layout'
import type { Sql } from '../../sql'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta } from '../tables/meta'

/** Inside the transaction that writes: what is written now would be lost. */
export function refuseClosed(sql: Sql): void {
  if (readMeta(sql, metaKeys.moving)?.isClosed) throw new Error(CLOSED)
}

/** The corpus, to be written; what follows must not wait. */
export function openPart(host: { readonly ready: () => CorpusContext }): CorpusContext {
  const context = host.ready()
  refuseClosed(context.sql)
  return context
}

/** It is the corpus's no more, and answers nothing. */
export function refuseLeft({ sql, config: { uid } }: Pick<CorpusContext, 'sql' | 'config'>): void {
  if (corpusUidOf(uid) !== uid && readMeta(sql, metaKeys.moving)?.hasLeft) throw new Error(MOVED)
}
