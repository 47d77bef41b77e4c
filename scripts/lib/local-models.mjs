/**
 * Which models serve a local Loam. LOCAL_TEXT_MODEL, LOCAL_EMBEDDING_MODEL and a variable for each role name them: models that run on this
 * machine (models/), or those of an OpenAI-compatible server (Ollama, llama.cpp, vLLM) at LOCAL_MODEL_URL. Without an embedding model the
 * encoder that comes with Loam runs inside it. `hash` in place of an address needs no process at all.
 */
import { lookUp } from './models/catalogue.mjs'
import { idOf, startOwnModels } from './models/own-models.mjs'

const PROBE_MS = 60_000 // a server may have to load its model first
const HASH_DIMENSIONS = 512
const STATIC = { url: 'hash', model: 'loam/static', dimensions: 256, window: 8192, format: 'float' } // it reads texts of any length; the product cuts longer ones

/** The roles that can have their own model, as in the product's `<ROLE>_MODEL`. */
export const ROLES = ['EXTRACT', 'SUMMARISE', 'DESCRIBE', 'ANSWER', 'CLASSIFY', 'JUDGE']

/**
 * @param {{ env: Record<string, string | undefined>, say: (text: string) => void, own?: (wanted: object[]) => Promise<{ url: string, key: string, models: { id: string, window: number, dimensions?: number }[], stop: () => Promise<void> }>, root?: string, folder?: string }} around
 *   `own`: starts the models that run on this machine
 */
export async function settle({ env, say, root = '', folder = '', own = (wanted) => startOwnModels(wanted, { env, say, root, folder }) }) {
  const server = env.LOCAL_MODEL_URL || ''
  const isServer = server !== '' && server !== 'hash'
  const named = (option, kind) => {
    const word = env[option] || ''
    return word && server !== 'hash' ? [{ option, kind, word, isOwn: !isServer || lookUp(word) !== undefined }] : []
  }
  const texts = ['LOCAL_TEXT_MODEL', ...ROLES.map((role) => `LOCAL_${role}_MODEL`)].flatMap((option) => named(option, 'text'))
  if (texts.length > 0 && texts[0].option !== 'LOCAL_TEXT_MODEL')
    throw new Error(`${texts[0].option} needs LOCAL_TEXT_MODEL, which must name a model too`)
  const embeddings = named('LOCAL_EMBEDDING_MODEL', 'embedding')
  const before = env.LOCAL_PREVIOUS_EMBEDDING_MODEL === STATIC.model ? [] : named('LOCAL_PREVIOUS_EMBEDDING_MODEL', 'embedding')
  const wanted = [...texts, ...embeddings, ...before].filter(({ isOwn }) => isOwn)
  const running = wanted.length > 0 ? await own(wanted) : undefined
  try {
    const found = (word) => running?.models.find((one) => one.id === idOf(word))
    const embedding = await embeddingOf({
      env,
      say,
      server,
      named: embeddings[0],
      running: embeddings[0]?.isOwn && found(embeddings[0].word),
    })
    const previous = await previousOf({ env, server, named: before[0], running: before[0]?.isOwn && found(before[0].word) })
    if (previous?.model === embedding.model)
      throw new Error(`LOCAL_PREVIOUS_EMBEDDING_MODEL: ${previous.model} is already the current model`)
    const reranker = isServer ? env.LOCAL_RERANKER_MODEL || '' : ''
    const seer = isServer ? env.LOCAL_VISION_MODEL || '' : ''
    const transcriber = isServer ? env.LOCAL_TRANSCRIPTION_MODEL || '' : ''
    const models = Object.fromEntries((running?.models ?? []).map(({ id, window }) => [id, { url: running.url, key: running.key, window }]))
    return {
      embedding: { model: embedding.model, dimensions: embedding.dimensions },
      ...(previous ? { previous: { model: previous.model, dimensions: previous.dimensions } } : {}),
      texts: texts.map(({ option, word, isOwn }) => ({
        role: option.slice('LOCAL_'.length, -'_MODEL'.length).toLowerCase(),
        id: isOwn ? idOf(word) : word,
      })),
      product: {
        EMBEDDING_MODEL: embedding.model,
        EMBEDDING_DIMENSIONS: String(embedding.dimensions),
        EMBEDDING_WINDOW: String(embedding.window),
        ...(previous
          ? {
              EMBEDDING_MODEL_PREVIOUS: previous.model,
              EMBEDDING_DIMENSIONS_PREVIOUS: String(previous.dimensions),
              EMBEDDING_WINDOW_PREVIOUS: String(previous.window),
            }
          : {}),
        TEXT_MODEL: '',
        ...(env.LOCAL_TOOL_MODELS ? { TOOL_MODELS: env.LOCAL_TOOL_MODELS } : {}),
        ...(env.LOCAL_TEXT_WINDOW ? { TEXT_WINDOW: env.LOCAL_TEXT_WINDOW } : {}),
        ...Object.assign({}, ...texts.map((one) => variablesOf(one, one.isOwn && found(one.word), env))),
        ...(running ? slotsOf(texts.filter(({ isOwn }) => isOwn).map(({ word }) => idOf(word))) : {}),
        RERANKER_MODEL: reranker,
        ...(seer ? { VISION_MODEL: seer } : {}),
        ...(transcriber ? { TRANSCRIPTION_MODEL: transcriber } : {}),
        ...(running ? { LOCAL_MODELS: JSON.stringify(running.models.map(({ id }) => id)) } : {}),
        ...(isServer ? { MODEL_SERVER: 'on' } : {}),
      },
      standIns: {
        EMBEDDINGS_URL: embedding.url,
        EMBEDDINGS_FORMAT: embedding.format,
        EMBEDDING_DIMENSIONS: String(embedding.dimensions),
        ...(previous ? { EMBEDDING_MODEL_PREVIOUS: previous.model, EMBEDDING_DIMENSIONS_PREVIOUS: String(previous.dimensions) } : {}),
        TEXT_URL: texts.length > 0 && isServer ? server : '',
        RERANKER_URL: reranker ? server : '',
        VISION_URL: seer ? server : '',
        TRANSCRIPTION_URL: transcriber ? server : '',
        MODEL_KEY: env.LOCAL_MODEL_KEY ?? '',
        MODELS: running ? JSON.stringify(models) : '',
      },
      stop: running?.stop ?? (async () => {}),
    }
  } catch (error) {
    await running?.stop()
    throw error
  }
}

/** The product's variables for one model that writes. */
function variablesOf({ option, word }, running, env) {
  const name = option.slice('LOCAL_'.length, -'_MODEL'.length)
  const window = env[`LOCAL_${name}_WINDOW`] || (running ? String(running.window) : '')
  return { [`${name}_MODEL`]: running ? running.id : word, ...(window ? { [`${name}_WINDOW`]: window } : {}) }
}

/** A model on this machine writes one thing at a time for indexing: tasks that wait here have not begun, so their time does not run out. */
function slotsOf(ids) {
  return ids.length > 0 ? { MODEL_SLOTS: ['24', ...new Set(ids.map((id) => `${id}=1`))].join(' ') } : {}
}

async function embeddingOf({ env, say, server, named, running }) {
  if (server === 'hash') {
    return { url: 'hash', model: 'hash', dimensions: HASH_DIMENSIONS, window: 128, format: 'float' }
  }
  if (running)
    return {
      url: 'hash',
      model: running.id,
      dimensions: limited(running.dimensions, named.option),
      window: running.window,
      format: 'float',
    }
  if (server) {
    const model = env.LOCAL_EMBEDDING_MODEL || env.LOCAL_TEXT_MODEL || 'default'
    const dimensions = await dimensionsOf(server, model, env.LOCAL_MODEL_KEY)
    const window = Number(env.LOCAL_EMBEDDING_WINDOW ?? 512)
    if (dimensions) return { url: server, model, dimensions, window, format: 'float' }
    say('The server at LOCAL_MODEL_URL returns no embeddings for this model; using the encoder that comes with Loam.')
  }
  return STATIC
}

/** The model that older corpora were made with, and are still served with; undefined if none is named. */
async function previousOf({ env, server, named, running }) {
  if (env.LOCAL_PREVIOUS_EMBEDDING_MODEL === STATIC.model) return STATIC
  if (!named) return undefined
  if (running) return { model: running.id, dimensions: limited(running.dimensions, named.option), window: running.window }
  const dimensions = await dimensionsOf(server, named.word, env.LOCAL_MODEL_KEY)
  if (!dimensions) throw new Error(`${named.option}: the server returns no embeddings for ${named.word}`)
  return { model: named.word, dimensions, window: Number(env.LOCAL_EMBEDDING_WINDOW ?? 512) }
}

/** The dimensions of a real embedding; 0 if the server returns none. */
async function dimensionsOf(server, model, key) {
  const url = `${server.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/embeddings`
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
  const body = JSON.stringify({ model, input: ['loam'], encoding_format: 'float' })
  const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PROBE_MS) }).catch((cause) => {
    throw new Error(`No answer from LOCAL_MODEL_URL (${cause.cause?.code ?? cause.name})`)
  })
  const data = reply.ok ? await reply.json().catch(() => undefined) : undefined
  return limited(data?.data?.[0]?.embedding?.length ?? 0, 'LOCAL_MODEL_URL')
}

function limited(dimensions, option) {
  if (dimensions > 1536) throw new Error(`The model at ${option} has ${dimensions} dimensions; a vector index holds at most 1536`)
  return dimensions
}
