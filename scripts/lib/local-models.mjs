/**
 * Which models serve a local Loam. LOCAL_MODEL_URL names an OpenAI-compatible server (Ollama, llama.cpp, vLLM): its embeddings are
 * used if it has any, else the encoder that comes with Loam and runs inside it; LOCAL_TEXT_MODEL names its text model. `hash` needs no process at all.
 */
const PROBE_MS = 60_000 // a server may have to load its model first
const HASH_DIMENSIONS = 512
const OWN = { url: 'hash', model: 'loam/static', dimensions: 256, window: 8192, format: 'float' } // it reads on for ever; the product cuts longer texts

export async function settle({ env, say }) {
  const server = env.LOCAL_MODEL_URL || ''
  if (!server && env.LOCAL_TEXT_MODEL) say('LOCAL_TEXT_MODEL has no effect without LOCAL_MODEL_URL.')
  const text = server && server !== 'hash' ? env.LOCAL_TEXT_MODEL || '' : ''
  const reranker = text || server ? env.LOCAL_RERANKER_MODEL || '' : ''
  const embedding = await embeddingOf({ env, say, server })
  return {
    embedding: { model: embedding.model, dimensions: embedding.dimensions },
    product: {
      EMBEDDING_MODEL: embedding.model,
      EMBEDDING_DIMENSIONS: String(embedding.dimensions),
      EMBEDDING_WINDOW: String(embedding.window),
      TEXT_MODEL: text,
      ...(env.LOCAL_TEXT_WINDOW ? { TEXT_WINDOW: env.LOCAL_TEXT_WINDOW } : {}),
      RERANKER_MODEL: reranker,
    },
    standIns: {
      EMBEDDINGS_URL: embedding.url,
      EMBEDDINGS_FORMAT: embedding.format,
      EMBEDDING_DIMENSIONS: String(embedding.dimensions),
      TEXT_URL: text ? server : '',
      RERANKER_URL: reranker ? server : '',
      MODEL_KEY: env.LOCAL_MODEL_KEY ?? '',
    },
  }
}

async function embeddingOf({ env, say, server }) {
  if (server === 'hash') {
    return { url: 'hash', model: 'hash', dimensions: HASH_DIMENSIONS, window: 128, format: 'float' }
  }
  if (server) {
    const model = env.LOCAL_EMBEDDING_MODEL || env.LOCAL_TEXT_MODEL || 'default'
    const dimensions = await dimensionsOf(server, model, env.LOCAL_MODEL_KEY)
    const window = Number(env.LOCAL_EMBEDDING_WINDOW ?? 512)
    if (dimensions) return { url: server, model, dimensions, window, format: 'float' }
    say('The server at LOCAL_MODEL_URL gives no embeddings for this model; using the encoder that comes with Loam.')
  }
  return OWN
}

/** Of a real embedding; 0 if the server has none. */
async function dimensionsOf(server, model, key) {
  const url = `${server.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/embeddings`
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
  const body = JSON.stringify({ model, input: ['loam'], encoding_format: 'float' })
  const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PROBE_MS) }).catch((cause) => {
    throw new Error(`No answer from LOCAL_MODEL_URL (${cause.cause?.code ?? cause.name})`)
  })
  const data = reply.ok ? await reply.json().catch(() => undefined) : undefined
  const length = data?.data?.[0]?.embedding?.length ?? 0
  if (length > 1536) throw new Error(`The model at LOCAL_MODEL_URL has ${length} dimensions; a vector index holds at most 1536`)
  return length
}
