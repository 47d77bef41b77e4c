/** A partition whose documents are in others by now, or will be in a moment. */
import { corpusUidOf } from '../../../src/corpus-uid'
import { CLOSED, MOVED, rememberedLayout } from '../../../src/partition-layout'
import type { Sql } from '../../sql'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta } from '../tables/meta'

/** Inside the transaction that writes: what is written now would be lost. */
export function refuseClosed(sql: Sql): void {
  if (readMeta(sql, metaKeys.moving)?.isClosed) throw new Error(CLOSED)
}

/** The same for documents, which the own object of a corpus that was divided does not take again. */
export function refuseDocuments(sql: Sql): void {
  refuseClosed(sql)
  if (readMeta(sql, metaKeys.moving)?.hasLeft) throw new Error(MOVED)
}

/** Is it the own object of a corpus that was made without partitions, and whose documents are in partitions now? Nothing is read if it never was divided. */
export function hasLeftAlone({ sql, config: { uid } }: Pick<CorpusContext, 'sql' | 'config'>): boolean {
  return rememberedLayout(uid) !== null && corpusUidOf(uid) === uid && readMeta(sql, metaKeys.moving)?.hasLeft === true
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
