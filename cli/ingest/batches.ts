/** Documents in batches: small enough that progress is seen and a repeat costs little, large enough that a thousand files are not a thousand jobs. */
import { MAX_BATCH } from '../../src/contract/document-limits'
import type { Many, SourceDocument } from '../documents'

const MAX_DOCUMENTS = 50
const MAX_BYTES = 320 * 1024 // of text: about a hundred chunks as they come, which one transaction applies; the service accepts 4 MiB
const TOKENS = 1200 // of such a chunk

interface Bounds {
  readonly maxDocuments: number
  readonly maxBytes: number
}

const bounds: Bounds = { maxDocuments: MAX_DOCUMENTS, maxBytes: MAX_BYTES }

/** For a corpus whose chunks have so many tokens: no more chunks in a batch if they are smaller, since more would be applied in parts. */
export const boundsFor = (tokens: number): Bounds => ({ ...bounds, maxBytes: MAX_BYTES * Math.min(1, tokens / TOKENS) })
export const estimateBounds: Bounds = { maxDocuments: MAX_BATCH, maxBytes: 4 * 1024 * 1024 }

/** An id that occurs twice goes to a later batch: in one batch the service accepts it once. */
export async function* toBatches(
  documents: Many<SourceDocument>,
  { maxDocuments, maxBytes } = bounds,
): AsyncGenerator<readonly SourceDocument[]> {
  let batch = new Map<string, SourceDocument>()
  let size = 0
  for await (const one of documents) {
    const length =
      Buffer.byteLength(one.text) + (one.content_base64?.length ?? 0) + (one.graph ? Buffer.byteLength(JSON.stringify(one.graph)) : 0)
    if (batch.size >= maxDocuments || (batch.size > 0 && size + length > maxBytes) || batch.has(one.id)) {
      yield [...batch.values()]
      batch = new Map()
      size = 0
    }
    batch.set(one.id, one)
    size += length
  }
  if (batch.size > 0) yield [...batch.values()]
}
