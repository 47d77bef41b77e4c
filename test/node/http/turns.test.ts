/** Whose turn it is while bodies come in: who sends slowly, breaks off or asks from within keeps nobody waiting. */
import { expect, it, vi } from 'vitest'
import { bytesUpTo } from '../../../src/bytes-up-to'
import { createApp } from '../../../src/http/app'
import { comingIn } from '../../../src/http/coming-in'
import { type ReadingRoom, readingRoom, turnFor, weightOf } from '../../../src/http/reading-room'
import type { Turn } from '../../../src/http/turn'
import { IsolateMemory } from '../../../src/isolate-memory'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const MIB = 1024 * 1024
const WHOLE = weightOf('application/pdf', 1) // all the room there is
const BODY = weightOf('application/json', 16 * MIB)
const DAY = 86_400_000
const authorization = `Bearer ${ADMIN}`

async function open() {
  const { wired } = fakeWorld()
  const app = createApp(() => wired)
  const ask = async (method: string, path: string, body?: BodyInit, headers: { readonly [name: string]: string } = {}) => {
    const init: RequestInit & { duplex: 'half' } = { method, headers: { authorization, ...headers }, body: body ?? null, duplex: 'half' }
    return app.fetch(new Request(`https://loam.test${path}`, init), {}, context)
  }
  await ask('PUT', '/v1/corpora/here')
  return ask
}

/** Sends so much, and then no more; `how`: whether it ends, breaks, or goes on without a byte. */
function sending(mib: number, how: 'breaks' | 'hangs') {
  const heard: { cancelled?: unknown } = {}
  let left = mib
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(MIB).fill(0x61))
        else if (how === 'breaks') controller.error(new Error('the sender has gone'))
        else return new Promise(() => undefined)
        return undefined
      },
      cancel() {
        heard.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { heard, stream }
}

const entered = (room: ReadingRoom, weight: number, now: number, isDeep = false): Turn => {
  const turn = room.enter(weight, now, isDeep)
  if (!turn) throw new Error('no room')
  return turn
}

it('[H1960] a body that comes in slowly gives its room to the first who needs it, and to nobody else; one that comes in well does not', () => {
  const room = readingRoom(new IsolateMemory())
  const slow = entered(room, BODY, 0)
  expect(slow.arrived(0, 0)).toBe(true)
  expect(slow.arrived(MIB, 5000)).toBe(true)
  expect(room.enter(BODY, 9999)).toBeUndefined()
  const next = entered(room, BODY, 10_000) // 1 of the 2.5 MiB that should have come
  expect([slow.arrived(1, 10_001), slow.arrived(0, DAY)]).toEqual([false, false])
  expect([next.arrived(0, 10_000), next.arrived(15 * MIB, 60_000), room.enter(BODY, 69_999)]).toEqual([true, true, undefined])
  next.complete(70_000)
  expect([room.enter(BODY, 129_999), room.enter(BODY, 130_000) === undefined]).toEqual([undefined, false])
  const alone = readingRoom(new IsolateMemory())
  const patient = entered(alone, BODY, 0)
  for (let at = 0; at < DAY; at += 50_000) expect(patient.arrived(1, at)).toBe(true) // nobody waits
})

it('[H1960] the room that was lent for a body is given back once, whoever takes it', () => {
  let lent = 0
  const lend = (bytes: number) => {
    lent += bytes
    return () => {
      lent -= bytes
    }
  }
  const room = readingRoom({ lend } as never)
  const slow = entered(room, BODY, 0)
  slow.arrived(0, 0)
  slow.arrived(1, 40_000) // renewed
  expect(lent).toBe(BODY)
  const other = entered(room, MIB, 41_000)
  expect([other.deepen(WHOLE, 41_000), lent]).toEqual([true, BODY + WHOLE])
  other.shallow(42_000)
  expect(lent).toBe(BODY + MIB)
  slow.leave()
  other.leave()
  other.leave()
  other.shallow(43_000)
  expect(lent).toBe(0)
})

it('[H1916] a container as a body, and one inside of another, are not read beside each other; a slow one waits for nobody', () => {
  const room = readingRoom(new IsolateMemory())
  const book = entered(room, weightOf('application/epub+zip', MIB), 0, true)
  const json = entered(room, 4 * MIB, 0)
  expect(json.deepen(WHOLE, 1)).toBe(false)
  book.arrived(0, 2)
  expect([json.deepen(WHOLE, 10_001), json.deepen(WHOLE, 10_002), book.arrived(1, 10_003)]).toEqual([false, true, false])
})

it('[H1960] a body that has lost its turn is refused at once, also where nothing more of it comes, and its sender is stopped', async () => {
  for (const mib of [0, 2]) {
    const { heard, stream } = sending(mib, 'hangs')
    let looks = 0
    const turn = { arrived: () => ++looks <= 3, complete: () => undefined } as unknown as Turn
    const read = new Response(comingIn(stream, turn, 1)).arrayBuffer()
    await expect(read).rejects.toMatchObject({ code: 'unavailable', more: { retryAfter: 5 } })
    expect(heard.cancelled).toBe(true)
  }
})

it('[H1960] who sends a body and goes gives back the turn and what has come', async () => {
  const ask = await open()
  for (const [method, path, type] of [
    ['PUT', '/v1/corpora/here/documents/a', 'application/json'],
    ['PUT', '/v1/corpora/here/documents/a', 'application/pdf'],
    ['POST', '/v1/corpora/here/documents:batch', 'application/json'],
    ['POST', '/v1/corpora/here:import', 'application/x-ndjson'],
    ['POST', '/mcp', 'application/json'],
  ] as const) {
    const answer = await ask(method, path, sending(2, 'breaks').stream, { 'content-type': type, 'content-length': String(3 * MIB) })
    expect([path, answer.status >= 400]).toEqual([path, true])
    const next = await turnFor(WHOLE)
    next.leave()
  }
  const released = vi.spyOn(ArrayBuffer.prototype, 'transfer')
  await expect(bytesUpTo(sending(2, 'breaks').stream, 4 * MIB, 3 * MIB)).rejects.toThrow('gone')
  expect(await bytesUpTo(sending(3, 'hangs').stream, 2 * MIB, 2 * MIB)).toBe(null)
  expect(released.mock.calls).toEqual([[0], [0]])
  released.mockRestore()
})

it('[H1916] what a message to `/mcp` brings is read in the message’s own turn, and waits for none beside it', async () => {
  const ask = await open()
  const content_base64 = Buffer.from('A heron waits. '.repeat(30_000)).toString('base64')
  const params = { name: 'add_document', arguments: { corpus: 'here', id: 'a', content_base64, content_type: 'text/plain' } }
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const accept = 'application/json, text/event-stream'
  const headers = { 'content-type': 'application/json', 'content-length': String(message.length), accept }
  const other = await turnFor(WHOLE)
  const sent = ask('POST', '/mcp', message, headers)
  expect(await Promise.race([sent, new Promise((resolve) => setTimeout(() => resolve('waits'), 80))])).toBe('waits')
  other.leave()
  expect(await (await sent).text()).toContain('"document":"a"')
  const next = await turnFor(WHOLE)
  next.leave()
  const broken = await ask('POST', '/mcp', message, headers)
  await broken.body?.cancel()
  const another = await turnFor(WHOLE)
  another.leave()
})

it('[H1917] every door refuses a file in base64 that is too long undecoded, with its field and the limit', async () => {
  const ask = await open()
  const file = { id: 'b', content_base64: '?'.repeat(6 * MIB), content_type: 'text/plain' }
  const { id: _, ...alone } = file
  const json = { 'content-type': 'application/json' }
  const refusals = [
    await ask('PUT', '/v1/corpora/here/documents/b', JSON.stringify(alone), json),
    await ask('POST', '/v1/corpora/here/documents:batch', JSON.stringify({ upserts: [file] }), json),
    await ask('POST', '/v1/corpora/here:import', JSON.stringify({ type: 'document', ...file }), { 'content-type': 'application/x-ndjson' }),
  ]
  const said = await Promise.all(refusals.map(async (one) => [one.status, await one.json()] as const))
  const refused = (path: string) => [413, { limit: 4 * MIB, errors: [{ path, message: `at most ${4 * MIB} bytes` }] }]
  expect(said).toMatchObject(['content_base64', 'upserts.0.content_base64', 'document b.content_base64'].map(refused))
  const message = (text: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add_document', text } })
  const tooLong = await ask('POST', '/mcp', message('?'.repeat(4 * MIB)), { ...json, accept: 'application/json, text/event-stream' })
  expect([tooLong.status, await tooLong.json()]).toMatchObject([
    413,
    { error: { code: -32000, message: expect.stringContaining(`${4 * MIB}`) } },
  ])
})

it('[H1917] line breaks in base64 are no part of a file’s length', async () => {
  const ask = await open()
  const file = 'A heron waits. '.repeat(4 * MIB).slice(0, 4 * MIB)
  const put = async (text: string) => {
    const lines = Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')
    const body = JSON.stringify({ content_base64: lines, content_type: 'text/plain' })
    return (await (await ask('PUT', '/v1/corpora/here/documents/b', body, { 'content-type': 'application/json' })).json()) as object
  }
  expect(await put(file)).toMatchObject({ detail: expect.stringContaining('The text may have') }) // read, and only then too long
  expect(await put(`${file}beyond it`)).toMatchObject({ limit: 4 * MIB })
})

it('[H2141] a PDF keeps its turn until the object has its file: no other is read beside it', async () => {
  const { wired } = fakeWorld()
  const object = wired.corpus('here')
  const steps: string[] = []
  let finish: () => void = () => undefined
  const accept: typeof object.accept = async (request) => {
    steps.push(`sent ${request.upserts[0]?.id} ${request.upserts[0]?.file?.length}`)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return object.accept(request)
  }
  Object.assign(wired, {
    corpus: () => ({ ...object, accept }),
    convert: async () => {
      steps.push('read')
      return { kind: 'converted', text: 'A heron.', title: '' }
    },
  })
  const app = createApp(() => wired)
  const headers = { authorization, 'content-type': 'application/pdf' }
  const put = (id: string) =>
    app.fetch(new Request(`https://loam.test/v1/corpora/here/documents/${id}`, { method: 'PUT', headers, body: id }), {}, context)
  await app.fetch(new Request('https://loam.test/v1/corpora/here', { method: 'PUT', headers: { authorization } }), {}, context)
  const first = put('first')
  await vi.waitFor(() => expect(steps).toHaveLength(2))
  const other = put('other') // sent later, since of two at once either may come first
  await new Promise((resolve) => setTimeout(resolve, 100)) // the other tries every 25 ms
  expect(steps).toEqual(['read', 'sent first 5'])
  finish()
  await vi.waitFor(() => expect(steps).toHaveLength(4))
  finish()
  expect((await Promise.all([first, other])).map(({ status }) => status)).toEqual([202, 202])
  expect(steps.slice(2)).toEqual(['read', 'sent other 5'])
})
