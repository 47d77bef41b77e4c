/**
 * Sends batches, some at a time. The service knows a document by id and content: what it has already costs nothing, which is what makes the
 * same command safe to repeat. A batch that is refused for one document is halved until only that one is left out.
 */
import { type Batch, type CorpusClient, LoamError } from '../../src/client/client'
import type { SourceDocument } from '../documents'
import { toFailure } from '../failure'

const REFUSED: ReadonlySet<number | undefined> = new Set([413, 415, 422])

export interface Refused {
  readonly id: string
  readonly why: string
}

export interface Sent {
  readonly job?: string
  readonly documents: number
  readonly unchanged: number
  readonly refused: readonly Refused[]
}

interface Target {
  readonly corpus: CorpusClient
  readonly signal?: AbortSignal
}

interface Sending extends Target {
  readonly batches: AsyncIterable<readonly SourceDocument[]>
  readonly parallel: number
  onSent(sent: Sent): void
}

export async function send({ batches, parallel, onSent, ...target }: Sending): Promise<void> {
  const flight = createFlight()
  const source = lastLast(batches, flight.landed)
  const lane = async (): Promise<void> => {
    for (;;) {
      target.signal?.throwIfAborted()
      const { value, done } = await source.next()
      if (done) return
      const land = flight.begin()
      try {
        for await (const sent of sendBatch(target, value)) onSent(sent)
      } finally {
        land()
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}

/** A batch with an id that has come before waits until everything before it has arrived: the last document with an id is the one that stays. */
async function* lastLast(
  batches: AsyncIterable<readonly SourceDocument[]>,
  landed: () => Promise<void>,
): AsyncGenerator<readonly SourceDocument[]> {
  const seen = new Set<string>()
  for await (const batch of batches) {
    if (batch.some(({ id }) => seen.has(id))) await landed()
    for (const { id } of batch) seen.add(id)
    yield batch
  }
}

interface Flight {
  /** Returns what ends it. */
  begin(): () => void
  /** Nothing is on its way. */
  landed(): Promise<void>
}

function createFlight(): Flight {
  let under = 0
  const waiting: (() => void)[] = []
  return {
    begin() {
      under++
      return () => {
        if (--under > 0) return
        for (const wake of waiting.splice(0)) wake()
      }
    },
    async landed() {
      while (under > 0)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
    },
  }
}

/** With its text, or as the file it is, which the service reads itself. */
function asSent(document: SourceDocument) {
  if (document.content_base64 === undefined) return document
  const { text: _, outline: __, ...file } = document
  return file
}

async function* sendBatch(target: Target, upserts: readonly SourceDocument[]): AsyncGenerator<Sent> {
  const { corpus, signal } = target
  let batch: Batch
  try {
    batch = await corpus.batch({ upserts: upserts.map(asSent) }, { signal })
  } catch (error) {
    const isRefusal = error instanceof LoamError && REFUSED.has(error.status)
    if (!isRefusal || error.code === 'corpus_full') throw error // halving makes no room
    const [first, ...others] = upserts
    if (first && others.length === 0)
      return yield { documents: 1, unchanged: 0, refused: [{ id: first.id, why: toFailure(error)?.message ?? error.message }] }
    const middle = Math.ceil(upserts.length / 2)
    yield* sendBatch(target, upserts.slice(0, middle))
    yield* sendBatch(target, upserts.slice(middle))
    return
  }
  const { job, status, documents } = batch
  const unchanged = status === 'unchanged' ? upserts.length : documents.filter((one) => one.status === 'unchanged').length
  yield { ...(job ? { job } : {}), documents: upserts.length, unchanged, refused: [] }
}
