/** Counts documents as they pass by on their way from the files. */
import type { Corpus, CorpusClient } from '../../src/client/client'
import { list } from '../connect'
import type { Read, Skipped, SourceDocument } from '../documents'

const MAX_LISTED = 20_000 // documents in a corpus that are listed to see which exist

/** Of what has been read so far. */
export interface Tally {
  readonly count: number
  /** Documents whose ids exist already. */
  readonly known: number
  /** Bytes of text. */
  readonly size: number
  /** Documents whose ids have come before. */
  readonly repeated: number
  readonly skipped: readonly Skipped[]
}

export interface Tallied {
  readonly tally: Tally
  /** They can be read once. */
  documents(): AsyncGenerator<SourceDocument>
}

interface Tallying {
  /** Ids that the corpus has. */
  readonly there: ReadonlySet<string>
  read(): AsyncIterable<Read>
  onRead(count: number): void
}

export function tallyOf({ there, read, onRead }: Tallying): Tallied {
  const skipped: Skipped[] = []
  const tally = { count: 0, known: 0, size: 0, repeated: 0, skipped }
  const seen = new Set<string>()
  const documents = async function* (): AsyncGenerator<SourceDocument> {
    for await (const one of read()) {
      if ('skipped' in one) {
        skipped.push(one)
        continue
      }
      const { document } = one
      if (seen.has(document.id)) tally.repeated++
      seen.add(document.id)
      if (there.has(document.id)) tally.known++
      tally.size += Buffer.byteLength(document.text)
      onRead(++tally.count)
      yield document
    }
  }
  return { tally, documents }
}

/** Of large corpora none: listing them would take longer than it saves. */
export async function listIds(corpus: CorpusClient, { counts }: Corpus): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  if ((counts?.documents ?? 0) > MAX_LISTED) return ids
  for await (const { document } of list((paging) => corpus.page(paging))) ids.add(document)
  return ids
}
