/**
 * A sentence encoder on this machine: Universal Sentence Encoder Lite (Cer et al., arXiv:1803.11175; 512 dimensions, reads 128
 * pieces), with the weights and the engine of the energetic-ai packages, behind the OpenAI embeddings protocol. Bound to
 * 127.0.0.1. Started as a child it tells its parent the URL and ends with it.
 *
 *   node local/node/encoder.mjs [--port 0] [--cache folder] [--threads n]
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { DIMENSIONS, Pool } from './pool.mjs'
import { VectorCache } from './vector-cache.mjs'

export const MODEL = 'universal-sentence-encoder-lite'
const MOST_TEXTS = 2048 // as OpenAI
const MOST_BYTES = 16 * 2 ** 20 // of a request

const { values: options } = parseArgs({ options: { port: { type: 'string' }, cache: { type: 'string' }, threads: { type: 'string' } } })
const pool = new Pool(options.threads ? Number(options.threads) : undefined)
const cache = options.cache ? new VectorCache(options.cache, MODEL, DIMENSIONS) : undefined

async function embed(texts) {
  const known = texts.map((text) => cache?.find(text))
  const missing = [...new Set(texts.filter((_, i) => !known[i]))]
  const vectors = await pool.embed(missing)
  if (missing.length) cache?.keep(missing, vectors)
  const made = new Map(missing.map((text, i) => [text, vectors[i]]))
  return texts.map((text, i) => known[i] ?? made.get(text))
}

async function read(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) return { status: 413 }
    chunks.push(chunk)
  }
  try {
    const { input, encoding_format: format, model } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const texts = [input].flat()
    if (!texts.every((text) => typeof text === 'string') || texts.length > MOST_TEXTS) return { status: 400 }
    return { texts, base64: format === 'base64', model }
  } catch {
    return { status: 400 }
  }
}

const encoded = (vector, base64) =>
  base64 ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64') : Array.from(vector)

async function answer(request) {
  const path = `${request.method} ${request.url}`
  if (path === 'GET /healthz') return { status: 200, body: { status: 'ok', model: MODEL, dimensions: DIMENSIONS, threads: pool.threads } }
  if (path === 'GET /v1/models') return { status: 200, body: { object: 'list', data: [{ id: MODEL, object: 'model' }] } }
  if (path !== 'POST /v1/embeddings') return { status: 404 }
  const asked = await read(request)
  if (asked.status) return asked
  const vectors = await embed(asked.texts)
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encoded(vector, asked.base64) }))
  return { status: 200, body: { object: 'list', model: asked.model ?? MODEL, data } }
}

const server = createServer(async (request, response) => {
  const { status, body } = await answer(request).catch(() => ({ status: 500 }))
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 413 ? { connection: 'close' } : {}) })
  response.end(JSON.stringify(body ?? { error: { type: 'invalid_request_error', message: `HTTP ${status}` } }))
})

function leave() {
  process.exit(0)
}
process.on('disconnect', leave)
process.on('SIGTERM', leave)
if (process.channel)
  process.on('SIGINT', () => {}) // the terminal's Ctrl-C reaches children too; the parent decides
else process.on('SIGINT', leave)

await pool.ready
server.listen(Number(options.port ?? 0), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`
  if (process.send) process.send({ url, model: MODEL, dimensions: DIMENSIONS })
  else console.log(`${MODEL} on ${url}/v1/embeddings`)
})
