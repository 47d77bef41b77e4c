/** Documents in batches: small enough that progress is seen and a repeat costs little, large enough that a thousand files are not a thousand jobs. */
const MOST = 50 // documents
const BYTES = 1024 * 1024 // of text; the service takes 4 MiB
const EACH = 1000 // documents of one estimate

/** An id that comes twice goes to a later batch: in one batch the service takes it once. */
export async function* batches(documents, { most = MOST, bytes = BYTES } = {}) {
  let batch = new Map()
  let size = 0
  for await (const one of documents) {
    const length = Buffer.byteLength(one.text)
    if (batch.size >= most || (batch.size > 0 && size + length > bytes) || batch.has(one.id)) {
      yield [...batch.values()]
      batch = new Map()
      size = 0
    }
    batch.set(one.id, one)
    size += length
  }
  if (batch.size > 0) yield [...batch.values()]
}

export const forEstimate = (documents) => batches(documents, { most: EACH, bytes: 4 * BYTES })
