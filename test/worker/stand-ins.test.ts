/** The stand-ins keep the promises of the services they stand for: shapes, limits, lateness and errors. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AiStandIn } from '../../local/workerd/ai'
import { readRows } from '../../local/workerd/limits'
import type { VectorizeStandIn } from '../../local/workerd/vectorize'
import { aiLimits, vectorizeLimits as limits } from '../../src/platform-limits'

// The product sees these bindings through its own narrow interfaces; here their real types are wanted.
const { AI, VECTORIZE, CONTROL } = env as unknown as {
  readonly AI: Service<AiStandIn>
  readonly VECTORIZE: Service<VectorizeStandIn>
  readonly CONTROL: typeof env.CONTROL
}

const MODEL = 'hash'
const D = 64

beforeEach(async () => {
  await CONTROL.reset()
  await CONTROL.delay(0)
})

interface Embedded {
  readonly shape: readonly number[]
  readonly data: readonly (readonly number[])[]
}
interface Found {
  readonly count: number
  readonly matches: readonly { id: string; score: number; namespace?: string; values?: number[]; metadata?: unknown }[]
}
interface Described {
  readonly vectorCount: number
  readonly dimensions: number
  readonly processedUpToMutation: string | null
  readonly processedUpToDatetime: string | null
}

const embed = async (texts: readonly string[]): Promise<Embedded> => (await AI.run(MODEL, { text: texts })) as Embedded
const query = async (vector: number[], options?: unknown): Promise<Found> => (await VECTORIZE.query(vector, options)) as Found
const described = async (): Promise<Described> => (await VECTORIZE.describe()) as Described
const cosine = (a: readonly number[] = [], b: readonly number[] = []): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const axis = (i: number): number[] => Array.from({ length: D }, (_, at) => (at === i ? 1 : 0))
const failure = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing failed',
    (error: Error) => `${error.name}: ${error.message}`,
  )

describe('embeddings', () => {
  it('[L1] the same text always has the same unit vector, alone or in a batch, and shared words bring texts near', async () => {
    const texts = ['The river floods in spring', 'In spring the RIVER floods', 'Quarterly tax returns', '春天河水泛滥', '']
    const { shape, data } = await embed(texts)
    const alone = await embed(['The river floods in spring'])
    expect(shape).toEqual([5, D])
    expect(alone.data[0]).toEqual(data[0])
    expect(data.every((vector) => Math.abs(cosine(vector, vector) - 1) < 1e-6)).toBe(true)
    expect(cosine(data[0], data[1])).toBeGreaterThan(0.99)
    expect(Math.abs(cosine(data[0], data[2]))).toBeLessThan(0.5)
  })

  it('[L71] a call takes a hundred texts and no more', async () => {
    expect((await embed(Array(100).fill('a'))).shape).toEqual([100, D])
    expect(await failure(embed(Array(101).fill('a')))).toMatch(/^InferenceUpstreamError: 5004: /)
  })

  it('[L71] what is not text is invalid input, and never quoted', async () => {
    expect(await failure(AI.run(MODEL, { text: ['a', 7] }))).toBe('InferenceUpstreamError: 5004: Invalid input')
    expect(await failure(AI.run(MODEL, 'secret'))).toBe('InferenceUpstreamError: 5004: Invalid input')
  })
})

describe('text and ranking', () => {
  const messages = [{ role: 'user', content: 'Who wrote the letter?' }]

  it('[L7] without a text model there is no such model', async () => {
    expect(await failure(AI.run('writer', { messages }))).toBe('InferenceUpstreamError: 5007: No such model writer or task')
  })

  it('[L5] scripted replies are given in order, by what they match, with faults between', async () => {
    await CONTROL.script([
      'first',
      { fault: 3006 },
      { match: 'no such words', reply: 'never' },
      { match: 'letter', reply: 'Ada', repeat: true },
    ])
    const reply = async (): Promise<unknown> => ((await AI.run('writer', { messages })) as { response: unknown }).response
    expect(await reply()).toBe('first')
    expect(await failure(reply())).toMatch('InferenceUpstreamError: 3006: ')
    expect([await reply(), await reply()]).toEqual(['Ada', 'Ada'])
  })

  it('[L7] a streamed reply is Workers AI events, then usage, then the end', async () => {
    await CONTROL.script(['Ada wrote it.'])
    const stream = (await AI.run('writer', { messages, stream: true })) as ReadableStream
    const events = (await new Response(stream).text()).split('\n\n').filter(Boolean)
    const texts = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)).response)
    expect(texts.join('')).toBe('Ada wrote it.')
    expect(texts.length).toBeGreaterThan(2)
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(events.at(-2)).toMatch('completion_tokens')
  })

  it('[L7] JSON mode and streaming exclude each other', async () => {
    const inputs = { messages, stream: true, response_format: { type: 'json_schema', json_schema: {} } }
    expect(await failure(AI.run('writer', inputs))).toMatch('5023: ')
  })

  it('[L1] the hashed reranker puts the text with the words of the question first', async () => {
    const contexts = [{ text: 'Rainfall in Peru' }, { text: 'Ada wrote the letter' }]
    const { response } = (await AI.run('ranker', { query: 'who wrote the letter', contexts })) as {
      response: { id: number; score: number }[]
    }
    expect(response.map((entry) => entry.id)).toEqual([1, 0])
    expect(response.every(({ score }) => score >= 0 && score <= 1.001)).toBe(true)
  })

  it('[L5] on request it fails that often, as the real one does, and records its calls', async () => {
    await CONTROL.breakAi(2)
    await CONTROL.calls()
    const failures = [await failure(embed(['a'])), await failure(embed(['a'])), await failure(embed(['a', 'b']))]
    expect(failures).toEqual([
      'InferenceUpstreamError: 3040: Capacity temporarily exceeded, please try again.',
      'InferenceUpstreamError: 3040: Capacity temporarily exceeded, please try again.',
      'nothing failed',
    ])
    expect((await CONTROL.calls()).map(({ op, count }) => [op, count])).toEqual([
      ['embed', 1],
      ['embed', 1],
      ['embed', 2],
    ])
  })
})

describe('the limits of Workers AI', () => {
  const messages = [{ role: 'user', content: 'Who wrote the letter?' }]
  const write = async (inputs: object = {}) =>
    (await AI.run('writer', { messages, ...inputs })) as {
      response?: unknown
      choices?: { finish_reason: string; message: { content: string } }[]
      usage: { completion_tokens: number }
    }
  const RATE = 'AiError: 3021: rate limiting: inference request per min rate reached'

  it('[L70] more calls of a task type in a minute than an account may make are refused, and those after it are not', async () => {
    await CONTROL.script([{ reply: 'Ada', repeat: true }])
    for (let n = 0; n < aiLimits.textCallsPerMinute; n++) await write()
    expect(await failure(write())).toBe(RATE)
    expect(await failure(embed(['a']))).toBe('nothing failed') // counted apart
    await CONTROL.pass(aiLimits.rateWindowMs)
    expect(await failure(write())).toBe('nothing failed')
    await CONTROL.limitAi({ embeddingCallsPerMinute: 2 })
    expect([await failure(embed(['a'])), await failure(embed(['a'])), await failure(embed(['a']))]).toEqual([
      'nothing failed',
      'nothing failed',
      RATE,
    ])
  })

  it('[L71] an embedding call has so many tokens, and so has each of its texts', async () => {
    const words = (n: number) => 'word '.repeat(n)
    expect(await failure(embed(Array(50).fill(words(1100))))).toBe('nothing failed')
    expect(await failure(embed(Array(50).fill(words(1300))))).toMatch(/^InferenceUpstreamError: 3006: .*60000 tokens/)
    expect(await failure(embed(['short', words(9000)]))).toMatch(/^InferenceUpstreamError: 3006: .*longer/)
    expect(await failure(AI.run(MODEL, { text: ['short', words(9000)], truncate_inputs: true }))).toBe('nothing failed')
    expect(await failure(AI.run('@cf/baai/bge-small-en-v1.5', { text: [words(600)] }))).toMatch('3006')
    const contexts = Array(101).fill({ text: 'a' })
    expect(await failure(AI.run('ranker', { query: 'q', contexts }))).toMatch('5004')
  })

  it('[L71] prompt and reply share the context window', async () => {
    await CONTROL.script([{ reply: 'Ada', repeat: true }])
    await CONTROL.limitAi({ textWindow: 1000 })
    expect(await failure(write({ max_tokens: 900 }))).toBe('nothing failed')
    expect(await failure(write({ max_tokens: 999 }))).toBe(
      'AiError: 5021: The estimated number of input and maximum output tokens (1004) exceeded this model context window limit (1000).',
    )
  })

  it('[L7] a reply ends where its room does', async () => {
    const long = 'Ada wrote it. '.repeat(100)
    await CONTROL.script([long, { reply: long, shape: 'choices' }, { reply: 'Ada', shape: 'choices' }, { reply: 'Ada', shape: 'bare' }])
    const plain = await write()
    expect([String(plain.response).length < long.length, plain.usage.completion_tokens]).toEqual([true, aiLimits.defaultMaxTokens])
    expect(JSON.stringify(plain)).not.toContain('finish_reason')
    const chosen = await write({ max_tokens: 10 })
    expect([chosen.choices?.[0]?.finish_reason, chosen.usage.completion_tokens]).toEqual(['length', 10])
    expect((await write()).choices?.[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Ada' } })
    expect(await write()).toBe('Ada')
  })

  it('[L7] JSON mode gives an object or fails', async () => {
    const json = { response_format: { type: 'json_schema', json_schema: {} } }
    await CONTROL.script(['{"name": "Ada"}', 'Ada', '{"name": "Ada wrote a long letter"}'])
    expect((await write(json)).response).toEqual({ name: 'Ada' })
    expect(await failure(write(json))).toBe("AiError: 5024: JSON Model couldn't be met")
    expect(await failure(write({ ...json, max_tokens: 3 }))).toMatch('5024')
  })

  it('[L70] neurons that are used up come back at midnight, and errors have the names they were seen with', async () => {
    await CONTROL.breakAi(1, 4006)
    const out = 'AiError: 4006: you have used up your daily free allocation of 10,000 neurons, please upgrade'
    expect(await failure(embed(['a']))).toMatch(out)
    expect(await failure(embed(['a']))).toMatch(out)
    await CONTROL.pass(24 * 3_600_000 - (Date.now() % (24 * 3_600_000)))
    expect(await failure(embed(['a']))).toBe('nothing failed')
  })

  it('[L70] an error has the name it was seen with', async () => {
    await CONTROL.breakAi(1, 3040)
    expect(await failure(embed(['a']))).toMatch(/^InferenceUpstreamError: 3040: /)
    await CONTROL.breakAi(1, 3021)
    expect(await failure(embed(['a']))).toBe(RATE)
  })
})

describe('the internet', () => {
  it('is not there, whatever a test forgets to stand in for', async () => {
    const response = await fetch('https://example.org/')
    expect([response.status, await response.text()]).toEqual([503, 'There is no internet in tests.'])
  })
})

describe('the vector index', () => {
  const put = (id: string, i: number, extra: object = {}): object => ({ id, values: axis(i), ...extra })

  it('[L14] finds the nearest first, ties by id, inside one namespace', async () => {
    await VECTORIZE.upsert([
      put('b', 0, { namespace: 'x' }),
      put('a', 0, { namespace: 'x' }),
      put('c', 1, { namespace: 'x' }),
      put('d', 0, { namespace: 'y' }),
    ])
    const { matches, count } = await query(axis(0), { topK: 10, namespace: 'x' })
    expect(count).toBe(3)
    expect(matches.map(({ id, score }) => [id, score])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ])
    expect((await query(axis(0))).matches.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c'])
  })

  it('[L14] an upsert replaces the whole record, an insert keeps the old one, a removal leaves the others in place', async () => {
    await VECTORIZE.upsert([put('a', 0, { namespace: 'x', metadata: { kind: 'passage' } }), put('b', 1), put('c', 2)])
    await VECTORIZE.insert([put('b', 5)])
    await VECTORIZE.upsert([put('a', 3, { namespace: 'y' })])
    await VECTORIZE.deleteByIds(['c', 'stranger'])
    expect((await query(axis(3), { topK: 1 })).matches).toEqual([{ id: 'a', score: 1, namespace: 'y' }])
    expect((await query(axis(1), { topK: 1 })).matches).toEqual([{ id: 'b', score: 1 }])
    expect((await query(axis(0), { namespace: 'x' })).matches).toEqual([])
    expect((await VECTORIZE.getByIds(['a', 'c'])) as unknown).toEqual([{ id: 'a', namespace: 'y', values: axis(3) }])
    expect((await described()).vectorCount).toBe(2)
  })

  it('[L14] filters see declared properties by every operator', async () => {
    const rows = [0, 1, 2, 3].map((layer) =>
      put(`n${layer}`, layer, { metadata: { kind: layer < 2 ? 'passage' : 'entity', layer, colour: 'red' } }),
    )
    await VECTORIZE.upsert(rows)
    const found = async (filter: object): Promise<string> =>
      (await query(axis(9), { topK: 10, filter })).matches.map(({ id }) => id.slice(1)).join('')
    expect(await found({ kind: 'passage' })).toBe('01')
    expect(await found({ kind: { $eq: 'entity' } })).toBe('23')
    expect(await found({ kind: { $ne: 'entity' } })).toBe('01')
    expect(await found({ kind: { $in: ['entity', 'x'] } })).toBe('23')
    expect(await found({ kind: { $nin: ['entity'] } })).toBe('01')
    expect(await found({ layer: { $gte: 1, $lt: 3 } })).toBe('12')
    expect(await found({ layer: { $gt: 1 }, kind: 'entity' })).toBe('23')
    expect(await found({ layer: { $lte: 0 } })).toBe('0')
    expect(await found({ colour: 'red' })).toBe('')
  })

  it('[L14] a metadata index is of use only to vectors written after it', async () => {
    await VECTORIZE.upsert([put('old', 0, { metadata: { colour: 'red' } })])
    await CONTROL.declare('colour', 'string')
    await VECTORIZE.upsert([put('new', 1, { metadata: { colour: 'red' } })])
    const filter = { colour: 'red' }
    expect((await query(axis(0), { filter, returnMetadata: 'all' })).matches).toEqual([
      { id: 'new', score: 0, metadata: { colour: 'red' } },
    ])
    await VECTORIZE.upsert([put('old', 0, { metadata: { colour: 'red' } })])
    expect((await query(axis(0), { filter })).matches.map(({ id }) => id)).toEqual(['old', 'new'])
  })

  const refused = async (call: Promise<unknown>): Promise<string> => (await failure(call)).replace(/^Error: /, '')
  const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`)

  it('[L14] the limits of the real index hold, with its codes and words', async () => {
    const { maxUpsertVectors, maxDeleteIds, maxGetIds, maxIdBytes, maxMetadataBytes, maxNamespaceBytes } = limits
    expect(await refused(VECTORIZE.upsert(ids(maxUpsertVectors + 1).map((id) => put(id, 0))))).toMatch(
      `max vector count is ${maxUpsertVectors}, got 1001`,
    )
    expect(await refused(VECTORIZE.deleteByIds(ids(maxDeleteIds + 73)))).toBe(
      'VECTOR_DELETE_ERROR (code = 40007): too many ids in payload; max id count is 100, got 173',
    )
    expect(await refused(VECTORIZE.getByIds(ids(maxGetIds + 1)))).toBe(
      'VECTOR_GET_ERROR (code = 40007): too many ids in payload; max id count is 20, got 21',
    )
    const long = 'é'.repeat(maxIdBytes / 2 + 1)
    expect(await refused(VECTORIZE.upsert([put(long, 1)]))).toBe(
      'VECTOR_UPSERT_ERROR (code = 40008): id too long; max is 64 bytes, got 66 bytes',
    )
    expect(await refused(VECTORIZE.getByIds([long]))).toBe('VECTOR_GET_ERROR (code = 40008): id too long; max is 64 bytes, got 66 bytes')
    expect(await refused(VECTORIZE.upsert([{ id: 'a', values: [1, 2] }]))).toBe(
      'VECTOR_UPSERT_ERROR (code = 40012): invalid vector for id="a", expected 64 dimensions, and got 2 dimensions',
    )
    expect(await refused(VECTORIZE.upsert([{ id: 'a', values: axis(0).fill(Number.NaN) }]))).toMatch('not all numbers')
    expect(await refused(query([]))).toBe(
      'VECTOR_QUERY_ERROR (code = 40006): invalid query vector, expected 64 dimensions, and got 0 dimensions',
    )
    const unreadable = 'VECTOR_UPSERT_ERROR (code = 40023): failed to parse upsert vectors request in json format'
    expect(await refused(VECTORIZE.upsert([put('a', 0, { metadata: { text: 'x'.repeat(maxMetadataBytes) } })]))).toBe(unreadable)
    expect(await refused(VECTORIZE.upsert([put('a', 0, { metadata: { text: '😀'.slice(0, 1) } })]))).toBe(unreadable)
    expect(await refused(VECTORIZE.upsert([put('a', 0, { metadata: { text: '😀 \\ud83d' } })]))).toBe('nothing failed')
    for (const key of ['', 'a.b', 'a"b', '$a'])
      expect(await refused(VECTORIZE.upsert([put('a', 0, { metadata: { [key]: 1 } })]))).toMatch('VECTOR_UPSERT_ERROR (code = 40018)')
    expect(await refused(VECTORIZE.upsert([put('a', 0, { namespace: 'n'.repeat(maxNamespaceBytes + 1) })]))).toMatch('namespace too long')
  })

  it('[L14] what a question may want is limited as in the real index', async () => {
    const { maxTopK, maxTopKWithPayload, maxFilterBytes, maxFilterKeyLength } = limits
    expect(await refused(query(axis(0), { topK: maxTopK, returnMetadata: 'all' }))).toBe(
      'VECTOR_QUERY_ERROR (code = 40025): with returnValues=true or returnMetadata=all, max top K is 50, but got 100; for a top K up to 100, retry with returnValues=false and returnMetadata=indexed',
    )
    expect(await refused(query(axis(0), { topK: maxTopKWithPayload + 1, returnValues: true }))).toMatch('max top K is 50, but got 51')
    expect(await refused(query(axis(0), { topK: maxTopKWithPayload + 1, returnMetadata: true }))).toMatch('max top K is 50, but got 51')
    expect(await refused(query(axis(0), { topK: maxTopK + 1 }))).toBe('VECTOR_QUERY_ERROR (code = 40025): max top K is 100, but got 101')
    expect(await refused(query(axis(0), { topK: maxTopK, returnMetadata: 'indexed' }))).toBe('nothing failed')
    expect(await refused(query(axis(0), { returnMetadata: false }))).toBe(
      'VECTOR_QUERY_ERROR (code = 40026): Failed to parse the request body as JSON: returnMetadata: expected value',
    )
    expect(await refused(query(axis(0), { filter: { kind: { $in: ['x'.repeat(maxFilterBytes)] } } }))).toMatch('filter too large')
    expect(await refused(query(axis(0), { filter: { ['k'.repeat(maxFilterKeyLength + 1)]: 1 } }))).toMatch('longer than 512')
    expect(await refused(query(axis(0), { filter: { $or: [] } }))).toMatch('invalid property name')
    expect(await refused(query(axis(0), { filter: { kind: { $like: 'x' } } }))).toMatch('unknown operator')
  })

  it('[L14] a body is at most 100 MB; no call between workers can carry so much, so the reader is asked itself', () => {
    const large = { text: 'x'.repeat(limits.maxUpsertBytes / limits.maxUpsertVectors) }
    const vectors = Array.from({ length: limits.maxUpsertVectors }, (_, i) => put(`${i}`, 0, { metadata: large }))
    expect(() => readRows('UPSERT', vectors, D)).toThrow('VECTOR_UPSERT_ERROR (code = 40013): payload too large; max is 104857600 bytes')
  })

  it('[L14] one bad thing refuses its whole call', async () => {
    await VECTORIZE.upsert([put('kept', 0)])
    expect(await refused(VECTORIZE.upsert([put('good', 0), put('é'.repeat(33), 1)]))).toMatch('40008')
    expect(await refused(VECTORIZE.deleteByIds(['kept', 'x'.repeat(65)]))).toMatch('40008')
    expect((await described()).vectorCount).toBe(1)
  })

  it('[L15] on request it takes only so many writes a minute of its clock, or loses what it has accepted', async () => {
    await CONTROL.limitWrites(2)
    await VECTORIZE.upsert([put('a', 0)])
    await VECTORIZE.deleteByIds(['b'])
    expect(await refused(VECTORIZE.upsert([put('c', 0)]))).toBe('VECTOR_UPSERT_ERROR (code = 40041): Too Many Requests')
    expect(await refused(query(axis(0)))).toBe('nothing failed')
    await CONTROL.pass(60_000)
    expect(await refused(VECTORIZE.upsert([put('c', 0)]))).toBe('nothing failed')
    await CONTROL.limitWrites(null)
    await CONTROL.loseMutations(1)
    const { mutationId } = await VECTORIZE.upsert([put('d', 0)])
    expect(await described()).toMatchObject({ vectorCount: 2, processedUpToMutation: mutationId })
  })

  it('[L15] its clock stands still until a test moves it, and a write is seen after half a minute of it', async () => {
    await CONTROL.delay(null)
    await VECTORIZE.upsert([put('a', 0)])
    await CONTROL.pass(limits.visibleAfterMs - 1)
    expect((await query(axis(0))).count).toBe(0)
    await CONTROL.pass(1)
    expect((await query(axis(0))).count).toBe(1)
  })

  it('[L15] a delayed write is accepted, hidden, and seen once its time has passed; describe says how far it is', async () => {
    await VECTORIZE.upsert([put('a', 0)])
    const before = await described()
    await CONTROL.delay(30_000)
    const { mutationId } = await VECTORIZE.upsert([put('a', 1), put('b', 0)])
    await VECTORIZE.deleteByIds(['a'])
    expect((await query(axis(0))).matches.map(({ id }) => id)).toEqual(['a'])
    expect(await described()).toEqual(before)
    await CONTROL.delay(60_000)
    const late = await VECTORIZE.upsert([put('late', 0)])
    await CONTROL.pass(31_000)
    expect((await query(axis(0))).matches.map(({ id }) => id)).toEqual(['b'])
    expect((await described()).processedUpToMutation).not.toBe(mutationId)
    await CONTROL.settle()
    expect((await described()).processedUpToMutation).toBe(late.mutationId)
    expect((await query(axis(0))).matches.map(({ id }) => id)).toEqual(['b', 'late'])
  })

  it('[L15] mutations are processed in the order they were accepted, even if the delay shrinks', async () => {
    await CONTROL.delay(30_000)
    await VECTORIZE.upsert([put('a', 0)])
    await CONTROL.delay(0)
    const { mutationId } = await VECTORIZE.deleteByIds(['a'])
    expect(await described()).toMatchObject({ processedUpToMutation: null, processedUpToDatetime: null })
    await CONTROL.pass(30_000)
    const { processedUpToMutation, processedUpToDatetime, vectorCount } = await described()
    expect([processedUpToMutation, vectorCount]).toEqual([mutationId, 0])
    expect(Date.parse(processedUpToDatetime ?? '')).toBeGreaterThan(0)
  })

  it('[L5] on request the index fails that often', async () => {
    await CONTROL.breakVectorize(1)
    expect(await failure(query(axis(0)))).toMatch('VECTOR_QUERY_ERROR')
    expect(await failure(query(axis(0)))).toBe('nothing failed')
  })
})
