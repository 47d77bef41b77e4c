/** One look at a source: asked of its object, fetched, reported. Rejects only where the object does: the look is then repeated. */
import type { OutboundObject } from '../ports/outbound'
import { fetchPage, type Reader } from './page'

/** Milliseconds until this message should be looked at again; null: done (the schedule sends the next). */
export async function refetch(
  reader: Reader,
  corpus: Pick<OutboundObject, 'claimSource' | 'closeSource'>,
  id: string,
): Promise<number | null> {
  const order = await corpus.claimSource(id)
  if (order.kind === 'nothing') return null
  if (order.kind === 'wait') return order.ms
  await corpus.closeSource(id, order.attempt, await fetchPage(reader, order))
  return null
}
