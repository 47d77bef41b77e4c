/** Reads everything once before anything is sent: how many documents, which are new, what they would cost. Keeps them in memory if they are not too many. */
import type { Corpus, CorpusClient, Estimate } from '../../src/client/client'
import type { Many, Read, SourceDocument } from '../documents'
import { Failure } from '../failure'
import { estimateBounds, toBatches } from './batches'
import { listIds, type Tally, tallyOf } from './tally'

const MAX_KEPT = 64 * 1024 * 1024 // bytes of text held in memory; beyond that files are read again

interface Surveying {
  readonly corpus: CorpusClient
  readonly view: Corpus
  /** It may be called again. */
  read(): AsyncIterable<Read>
  /** The service is asked what they would cost. */
  readonly isPriced: boolean
  onRead(count: number): void
}

export interface Cost {
  readonly tokens: number
  readonly usd: number
  readonly min: number
  readonly max: number
}

export interface Survey {
  readonly tally: Tally
  documents(): Many<SourceDocument>
  readonly cost: Cost | undefined
}

export async function survey({ corpus, view, read, isPriced, onRead }: Surveying): Promise<Survey> {
  const there = await listIds(corpus, view)
  const { tally, documents } = tallyOf({ there, read, onRead })
  let held = 0
  let kept: SourceDocument[] | undefined = []
  const fresh = async function* (): AsyncGenerator<SourceDocument> {
    for await (const document of documents()) {
      held += Buffer.byteLength(document.text) + (document.content_base64?.length ?? 0)
      if (held > MAX_KEPT) kept = undefined
      kept?.push(document)
      if (!there.has(document.id) && document.text !== '') yield withoutFile(document) // the cost of files without text is not known yet
    }
  }
  const estimates: Estimate[] = []
  for await (const documents of toBatches(fresh(), estimateBounds)) {
    if (isPriced) estimates.push(await corpus.estimate({ documents }))
  }
  return { tally, documents: () => kept ?? readAgain(read), cost: isPriced ? sumOf(estimates) : undefined }
}

/** As its text, which is what is paid for. */
function withoutFile({ content_base64: _, content_type: __, ...rest }: SourceDocument): SourceDocument {
  return rest
}

async function* readAgain(read: () => AsyncIterable<Read>): AsyncGenerator<SourceDocument> {
  for await (const one of read()) if ('document' in one) yield one.document
}

/** The corpus's own strategies together, as the service reports them for each part. */
function sumOf(estimates: readonly Estimate[]): Cost {
  let [tokens, usd, min, max] = [0, 0, 0, 0]
  for (const { tokens: some, corpus } of estimates) {
    if (!corpus) throw new Failure('the service does not say what the corpus would cost')
    tokens += some
    usd += corpus.usd
    min += corpus.bounds.min.usd
    max += corpus.bounds.max.usd
  }
  return { tokens, usd, min, max }
}
