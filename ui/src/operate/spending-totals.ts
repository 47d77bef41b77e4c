/** What a corpus has cost, and which documents cost most. */
import type { Amounts, CorpusUsage } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'

export interface Spending extends Omit<CorpusUsage, 'data' | 'next_cursor'> {
  readonly documents: readonly (Amounts & { readonly document: string })[]
  /** There are more documents than were read. */
  readonly more: boolean
}

const MAX_DOCUMENTS = 2000 // read to find the most expensive: the list comes by id
const MAX_CALLS = 30 // a page may contain only documents that others may read

/** The sums, and as many documents as a few calls return: ten calls if this key may read all of them. */
export async function spendingOf(name: string, signal: AbortSignal): Promise<Spending> {
  const corpus = corpusAt(name, signal)
  const documents: CorpusUsage['data'][number][] = []
  let cursor: string | undefined
  for (let calls = 1; ; calls++) {
    const { data, next_cursor, ...sums } = await corpus.usage({ cursor, limit: 200 })
    documents.push(...data)
    if (next_cursor === null || documents.length >= MAX_DOCUMENTS || calls === MAX_CALLS)
      return { ...sums, documents, more: next_cursor !== null }
    cursor = next_cursor
  }
}
