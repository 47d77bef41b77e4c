/** Which models a local Loam is given: the server's where it has them, else the ones that come with it. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

it('[L34] a server with text only is joined by the encoder that comes with Loam', async () => {
  const { product, standIns } = await chosen({ LOCAL_MODEL_URL: url, LOCAL_TEXT_MODEL: 'llama' })
  expect(product).toMatchObject({ EMBEDDING_MODEL: 'loam/static', EMBEDDING_DIMENSIONS: '256', TEXT_MODEL: 'llama' })
  expect([standIns.TEXT_URL, standIns.EMBEDDINGS_URL === url, said.length]).toEqual([url, false, 1])
})

it('[L34] without a server there is no text model, and naming one says so', async () => {
  const { product } = await chosen({ LOCAL_TEXT_MODEL: 'llama' })
  expect([product.TEXT_MODEL, product.EMBEDDING_DIMENSIONS]).toEqual(['', '256'])
  expect(said).toEqual(['LOCAL_TEXT_MODEL has no effect without LOCAL_MODEL_URL.'])
})

it('[L34] a server that does not answer, or answers with too many dimensions, is an error that names the variable', async () => {
  await expect(chosen({ LOCAL_MODEL_URL: 'http://127.0.0.1:1' })).rejects.toThrow('No answer from LOCAL_MODEL_URL')
  dimensions = 1537
  await expect(chosen({ LOCAL_MODEL_URL: url })).rejects.toThrow('holds at most 1536')
})
