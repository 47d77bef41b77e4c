/** Which models a local Loam is given: the server's where it has them, else the ones that come with it. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { miniflareOptions, readToml } from '../../../scripts/lib/local-config.mjs'
import { settle } from '../../../scripts/lib/local-models.mjs'

let server: Server
let url: string
let dimensions = 0
let said: string[] = []

beforeEach(async () => {
  dimensions = 0
  said = []
  server = createServer((_request, response) => {
    response.writeHead(dimensions ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: [{ index: 0, embedding: Array(dimensions).fill(0.1) }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function chosen(env: Record<string, string>) {
  return settle({ env, say: (line: string) => said.push(line) })
}

it('[L34] a server with embeddings gives both models, at the dimensions it has', async () => {
  dimensions = 8
  const { product, standIns, embedding } = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama', LOCAL_EMBEDDING_MODEL: 'nomic' })
  expect(embedding).toEqual({ model: 'nomic', dimensions: 8 })
  expect(product).toMatchObject({ EMBEDDING_MODEL: 'nomic', EMBEDDING_DIMENSIONS: '8', TEXT_MODEL: 'llama', RERANKER_MODEL: '' })
  expect(standIns).toMatchObject({ EMBEDDINGS_URL: url, TEXT_URL: url, RERANKER_URL: '' })
})

it('[F1972] a model of the server transcribes recordings where it is named', async () => {
  const { product, standIns } = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama', LOCAL_TRANSCRIPTION_MODEL: 'whisper' })
  expect([product.TRANSCRIPTION_MODEL, standIns.TRANSCRIPTION_URL]).toEqual(['whisper', url])
  const without = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama' })
  expect([without.product.TRANSCRIPTION_MODEL, without.standIns.TRANSCRIPTION_URL]).toEqual([undefined, ''])
})

it('[F1992] a model of the server reads pictures and scans where it is named', async () => {
  const { product, standIns } = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama', LOCAL_VISION_MODEL: 'llava' })
  expect([product.VISION_MODEL, standIns.VISION_URL]).toEqual(['llava', url])
  const without = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama' })
  expect([without.product.VISION_MODEL, without.standIns.VISION_URL]).toEqual([undefined, ''])
})

it('[L34] a server with text only is joined by the encoder that comes with Loam', async () => {
  const { product, standIns } = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama' })
  expect(product).toMatchObject({ EMBEDDING_MODEL: 'loam/static', EMBEDDING_DIMENSIONS: '256', TEXT_MODEL: 'llama' })
  expect([standIns.TEXT_URL, standIns.EMBEDDINGS_URL === url, said.length]).toEqual([url, false, 1])
})

it('[L34] without a server a name is that of a model that runs on this machine; one that nobody knows is an error with those there are', async () => {
  const { product } = await chosen({})
  expect([product.TEXT_MODEL, product.EMBEDDING_DIMENSIONS]).toEqual(['', '256'])
  await expect(chosen({ LOCAL_TEXT_MODEL: 'llama' })).rejects.toThrow(/LOCAL_TEXT_MODEL: no model is called llama.*smollm2-135m/)
  await expect(chosen({ LOCAL_TEXT_MODEL: 'all-minilm-l6-v2' })).rejects.toThrow('a model for embeddings')
  await expect(chosen({ LOCAL_TEXT_MODEL: '/nowhere/x.gguf' })).rejects.toThrow('no file /nowhere/x.gguf')
})

describe('models of this machine', () => {
  const running = { url: 'http://127.0.0.1:9', key: 'k', stop: async () => {} }
  const smol = { id: 'smollm2-135m', window: 8192 }
  const started: { word: string }[][] = []
  const withOwn = (env: Record<string, string>, models: object[]) =>
    settle({
      env,
      say: (line: string) => said.push(line),
      own: async (wanted) => {
        started.push(wanted as { word: string }[])
        return { ...running, models: models as { id: string; window: number }[] }
      },
    })

  it('[L356] are named to the product with their windows, and to the stand-in with their address; each role may have one of its own', async () => {
    const minilm = { id: 'all-minilm-l6-v2', window: 256, dimensions: 384 }
    const qwen = { id: 'qwen2.5-coder-1.5b', window: 4096 }
    const env = { LOCAL_TEXT_MODEL: 'smollm2-135m', LOCAL_EXTRACT_MODEL: 'qwen2.5-coder-1.5b', LOCAL_EMBEDDING_MODEL: 'all-minilm-l6-v2' }
    const { product, standIns, texts } = await withOwn(env, [smol, qwen, minilm])
    expect(product).toEqual({
      EMBEDDING_MODEL: 'all-minilm-l6-v2',
      EMBEDDING_DIMENSIONS: '384',
      EMBEDDING_WINDOW: '256',
      TEXT_MODEL: 'smollm2-135m',
      TEXT_WINDOW: '8192',
      EXTRACT_MODEL: 'qwen2.5-coder-1.5b',
      EXTRACT_WINDOW: '4096',
      MODEL_SLOTS: '24 smollm2-135m=1 qwen2.5-coder-1.5b=1',
      RERANKER_MODEL: '',
      LOCAL_MODELS: '["smollm2-135m","qwen2.5-coder-1.5b","all-minilm-l6-v2"]',
    })
    expect(JSON.parse(standIns.MODELS)).toMatchObject({ 'all-minilm-l6-v2': { url: running.url, key: 'k', window: 256 } })
    expect([
      texts.map(({ role, id }) => `${role} ${id}`),
      started
        .at(-1)
        ?.map(({ word }) => word)
        .sort(),
    ]).toEqual([
      ['text smollm2-135m', 'extract qwen2.5-coder-1.5b'],
      ['all-minilm-l6-v2', 'qwen2.5-coder-1.5b', 'smollm2-135m'],
    ])
  })

  it('[L411] the embedding model before is named beside the one of now, and has an index of its own', async () => {
    const minilm = { id: 'all-minilm-l6-v2', window: 256, dimensions: 384 }
    const env = { LOCAL_EMBEDDING_MODEL: 'all-minilm-l6-v2', LOCAL_PREVIOUS_EMBEDDING_MODEL: 'loam/static' }
    const { product, standIns, previous } = await withOwn(env, [minilm])
    expect(product).toMatchObject({
      EMBEDDING_MODEL: 'all-minilm-l6-v2',
      EMBEDDING_DIMENSIONS: '384',
      EMBEDDING_MODEL_PREVIOUS: 'loam/static',
      EMBEDDING_DIMENSIONS_PREVIOUS: '256',
      EMBEDDING_WINDOW_PREVIOUS: '8192',
    })
    expect([standIns.EMBEDDING_DIMENSIONS_PREVIOUS, previous]).toEqual(['256', { model: 'loam/static', dimensions: 256 }])
    const back = await withOwn({ LOCAL_PREVIOUS_EMBEDDING_MODEL: 'all-minilm-l6-v2' }, [minilm])
    expect(back.product).toMatchObject({ EMBEDDING_MODEL: 'loam/static', EMBEDDING_MODEL_PREVIOUS: 'all-minilm-l6-v2' })
    await expect(withOwn({ ...env, LOCAL_PREVIOUS_EMBEDDING_MODEL: 'all-minilm-l6-v2' }, [minilm])).rejects.toThrow(
      'is already the current model',
    )
    const { serviceBindings } = miniflareOptions(readToml(join(import.meta.dirname, '../../../wrangler.toml')), { vars: product })
    expect(serviceBindings.VECTORIZE_PREVIOUS).toEqual({ name: 'stand-ins', entrypoint: 'PreviousVectorizeStandIn' })
  })

  it('[L356] stand beside a server’s: a name of the catalogue runs here, any other there', async () => {
    const env = { LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama', LOCAL_EXTRACT_MODEL: 'smollm2-135m' }
    const { product, standIns } = await withOwn(env, [smol])
    expect(product).toMatchObject({
      TEXT_MODEL: 'llama',
      EXTRACT_MODEL: 'smollm2-135m',
      EXTRACT_WINDOW: '8192',
      EMBEDDING_MODEL: 'loam/static',
      LOCAL_MODELS: '["smollm2-135m"]',
      MODEL_SERVER: 'on',
    })
    expect([standIns.TEXT_URL, Object.keys(JSON.parse(standIns.MODELS))]).toEqual([url, ['smollm2-135m']])
    await expect(withOwn({ LOCAL_EXTRACT_MODEL: 'smollm2-135m' }, [smol])).rejects.toThrow('LOCAL_EXTRACT_MODEL needs LOCAL_TEXT_MODEL')
  })
})

it('[L34] a server that does not answer, or answers with too many dimensions, is an error that names the variable', async () => {
  await expect(chosen({ LOCAL_MODEL_URL: 'http://127.0.0.1:1' })).rejects.toThrow('No answer from LOCAL_MODEL_URL')
  dimensions = 1537
  await expect(chosen({ LOCAL_MODEL_URL: url })).rejects.toThrow('holds at most 1536')
})
