/**
 * Sends batches, some at a time. The service knows a document by id and content: what it has already costs nothing, which is what makes the
 * same command safe to repeat. A batch that is refused for one document is halved until only that one is left out.
 */
import { corpusPath } from '../client.mjs'

const REFUSED = new Set([413, 422])

/**
 * @param {{client: object, corpus: string, documents: AsyncIterable<object> | Iterable<object>, parallel: number, signal?: AbortSignal, told: (batch: Sent) => void}} what
 * @typedef {{job?: string, documents: number, unchanged: number, refused: {id: string, why: string}[]}} Sent
 */
export async function send({ client, corpus, batches, parallel, signal, told }) {
  const source = batches[Symbol.asyncIterator]()
  const lane = async () => {
    for (;;) {
      signal?.throwIfAborted()
      const { value, done } = await source.next()
      if (done) return
      for await (const sent of accepted({ client, corpus, signal }, value)) told(sent)
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}

async function* accepted(to, upserts) {
  const { client, corpus, signal } = to
  let answer
  try {
    answer = await client.call('POST', corpusPath(corpus, '/documents:batch'), { body: { upserts }, signal })
  } catch (error) {
    if (!REFUSED.has(error.status) || error.code === 'corpus_full') throw error // halving makes no room
    if (upserts.length === 1) return yield { documents: 1, unchanged: 0, refused: [{ id: upserts[0].id, why: error.message }] }
    const middle = Math.ceil(upserts.length / 2)
    yield* accepted(to, upserts.slice(0, middle))
    yield* accepted(to, upserts.slice(middle))
    return
  }
  const { job, status, documents } = answer
  const unchanged = status === 'unchanged' ? upserts.length : documents.filter((one) => one.status === 'unchanged').length
  yield { ...(job ? { job } : {}), documents: upserts.length, unchanged, refused: [] }
}
