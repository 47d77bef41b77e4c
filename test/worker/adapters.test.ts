import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type VectorizeLike, vectorize } from '../../src/adapters/vectorize'
import { limits, workersAi } from '../../src/adapters/workers-ai'
import type { Binding, World } from '../../src/adapters/workers-ai-calls'
import { bindingFrom, modelConfig, modelsFrom } from '../../src/adapters/workers-ai-config'
import { nodeId, passageId } from '../../src/core/ids'
import { countTokens } from '../../src/core/text/tokens'
import { aiLimits, vectorizeLimits, workerLimits } from '../../src/platform-limits'
import type { AiBinding, Message, Models } from '../../src/ports/models'
import { VectorFault } from '../../src/vector-faults'

const CONFIG = {
  embedding: { id: '@cf/baai/bge-m3', dimensions: 3, window: 512 },
  text: { id: '@cf/writer', window: 8000 },
  reranker: { id: '@cf/reranker' },
}
const ASK: readonly Message[] = [{ role: 'user', content: 'Say something about harbours.' }]
const NOON = Date.UTC(2026, 10, 21, 12)

interface Call {
  readonly model: string
  readonly inputs: { readonly [key: string]: unknown }
  readonly options?: { readonly signal?: AbortSignal; readonly gateway?: unknown }
}

/**
 * A binding that answers from a script, one entry for each call, then the last for ever. A deadline is over at once if it is
 * `overdue`, else never. The clock is the caller's own: the runtime's timers are shared with every object of this isolate.
 */
function scripted(
  replies: readonly unknown[],
  { overdue = false, binding: how, ...more }: Partial<typeof CONFIG> & { overdue?: boolean; binding?: Partial<Binding> } = {},
) {
  const calls: Call[] = []
  const slept: number[] = []
  const deadlines = { set: [] as number[], calledOff: 0 }
  const clock = { now: NOON }
  const world: World = {
    now: () => clock.now,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    after: (ms, then) => {
      deadlines.set.push(ms)
      if (overdue) queueMicrotask(then)
      return () => void deadlines.calledOff++
    },
  }
  const binding: AiBinding = {
    async run(model, inputs, ...[options]) {
      calls.push({ model, inputs: inputs as Call['inputs'], ...(options ? { options: options as NonNullable<Call['options']> } : {}) })
      const reply = replies[Math.min(calls.length, replies.length) - 1]
      if (reply instanceof Error) throw reply
      return typeof reply === 'function' ? reply(inputs) : reply
    },
  }
  return { models: workersAi({ ai: binding, ...how }, { ...CONFIG, ...more }, world), calls, slept, deadlines, clock }
}

function upstream(message: string): Error {
  const error = new Error(message)
  error.name = 'InferenceUpstreamError'
  return error
}

const written = async (models: Models) => (await models.write(ASK, { tokens: 50 })).text

describe('replies of Workers AI', () => {
  it('[F1] are one text, whatever the shape', async () => {
    const shapes: readonly (readonly [unknown, string])[] = [
      [{ response: 'plain' }, 'plain'],
      [{ response: { a: 1 } }, '{"a":1}'],
      [{ choices: [{ message: { content: 'chat', reasoning_content: 'hm' } }] }, 'chat'],
      [
        {
          choices: [
            {
              message: {
                content: [
                  { type: 'text', text: 'in ' },
                  { type: 'text', text: 'parts' },
                ],
              },
            },
          ],
        },
        'in parts',
      ],
      [{ choices: [{ text: 'completion' }] }, 'completion'],
      [{ output: [{ type: 'reasoning' }, { type: 'message', content: [{ type: 'output_text', text: 'responses' }] }] }, 'responses'],
      [{ result: { response: 'wrapped' } }, 'wrapped'],
      ['bare', 'bare'],
      [{ response: '<think>I must\nthink</think>\n\nspoken' }, 'spoken'],
    ]
    for (const [shape, text] of shapes) expect(await written(scripted([shape]).models)).toBe(text)
  })

  it('[F1] that the binding did not parse are parsed', async () => {
    const body = (text: string) => new Response(text).body
    expect(await written(scripted([body('{"response":"in a stream"}')]).models)).toBe('in a stream')
    expect(await written(scripted([body('bare words')]).models)).toBe('bare words')
    const vectors = body('{"data":[[1,2,3]]}')
    expect((await scripted([vectors]).models.embed(['a'])).vectors).toEqual([[1, 2, 3]])
  })

  it('[F1] that say nothing are invalid', async () => {
    for (const empty of [{}, null, { response: '' }, { response: null }, { response: '<think>cut off' }, { choices: [] }]) {
      await expect(written(scripted([empty]).models)).rejects.toMatchObject({ name: 'ModelError', message: 'invalid' })
    }
  })

  it('[F17] are counted as the model counted them, else as we do', async () => {
    const told = scripted([{ response: 'x', usage: { prompt_tokens: 11, completion_tokens: 3 } }]).models
    expect((await told.write(ASK, { tokens: 5 })).spent).toEqual({ in: 11, out: 3, embedded: 0 })
    const { spent } = await scripted([{ response: 'two words' }]).models.write(ASK, { tokens: 5 })
    expect([spent.in > 3, spent.out, spent.embedded]).toEqual([true, 2, 0])
  })
})

describe('faults of Workers AI', () => {
  it('[F3] become codes, and no text passes on', async () => {
    const faults: readonly (readonly [string, string])[] = [
      ['3040: Capacity temporarily exceeded, please try again.', 'capacity'],
      ['InferenceUpstreamError: 3036: You have used up your daily free allocation', `quota ${12 * 3600}`],
      ['3006: the document says hello', 'too_large'],
      ['5021: The estimated number of input and maximum output tokens exceeded', 'too_large'],
      ['3007: Request timeout', 'timeout'],
      ['5007: No such model', 'missing'],
      ['5035: needs a paid plan', 'missing'],
      ['5004: Invalid data', 'invalid'],
      ['3021: rate limiting: inference request per min rate reached', 'capacity 60'],
      ['AiError: 4006: you have used up your daily free allocation of 10,000 neurons, please upgrade', `quota ${12 * 3600}`],
      ['3010: AiError: 5021: The estimated number of input and maximum output tokens (155740) exceeded', 'too_large'],
      ['3010: AiError: The estimated number … exceeded this model context window limit (128000).', 'too_large'],
      ['3046: Request timeout', 'timeout'],
      ['2014: Provider request timeout', 'timeout'],
      ['3042: no such model', 'missing'],
      ['HTTP 429 Too Many Requests', 'capacity'],
      ['Network connection lost.', 'down'],
      ['a document about 3040: capacity', 'capacity'],
    ]
    for (const [message, fault] of faults) {
      for (const name of ['InferenceUpstreamError', 'AiError']) {
        const error = Object.assign(new Error(message), { name })
        await expect(written(scripted([error]).models)).rejects.toMatchObject({ name: 'ModelError', message: fault })
      }
    }
  })

  it('[F410] each fault that Workers AI is known for is one of ours in every kind of call, and a reply that is no reply is invalid', async () => {
    const QUOTA = `quota ${12 * 3600}`
    /** What it is, what it looks like, what it means to us. */
    const known: readonly (readonly [string, readonly unknown[], string])[] = [
      ['calls a minute', [upstream('3021: rate limiting: inference request per min rate reached')], 'capacity 60'],
      [
        'capacity',
        [upstream('3040: Capacity temporarily exceeded, please try again.'), upstream('HTTP 429 Too Many Requests')],
        'capacity',
      ],
      [
        'neurons of a day',
        [upstream('4006: you have used up your daily free allocation of 10,000 neurons'), upstream('3036: used up')],
        QUOTA,
      ],
      ['context', [upstream('5021: The estimated number'), upstream('3010: AiError: 5021: The estimated number')], 'too_large'],
      ['a request that is too large', [upstream('3006: Request is too large'), upstream('413 Payload Too Large')], 'too_large'],
      [
        'time',
        [upstream('3046: Request timeout'), upstream('3007: Request timeout'), upstream('2014: Provider request timeout')],
        'timeout',
      ],
      ['an aborted call', [upstream('3008: Request was aborted')], 'timeout'],
      [
        'time at a gateway between',
        [upstream('upstream request timeout'), upstream('<html><h1>504 Gateway Time-out</h1></html>')],
        'timeout',
      ],
      ['a lost connection', [upstream('Network connection lost.'), upstream('<html>502 Bad Gateway</html>')], 'down'],
      ['no such model', [upstream('5007: No such model x or task'), upstream('3042: No such model')], 'missing'],
      [
        'a model one may not use',
        ['5018', '3041', '5035', '5016', '5019'].map((code) => upstream(`${code}: not for this account`)),
        'missing',
      ],
      ['input of the wrong shape', [upstream('5004: Invalid data')], 'invalid'],
      ['a place in a queue instead of a reply', [{ status: 'queued', request_id: 'r', model: 'm' }], 'invalid'],
      ['a reply of another kind', [{ usage: { prompt_tokens: 3 } }, 7, [], { data: 'x' }], 'invalid'],
    ]
    const calls: { readonly [kind: string]: (models: Models) => Promise<unknown> } = {
      write: (models) => models.write(ASK, { tokens: 50 }),
      stream: (models) => models.stream(ASK, { tokens: 50 }),
      embed: (models) => models.embed(['a']),
      rerank: (models) => models.rerank('q', ['a']),
    }
    const met: string[] = []
    for (const [what, looks, fault] of known) {
      for (const look of looks) {
        for (const [kind, call] of Object.entries(calls)) {
          if (kind === 'stream' && !(look instanceof Error)) continue // a stream that says nothing is read to its end
          const outcome = await call(scripted([look]).models).then(
            () => 'taken',
            (error: Error) => `${error.name} ${error.message}`,
          )
          if (outcome !== `ModelError ${fault}`) met.push(`${what}, ${kind}, ${JSON.stringify(look)}: ${outcome}`)
        }
      }
    }
    expect(met).toEqual([])
  })

  it('[F3] that pass are waited for, longer each time', async () => {
    const { models, slept } = scripted([upstream('3040: Capacity'), upstream('lost'), upstream('3040: Capacity'), { response: 'at last' }])
    expect(await written(models)).toBe('at last')
    expect(slept).toEqual([375, 750, 1500])
  })

  it('[F3] that do not pass are not tried again', async () => {
    for (const message of ['3036: quota', '4006: quota', '3006: too large', '5007: no such model']) {
      const { models, calls } = scripted([upstream(message)])
      await expect(written(models)).rejects.toThrow()
      expect(calls).toHaveLength(1)
    }
    const { models, calls } = scripted([upstream('3040: Capacity')])
    await expect(written(models)).rejects.toThrow('capacity')
    expect(calls).toHaveLength(4)
  })
})

describe('an account without neurons', () => {
  it('[F3] is not asked again by the same invocation for four minutes', async () => {
    const { models, calls, clock } = scripted([upstream('4006: you have used up your daily free allocation')])
    for (let n = 0; n < 3; n++) await expect(written(models)).rejects.toThrow(`quota ${12 * 3600}`)
    await expect(models.embed(['a', 'b'])).rejects.toThrow('quota')
    clock.now += 239_999
    await expect(written(models)).rejects.toThrow('quota')
    expect(calls).toHaveLength(1)
    clock.now += 1
    await expect(written(models)).rejects.toThrow('quota')
    expect(calls).toHaveLength(2)
  })
})

describe('a model that never answers', () => {
  it('[F3] times out, twice', async () => {
    const { models, calls, deadlines } = scripted([() => new Promise(() => {})], { overdue: true })
    await expect(written(models)).rejects.toThrow('timeout')
    expect(calls).toHaveLength(2)
    expect(deadlines.set).toEqual([limits.writing, limits.writing])
  })

  it('[F3] is given up at its deadline alone: a reply in time is taken, and the deadline called off', async () => {
    const { models, deadlines } = scripted([{ response: 'in time' }])
    expect(await written(models)).toBe('in time')
    expect(deadlines).toEqual({ set: [limits.writing], calledOff: 1 })
  })
})

describe('a call that nobody waits for any more', () => {
  const never = () => new Promise(() => {})

  it('[F40] is aborted at its deadline where the binding takes a signal, and gets none where it does not', async () => {
    const real = scripted([never], { overdue: true, binding: { takesSignal: true } })
    await expect(written(real.models)).rejects.toThrow('timeout')
    expect(real.calls.map((call) => call.options?.signal?.aborted)).toEqual([true, true])
    const far = scripted([never], { overdue: true })
    await expect(written(far.models)).rejects.toThrow('timeout')
    expect(far.calls.map((call) => call.options)).toEqual([undefined, undefined])
    expect(bindingFrom({ AI: { run: never } }).takesSignal).toBe(true)
    expect(bindingFrom({ AI: { run: never }, AI_SIGNAL: 'off' }).takesSignal).toBe(false)
  })

  it('[F40] ends when its caller goes, is not tried again, and none begins after', async () => {
    for (const call of [
      (models: Models, signal: AbortSignal) => models.write(ASK, { tokens: 5, signal }),
      (models: Models, signal: AbortSignal) => models.stream(ASK, { tokens: 5, signal }),
      (models: Models, signal: AbortSignal) => models.embed(['a'], { signal }),
      (models: Models, signal: AbortSignal) => models.rerank('q', ['a'], { signal }),
    ]) {
      const gone = new AbortController()
      const { models, calls, slept } = scripted([never], { binding: { takesSignal: true } })
      const pending = call(models, gone.signal)
      await Promise.resolve()
      gone.abort()
      await expect(pending).rejects.toThrow('timeout')
      await expect(call(models, gone.signal)).rejects.toThrow('timeout')
      expect([calls.length, calls[0]?.options?.signal?.aborted, slept]).toEqual([1, true, []])
    }
  })

  it('[F40] and that streams is cut off, whatever the model still says', async () => {
    let cancelled = false
    const gone = new AbortController()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: {"response":"One"}\n\n')),
      cancel: () => {
        cancelled = true
      },
    })
    const { deltas } = await scripted([body]).models.stream(ASK, { tokens: 5, signal: gone.signal })
    const heard: string[] = []
    const reading = (async () => {
      for await (const delta of deltas) {
        heard.push(delta)
        gone.abort()
      }
    })()
    await expect(reading).rejects.toThrow('timeout')
    expect([heard, cancelled]).toEqual([['One'], true])
  })

  it('[F8] calls go through a gateway where one is named, and are otherwise the same', async () => {
    const reply = { response: 'Fine.' }
    const [with_, without] = [scripted([reply], { binding: { gateway: 'loam' } }), scripted([reply])]
    expect([await written(with_.models), await written(without.models)]).toEqual(['Fine.', 'Fine.'])
    expect(with_.calls).toEqual(without.calls.map((call) => ({ ...call, options: { gateway: { id: 'loam' } } })))
    expect(bindingFrom({ AI: { run: never }, AI_GATEWAY: ' loam ' })).toMatchObject({ gateway: 'loam' })
    expect('gateway' in bindingFrom({ AI: { run: never }, AI_GATEWAY: '' })).toBe(false)
  })
})

describe('replies that were cut', () => {
  it('[F42] say so in every shape; whole ones do not', async () => {
    const cut = async (reply: unknown) => (await scripted([reply]).models.write(ASK, { tokens: 5 })).truncated ?? false
    const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 3, completion_tokens } })
    const choice = (finish_reason: string) => ({ choices: [{ message: { content: 'Said' }, finish_reason }], ...usage(5) })
    expect(await cut(choice('length'))).toBe(true)
    expect(await cut(choice('stop'))).toBe(false)
    expect(await cut({ response: 'Said', ...usage(5) })).toBe(true)
    expect(await cut({ response: 'Said', ...usage(4) })).toBe(false)
    expect(await cut({ response: 'one two three four five six seven eight' })).toBe(true)
    expect(await cut({ response: { said: 'a whole object' }, ...usage(5) })).toBe(false)
    expect(await cut({ output_text: 'Said', incomplete_details: { reason: 'max_output_tokens' } })).toBe(true)
  })

  it('[F42] every call says how long its reply may be', async () => {
    const { models, calls } = scripted([{ response: 'x' }])
    await models.write(ASK, { tokens: 700 })
    await models.stream(ASK, { tokens: 900 })
    expect(calls.map((call) => call.inputs.max_tokens)).toEqual([700, 900])
  })
})

describe('embedding with Workers AI', () => {
  const vectorsFor = ({ text }: { text: string[] }) => ({ data: text.map((one) => [Number(one), 1, 2]), shape: [text.length, 3] })

  it('[F5] goes in batches of 100, four at a time, and comes back in order', async () => {
    let running = 0
    let max = 0
    const { models, calls } = scripted([
      async (inputs: { text: string[] }) => {
        max = Math.max(max, ++running)
        // Later batches answer first.
        for (let turn = 1000 - Number(inputs.text[0]); turn > 0; turn -= 100) await Promise.resolve()
        running--
        return vectorsFor(inputs)
      },
    ])
    const { vectors, spent } = await models.embed(Array.from({ length: 1001 }, (_, i) => String(i)))
    expect(vectors.map((vector) => vector[0])).toEqual(Array.from({ length: 1001 }, (_, i) => i))
    expect([calls.length, max, spent.embedded > 1000]).toEqual([11, workerLimits.safeConnections, true])
  })

  it('[F5] goes in calls of 60,000 tokens where texts are long, none left out', async () => {
    const reply = ({ text }: { text: string[] }) => ({ data: text.map(() => [1, 2, 3]) })
    const { models, calls } = scripted([reply], { embedding: { ...CONFIG.embedding, window: 8192 } })
    const texts = Array.from({ length: 20 }, (_, i) => `${i} ${'word '.repeat(i % 2 ? 9000 : 5)}`)
    expect((await models.embed(texts)).vectors).toHaveLength(20)
    const sent = calls.map((call) => call.inputs.text as string[])
    expect(sent.flat()).toEqual(texts)
    const tokens = sent.map((batch) => batch.reduce((sum, text) => sum + countTokens(text), 0))
    expect(Math.max(...tokens)).toBeLessThanOrEqual(aiLimits.maxEmbeddingTokens)
    expect(calls.length).toBeLessThan(5)
    expect(calls.every((call) => call.inputs.truncate_inputs === true)).toBe(true)
  })

  it('[F5] understands the other shapes of the catalogue', async () => {
    for (const shape of [
      {
        response: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      {
        data: [
          { index: 1, embedding: [4, 5, 6] },
          { index: 0, embedding: [1, 2, 3] },
        ],
      },
      { data: [Float32Array.from([1, 2, 3]), Float32Array.from([4, 5, 6])] },
    ]) {
      expect((await scripted([shape]).models.embed(['a', 'b'])).vectors).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ])
    }
  })

  it('[F5] refuses vectors of another length, another number, or no numbers', async () => {
    await expect(scripted([{ data: [[1, 2]] }]).models.embed(['a'])).rejects.toThrow('missing')
    await expect(scripted([{ data: [] }]).models.embed(['a'])).rejects.toThrow('invalid')
  })

  it('[F161] refuses what is no vector for its text alone, asks for that again, and says where none came', async () => {
    for (const bad of [[1, Number.NaN, 3], [0, 0, 0], [1, 2], [1, 1e200, 3], [1, '2', 3], [], null, [1, Number.POSITIVE_INFINITY, 0]]) {
      const good = scripted([{ data: [[1, 2, 3], bad] }, { data: [[4, 5, 6]] }])
      expect((await good.models.embed(['a', 'b'])).vectors).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ])
      expect(good.calls.map((call) => call.inputs.text)).toEqual([['a', 'b'], ['b']])
      const never = scripted([{ data: [[1, 2, 3], bad] }, { data: [bad?.length === 2 ? [0, 0, 0] : bad] }, { data: [[0, 0, 0]] }])
      expect(await never.models.embed(['a', 'b'])).toMatchObject({ vectors: [[1, 2, 3], []], calls: 3 })
    }
    const zeros = [0, 0, 0]
    await expect(scripted([{ data: [zeros, zeros, zeros, zeros] }]).models.embed(['a', 'b', 'c', 'd'])).rejects.toThrow('down')
  })

  it('[F1] lets go of a reply that is larger than what was asked for can be, before it is parsed', async () => {
    const fed: number[] = []
    const endless = (head: string, piece: string) => () => {
      const encoder = new TextEncoder()
      let at = 0
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          const bytes = encoder.encode(at === 0 ? head : piece)
          fed.push(bytes.byteLength)
          at++
          if (at > 2000) controller.error(new Error('it was read to its end'))
          else controller.enqueue(bytes)
        },
      })
    }
    const max = 4_000_000 // bytes
    const large = 'x'.repeat(16_384)
    const replies = [
      (reply: unknown) => scripted([reply, reply, reply]).models.embed(['a']),
      (reply: unknown) => scripted([reply]).models.write(ASK, { tokens: 100 }),
      (reply: unknown) => scripted([reply]).models.rerank('a', ['b', 'c']),
    ]
    for (const asked of replies) {
      fed.length = 0
      await expect(asked(endless('{"response":"', large)())).rejects.toMatchObject({ name: 'ModelError', message: 'invalid' })
      expect(fed.reduce((sum, one) => sum + one, 0)).toBeLessThan(max)
    }
    // Parsed by the binding already: nothing further is done with it.
    const parsed = scripted([{ response: `<think>${'a '.repeat(2_000_000)}` }]).models.write(ASK, { tokens: 100 })
    await expect(parsed).rejects.toMatchObject({ message: 'invalid' })
    for (const piece of [`data: {"response":"${'ab '.repeat(200)}"}\n\n`, `data: ${large}`, `: ${large}\n`]) {
      fed.length = 0
      const streamed = async (): Promise<void> => {
        const { deltas } = await scripted([endless('data: {"response":"Well"}\n\n', piece)()]).models.stream(ASK, { tokens: 100 })
        for await (const _ of deltas);
      }
      await expect(streamed()).rejects.toMatchObject({ message: 'invalid' })
      expect(fed.reduce((sum, one) => sum + one, 0)).toBeLessThan(max)
    }
  })

  it('[F5] fixes the pooling where the vendor leaves a choice', async () => {
    const english = scripted([{ data: [[1, 2, 3]] }], { embedding: { ...CONFIG.embedding, id: '@cf/baai/bge-small-en-v1.5' } })
    await english.models.embed(['a'])
    expect(english.calls[0]?.inputs).toEqual({ text: ['a'], pooling: 'cls' })
  })
})

describe('reranking with Workers AI', () => {
  it('[F5] gives scores in the order of the texts, logits as probabilities', async () => {
    const shares = scripted([
      {
        response: [
          { id: 1, score: 0.9 },
          { id: 0, score: 0.2 },
        ],
      },
    ])
    expect((await shares.models.rerank('q', ['a', 'b', 'c'])).scores).toEqual([0.2, 0.9, 0.2])
    expect(shares.calls[0]?.inputs).toEqual({ query: 'q', contexts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }], top_k: 3 })
    const logits = scripted([
      {
        response: [
          { id: 0, score: -3 },
          { id: 1, score: 3 },
        ],
      },
    ])
    const [low = 1, high = 0] = (await logits.models.rerank('q', ['a', 'b'])).scores
    expect(low + high).toBeCloseTo(1)
    expect(high).toBeGreaterThan(0.9)
    await expect(scripted([{}]).models.rerank('q', ['a'])).rejects.toThrow('invalid')
  })
})

describe('JSON from Workers AI', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } }
  const json = (models: Models) => models.write(ASK, { tokens: 5, schema })

  it('[F7] is asked for by schema', async () => {
    const { models, calls } = scripted([{ response: { a: 1 } }])
    expect((await json(models)).text).toBe('{"a":1}')
    expect(calls[0]?.inputs.response_format).toEqual({ type: 'json_schema', json_schema: schema })
  })

  it('[F7] is asked for in words when JSON mode fails, and only for that reply', async () => {
    const { models, calls } = scripted([upstream("JSON Mode couldn't be met"), { response: '{"a": 2}' }, { response: '{"a": 3}' }])
    expect((await json(models)).text).toBe('{"a": 2}')
    expect(calls[1]?.inputs.response_format).toBeUndefined()
    expect(JSON.stringify(calls[1]?.inputs.messages)).toContain('{a?: number}')
    await json(models)
    expect(calls[2]?.inputs.response_format).toBeDefined()
  })

  it('[F7] is asked for in words ever after of a model without JSON mode', async () => {
    const { models, calls } = scripted([upstream("5025: This model doesn't support JSON Schema."), { response: '{"a": 2}' }])
    await json(models)
    await json(models)
    expect(calls.map((call) => call.inputs.response_format !== undefined)).toEqual([true, false, false])
  })
})

describe('streams of Workers AI', () => {
  const said = (events: readonly unknown[], end = 'data: [DONE]\n\n') =>
    events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + end
  const bytes = (text: string) => new TextEncoder().encode(text)
  const streamed = (pieces: readonly Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
  async function heard(body: unknown): Promise<{ text: string; deltas: number; spent: unknown }> {
    const { deltas, spent } = await scripted([body]).models.stream(ASK, { tokens: 5 })
    let [text, count] = ['', 0]
    for await (const delta of deltas) {
      text += delta
      count++
    }
    return { text, deltas: count, spent: spent() }
  }
  const EVENTS = [
    { response: 'Grüße, ' },
    { choices: [{ delta: { content: '世界 👩‍👩‍👧' } }] },
    { response: 7 },
    { response: '', usage: { prompt_tokens: 9, completion_tokens: 4 } },
  ]
  const WHOLE = 'Grüße, 世界 👩‍👩‍👧7'

  it('[F1] give the same text wherever the bytes are cut', async () => {
    const whole = bytes(said(EVENTS))
    for (let size = 1; size < 40; size++) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.slice(i * size, (i + 1) * size))
      expect(await heard(streamed(pieces))).toEqual({ text: WHOLE, deltas: 3, spent: { in: 9, out: 4, embedded: 0 } })
    }
  })

  it('[V401] end where their room does, by the finish reason, or where none is given by the count of tokens', async () => {
    const ends = async (...events: readonly unknown[]) => {
      const { deltas, isTruncated } = await scripted([streamed([bytes(said([{ response: 'Well' }, ...events]))])]).models.stream(ASK, {
        tokens: 5,
      })
      for await (const _ of deltas) expect(isTruncated?.()).toBeDefined()
      return isTruncated?.()
    }
    const usage = (tokens: number) => ({ response: '', usage: { prompt_tokens: 9, completion_tokens: tokens } })
    expect(await ends({ choices: [{ delta: {}, finish_reason: 'length' }] }, usage(3))).toBe(true)
    expect(await ends({ response: '', finish_reason: 'stop' }, usage(5))).toBe(false)
    expect([await ends(usage(4)), await ends(usage(5))]).toEqual([false, true])
  })

  it('[F1] may end without a mark, use other line ends and carry lines that are no JSON', async () => {
    expect((await heard(streamed([bytes(said(EVENTS, '').trimEnd())]))).text).toBe(WHOLE)
    expect((await heard(streamed([bytes(`: ping\r\n\r\ndata: nonsense\r\n\r\n${said(EVENTS).replaceAll('\n', '\r\n')}`)]))).text).toBe(
      WHOLE,
    )
    const responses = [
      { type: 'response.created' },
      { type: 'response.output_text.delta', delta: 'new ' },
      { type: 'response.output_text.delta', delta: 'shape' },
    ]
    expect((await heard(streamed([bytes(said(responses))]))).text).toBe('new shape')
  })

  it('[F1] leave thinking aloud out', async () => {
    const events = ['<th', 'ink>\nhm', ' [1]</thi', 'nk>', '\n\n', 'Yes', ' <think> stays'].map((response) => ({ response }))
    expect((await heard(streamed([bytes(said(events))]))).text).toBe('Yes <think> stays')
    expect((await heard(streamed([bytes(said([{ response: '<3 ' }, { response: 'harbours' }]))]))).text).toBe('<3 harbours')
  })

  it('[F1] of a model that does not stream are one delta', async () => {
    expect(await heard({ response: 'all at once' })).toMatchObject({ text: 'all at once', deltas: 1 })
  })

  it('[F3] that cannot begin reject before the first delta; those that break off reject with a code', async () => {
    for (const body of [streamed([]), streamed([bytes('data: [DONE]\n\n')]), { response: '' }]) {
      await expect(scripted([body]).models.stream(ASK, { tokens: 5 })).rejects.toThrow('invalid')
    }
    await expect(scripted([streamed([bytes(said([{ error: 'secret' }]))])]).models.stream(ASK, { tokens: 5 })).rejects.toThrow(/^down$/)
    await expect(heard(streamed([bytes(said([{ response: 'a' }, { error: { message: 'secret' } }]))]))).rejects.toThrow(/^down$/)
  })

  it('[F1] are cancelled when the reader leaves', async () => {
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('data: {"response":"on and on"}\n\n')),
      cancel: () => {
        cancelled = true
      },
    })
    const { deltas } = await scripted([endless]).models.stream(ASK, { tokens: 5 })
    for await (const _ of deltas) break
    expect(cancelled).toBe(true)
  })
})

describe('models that think aloud', () => {
  const asked = async (id: string) => {
    const { models, calls } = scripted([{ response: 'x' }], { text: { id, window: 8000 } })
    await models.write(ASK, { tokens: 50 })
    return calls[0]?.inputs
  }

  it('[F1] are told not to, by the switch or the dial they have, or given room for it', async () => {
    const off = { chat_template_kwargs: { enable_thinking: false } }
    expect(await asked('@cf/qwen/qwen3-30b-a3b-fp8')).toMatchObject({
      messages: [{ role: 'system', content: '/no_think' }, ...ASK],
      max_tokens: 50,
      ...off,
    })
    expect(await asked('@cf/zai-org/glm-4.7-flash')).toMatchObject({ messages: ASK, max_tokens: 50, ...off })
    expect(await asked('@cf/openai/gpt-oss-20b')).toMatchObject({ max_tokens: 1050, reasoning_effort: 'low' })
    expect(await asked('@cf/qwen/qwq-32b')).toMatchObject({ messages: ASK, max_tokens: 3050 })
    expect(await asked('qwen3:4b')).not.toHaveProperty('chat_template_kwargs')
    expect(await asked('@cf/meta/llama-3.3-70b-instruct-fp8-fast')).toEqual({ messages: ASK, max_tokens: 50, temperature: 0 })
  })
})

describe('the configuration of models', () => {
  const VARS = { EMBEDDING_MODEL: '@cf/baai/bge-m3', EMBEDDING_DIMENSIONS: '1024', EMBEDDING_WINDOW: '512' }

  it('[F8] takes an empty id for no model', async () => {
    const models = modelsFrom({ ...VARS, TEXT_MODEL: ' ', RERANKER_MODEL: '', AI: { run: async () => ({}) } })
    expect([models.text, models.reranker]).toEqual([null, null])
    await expect(models.write(ASK, { tokens: 5 })).rejects.toThrow('missing')
    await expect(models.rerank('q', ['a'])).rejects.toThrow('missing')
    expect(modelConfig({ ...VARS, TEXT_MODEL: 'x', TEXT_WINDOW: '9000' }).text).toEqual({ id: 'x', window: 9000 })
  })

  it('[V350] each role is asked of its own model where it has one, within its own window', async () => {
    const vars = { ...VARS, TEXT_MODEL: 'x', TEXT_WINDOW: '9000', EXTRACT_MODEL: 'y', EXTRACT_WINDOW: '4000', ANSWER_MODEL: 'z' }
    const asked: string[] = []
    const run = async (model: string): Promise<unknown> => {
      asked.push(model)
      if (model === 'y') throw new Error('5023: JSON Mode is not supported')
      return { response: 'said' }
    }
    const models = modelsFrom({ ...vars, AI: { run } })
    expect(models.roles).toEqual({ extract: { id: 'y', window: 4000 }, answer: { id: 'z', window: 9000 } })
    await models.write(ASK, { tokens: 5 })
    await models.write(ASK, { tokens: 5, role: 'summarise' })
    await models.write(ASK, { tokens: 5, role: 'answer' })
    await models.write(ASK, { tokens: 5, role: 'extract', schema: {} }).catch(() => {})
    await models.write(ASK, { tokens: 5, schema: {} }) // another model's lack of JSON mode is not its own
    expect(asked.slice(0, 4)).toEqual(['x', 'x', 'z', 'y'])
    expect(asked.at(-1)).toBe('x')
    expect(() => modelConfig({ ...VARS, TEXT_MODEL: '', EXTRACT_MODEL: 'y' })).toThrow('EXTRACT_MODEL needs TEXT_MODEL')
    expect(modelConfig({ ...VARS, MODEL_SECONDS: '210' }).writingMs).toBe(210_000)
  })

  it('[F8] names the variable that is wrong', () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ EMBEDDING_MODEL: '' }, 'EMBEDDING_MODEL'],
      [{ EMBEDDING_DIMENSIONS: '2048' }, 'EMBEDDING_DIMENSIONS must be a whole number from 8 to 1536, not "2048"'],
      [{ EMBEDDING_DIMENSIONS: '' }, 'EMBEDDING_DIMENSIONS'],
      [{ EMBEDDING_WINDOW: '5.5' }, 'EMBEDDING_WINDOW'],
      [{ TEXT_MODEL: 'x' }, 'TEXT_WINDOW'],
    ]
    for (const [vars, name] of wrong) expect(() => modelConfig({ ...VARS, ...vars })).toThrow(name)
  })
})

describe('the encoder that comes with Loam', () => {
  const VARS = { EMBEDDING_MODEL: 'loam/static', EMBEDDING_DIMENSIONS: '256', EMBEDDING_WINDOW: '8192', TEXT_MODEL: '', RERANKER_MODEL: '' }
  const nobody: AiBinding = { run: async () => Promise.reject(new Error('was called')) }

  it('[L61] embeds in the Worker itself: nobody is called and nothing is charged; without its binding the model is missing', async () => {
    await expect(modelsFrom({ ...VARS, AI: nobody }).embed(['a'])).rejects.toThrow('missing')
    const models = modelsFrom({ ...VARS, ASSETS: env.ASSETS, AI: nobody })
    const texts = Array.from({ length: 300 }, (_, i) => `The ${i}th harbour of the coast`)
    const { vectors, spent } = await models.embed(texts)
    expect([vectors.length, vectors[0]?.length, spent]).toEqual([300, 256, { in: 0, out: 0, embedded: 0 }])
    expect((await models.embed([texts[7] as string])).vectors).toEqual([vectors[7]])
    await expect(modelsFrom({ ...VARS, EMBEDDING_DIMENSIONS: '512', ASSETS: env.ASSETS, AI: nobody }).embed(['a'])).rejects.toThrow(
      'missing',
    )
  })

  it('[R20] is there to read by whatever embeds; where its file is missing it is not, and nothing fails', async () => {
    const other = { ...VARS, EMBEDDING_MODEL: '@cf/baai/bge-m3', EMBEDDING_DIMENSIONS: '1024' }
    const missing = { fetch: async () => new Response(null, { status: 404 }) }
    const encoder = await modelsFrom({ ...other, ASSETS: env.ASSETS, AI: nobody }).encoder?.()
    expect(encoder?.encode('harbour').length).toBe(256)
    expect(await modelsFrom({ ...other, AI: nobody }).encoder?.()).toBeUndefined()
    // One isolate reads the file once: the same object is there even for an environment whose assets are gone.
    expect([undefined, encoder]).toContain(await modelsFrom({ ...other, ASSETS: missing, AI: nobody }).encoder?.())
  })
})

describe('Vectorize', () => {
  type Reply = Awaited<ReturnType<VectorizeLike['query']>>

  function recording(reply: Reply = {}, kept: Awaited<ReturnType<VectorizeLike['getByIds']>> = [], fault?: Error) {
    const calls: { op: string; ids: string[] }[] = []
    const written: Parameters<VectorizeLike['upsert']>[0] = []
    const asked: unknown[] = []
    const call = async (op: string, ids: string[]): Promise<void> => {
      calls.push({ op, ids })
      if (fault) throw fault
    }
    const binding: VectorizeLike = {
      upsert: async (vectors) => {
        written.push(...vectors)
        await call(
          'upsert',
          vectors.map((one) => one.id),
        )
      },
      describe: async () => {
        if (fault) throw fault
        return { vectorCount: 7, dimensions: 2, processedUpToDatetime: null, processedUpToMutation: null }
      },
      deleteByIds: (ids) => call('delete', ids),
      getByIds: async (ids) => {
        await call('get', ids)
        return kept.filter((one) => ids.includes(one.id))
      },
      query: async (_vector, options) => {
        asked.push(options)
        if (fault) throw fault
        return reply
      },
    }
    return { index: vectorize(binding), calls, written, asked }
  }

  const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `p_${i}`)

  it('[J20] is written 200 vectors, cleared 100 ids and asked after 20 ids at a time', async () => {
    const { index, calls } = recording()
    await index.upsert(
      'n',
      ids(401).map((id) => ({ id, vector: [1], kind: 'passage', layer: 0 })),
    )
    await index.remove('n', ids(201))
    await index.fetch('n', ids(21))
    await index.remove('n', [])
    const of = (op: string): number[] => calls.filter((one) => one.op === op).map((one) => one.ids.length)
    expect([of('upsert'), of('delete'), of('get')]).toEqual([
      [vectorizeLimits.safeUpsertVectors, vectorizeLimits.safeUpsertVectors, 1],
      [vectorizeLimits.maxDeleteIds, vectorizeLimits.maxDeleteIds, 1],
      [vectorizeLimits.maxGetIds, 1],
    ])
  })

  it('[H102] says how many vectors it holds, of all corpora, and how many it may', async () => {
    expect(await recording().index.size('c')).toEqual({ vectors: 7, max: 0.95 * vectorizeLimits.maxVectors })
    await expect(recording({}, [], new Error('INDEX_GET_ERROR (code = 10000): internal error')).index.size('c')).rejects.toThrow(
      'describe 10000',
    )
  })

  it('[F38] an id names its corpus and fits; hits lead back to nodes, those of an earlier release too, those of another corpus not', async () => {
    const uid = crypto.randomUUID().replaceAll('-', '')
    const longest = passageId(nodeId('chunk', 'text'), 36 ** 6 - 1)
    const matches = [`${uid}:p_a.0`, 'p_b.0', 'another:p_c.0', 'p_a.0'].map((id, i) => ({ id, score: 1 - i / 10 }))
    const { index, written } = recording({ matches })
    await index.upsert(uid, [{ id: longest, vector: Int8Array.of(3, -4), kind: 'passage', layer: 0 }])
    expect(written).toEqual([{ id: `${uid}:${longest}`, values: [3, -4], namespace: uid, metadata: { kind: 'passage', layer: 0 } }])
    expect(new TextEncoder().encode(written[0]?.id).length).toBeLessThanOrEqual(vectorizeLimits.maxIdBytes)
    expect(await index.query(uid, [1], { kind: 'passage', k: 5 })).toEqual([
      { id: 'p_a.0', score: 1 },
      { id: 'p_b.0', score: 0.9 },
    ])
  })

  it('[F38] ids of an earlier release are removed where this corpus wrote them', async () => {
    const record = (id: string, namespace: string) => ({ id, namespace, values: [1] })
    const { index, calls } = recording({}, [record('p_1', 'n'), record('p_2', 'other'), record('p_3', 'n')])
    await index.removeUnnamed('n', ids(5))
    expect(calls.at(-1)).toEqual({ op: 'delete', ids: ['p_1', 'p_3'] })
  })

  it('[J20] is asked for one kind of one corpus, at most 100, best first', async () => {
    const { index, asked } = recording({
      matches: [
        { id: 'b', score: 0.5 },
        { id: 'c', score: 0.9 },
        { id: 'a', score: 0.5 },
      ],
    })
    expect(await index.query('n', [1], { kind: 'entity', k: 500 })).toEqual([
      { id: 'c', score: 0.9 },
      { id: 'a', score: 0.5 },
      { id: 'b', score: 0.5 },
    ])
    expect(asked).toEqual([{ topK: 100, namespace: 'n', filter: { kind: 'entity' }, returnValues: false, returnMetadata: 'none' }])
    expect(await recording().index.query('n', [1], { kind: 'entity', k: 5 })).toEqual([])
  })

  it('[F3] fails with a code and no word of the vendor; what is refused for ever is distinguished from what may pass', async () => {
    const failed = async (message: string): Promise<VectorFault> => {
      const { index } = recording({}, [], new Error(message))
      return index.remove('n', ['p_secret']).then(
        () => new VectorFault('none', -1),
        (error) => error,
      )
    }
    const said = await Promise.all(
      [
        'VECTOR_DELETE_ERROR (code = 40007): too many ids in payload; max id count is 100, got 173',
        'VECTOR_UPSERT_ERROR (code = 40041): Too Many Requests',
        'VECTOR_DELETE_ERROR: Status + 500',
        'Network connection lost.',
      ].map(failed),
    )
    expect(said.map((one) => [one.message, one.code, one.isRefusal])).toEqual([
      ['delete 40007', 40007, true],
      ['delete 40041', 40041, false],
      ['delete 0', 0, false],
      ['delete 0', 0, false],
    ])
  })
})
