/** Bodies larger than their kind of file may be: how much of one is taken in before it is refused. */
import { expect, it, vi } from 'vitest'
import { bytesOfBase64 } from '../../../src/base64'
import { bytesUpTo } from '../../../src/bytes-up-to'
import { createApp } from '../../../src/http/app'
import type { Ctx } from '../../../src/http/context'
import { withText, withTexts } from '../../../src/http/files'
import { readingRoom, turnFor, weightOf } from '../../../src/http/reading-room'
import { IsolateMemory } from '../../../src/isolate-memory'
import { readSubtitles } from '../../../src/reading/subtitles'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const MIB = 1024 * 1024

/** So many MiB, and how many of them were taken so far. */
function body(most: number) {
  const taken = { mib: 0 }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken.mib === most) return controller.close()
        taken.mib++
        controller.enqueue(new Uint8Array(MIB).fill(0x61))
      },
    },
    { highWaterMark: 0 },
  )
  return { taken, stream }
}

async function put(type: string, most: number, length?: number) {
  const { wired } = fakeWorld()
  const { taken, stream } = body(most)
  const app = createApp(() => wired)
  const authorization = `Bearer ${ADMIN}`
  await app.fetch(new Request('https://loam.test/v1/corpora/here', { method: 'PUT', headers: { authorization } }), {}, context)
  const headers = {
    authorization,
    'content-type': type,
    ...(length === undefined ? {} : { 'content-length': String(length) }),
  }
  const init: RequestInit & { duplex: 'half' } = { method: 'PUT', headers, body: stream, duplex: 'half' }
  const response = await app.fetch(new Request('https://loam.test/v1/corpora/here/documents/a', init), {}, context)
  return { status: response.status, code: ((await response.json()) as { code?: string }).code, taken: taken.mib }
}

it('[H1831] a body larger than its kind of file may be is refused by the length it names, with nothing of it kept; without one, where it has come that far', async () => {
  const refused = { status: 413, code: 'too_large' }
  expect(await put('text/plain', 5, 5 * MIB)).toEqual({ ...refused, taken: 5 })
  expect(await put('text/csv', 9, 9 * MIB)).toEqual({ ...refused, taken: 9 })
  expect(await put('application/pdf', 17, 17 * MIB)).toEqual({ ...refused, taken: 0 })
  expect(await put('text/plain', 16)).toEqual({ ...refused, taken: 5 })
  expect(await put('text/csv', 16)).toEqual({ ...refused, taken: 9 })
})

it('[H1831] a body is held once where it says how long it is, and as it came where what it says is wrong', async () => {
  for (const expected of [0, 1, MIB, 3 * MIB, 9 * MIB]) {
    const bytes = await bytesUpTo(body(3).stream, 4 * MIB, expected)
    expect([expected, bytes?.length, bytes?.every((one) => one === 0x61)]).toEqual([expected, 3 * MIB, true])
  }
  const whole = await bytesUpTo(body(3).stream, 4 * MIB, 3 * MIB)
  expect(whole?.buffer.byteLength).toBe(3 * MIB)
  expect(await bytesUpTo(body(5).stream, 4 * MIB, 2 * MIB)).toBe(null)
  expect(await bytesUpTo(null, 4 * MIB)).toEqual(new Uint8Array(0))
})

const WHOLE = weightOf('application/pdf', 1) // all the room there is
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Of a request whose body has been read; `reading`: what is done when a file inside of it is read. */
function readBody(reading: () => void = () => undefined) {
  const held = new Map<string, unknown>([
    ['bytes', new Uint8Array(MIB)],
    ['world', { ...fakeWorld().wired, convert: async () => (reading(), { kind: 'converted', text: 'Herons wait.', title: '' }) }],
    ['principal', null],
    ['door', 'http'],
  ])
  return {
    held,
    c: { get: (name: string) => held.get(name), set: (name: string, value: unknown) => held.set(name, value) } as unknown as Ctx,
  }
}

it('[H1916] a large body of JSON waits its turn before any of it is read, also for its Idempotency-Key; the turn ends when its texts are there', async () => {
  for (const [method, at] of [
    ['PUT', '/documents/a'],
    ['POST', '/documents:batch'],
    ['POST', ':import'],
  ] as const) {
    const { wired } = fakeWorld()
    const app = createApp(() => wired)
    const { taken, stream } = body(3)
    const authorization = `Bearer ${ADMIN}`
    await app.fetch(new Request('https://loam.test/v1/corpora/here', { method: 'PUT', headers: { authorization } }), {}, context)
    const headers = { authorization, 'content-type': 'application/json', 'content-length': String(3 * MIB), 'idempotency-key': at }
    const init: RequestInit & { duplex: 'half' } = { method, headers, body: stream, duplex: 'half' }
    const other = await turnFor(WHOLE)
    const answer = app.fetch(new Request(`https://loam.test/v1/corpora/here${at}`, init), {}, context)
    await pause(80)
    expect([at, taken.mib]).toEqual([at, 0])
    other.leave()
    expect((await answer).status).toBeGreaterThanOrEqual(400) // three MiB of one letter are no JSON
    expect(taken.mib).toBe(3)
    const next = await turnFor(WHOLE)
    next.leave()
  }
})

it('[H1916] nothing is held longer than it takes: not the body behind its parsing, not a file’s base64 behind its bytes', async () => {
  const sent = { content_base64: base64('Herons wait.'), content_type: 'text/csv', title: null }
  let meanwhile: unknown
  const { held, c } = readBody(() => {
    meanwhile = [bytes?.byteLength, held.get('bytes'), sent.content_base64]
  })
  const bytes = held.get('bytes') as Uint8Array | undefined
  expect(await withText(c, sent, { uid: 'u' })).toEqual({ title: null, text: 'Herons wait.' })
  expect(meanwhile).toEqual([0, undefined, null])
})

it('[H1916] of what takes most, inside of bodies that are being read, one is read at a time', () => {
  const { enter } = readingRoom(new IsolateMemory())
  const [one, other] = [enter(8 * MIB, 0), enter(8 * MIB, 0)]
  expect([one?.deepen(WHOLE, 1), other?.deepen(WHOLE, 1), enter(MIB, 1)]).toEqual([true, false, undefined])
  one?.shallow(1)
  expect([other?.deepen(WHOLE, 2), one?.deepen(WHOLE, 2)]).toEqual([true, false])
  other?.leave()
  expect([one?.deepen(WHOLE, 3), other?.deepen(WHOLE, 3)]).toEqual([true, false])
  one?.leave()
  expect(enter(WHOLE, 4)).toBeDefined()
})

it('[H1917] a file in base64 that is longer than its kind may be is refused as it stands, by its field and the limit, and not decoded', async () => {
  const long = { id: 'b', content_base64: '?'.repeat(6 * MIB), content_type: 'text/plain; charset=utf-8' }
  const { c } = readBody()
  const refused = {
    code: 'too_large',
    more: { members: { limit: 4 * MIB }, errors: [{ path: 'upserts.1.content_base64', message: `at most ${4 * MIB} bytes` }] },
  }
  const short = { id: 'a', content_base64: base64('Herons wait.'), content_type: 'text/plain' }
  await expect(withTexts(c, [short, long], { uid: 'u' }, (n) => `upserts.${n}`)).rejects.toMatchObject(refused)
  const other = { content_base64: '?'.repeat(MIB), content_type: 'text/plain' }
  await expect(withText(c, other, { uid: 'u' })).rejects.toMatchObject({ code: 'invalid' })
})

it('[H1917] base64 is decoded bit by bit to what it says, whatever its length; what is none is none', () => {
  for (const length of [0, 1, 2, 3, 100, 12_287, 12_288, 12_289, 12_290, 50_001]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) % 256)
    const text = Buffer.from(bytes).toString('base64')
    expect([length, bytesOfBase64(text), bytesOfBase64(text.replace(/=+$/, ''))]).toEqual([length, bytes, bytes])
  }
  for (const text of ['A', 'AAAAA', 'AAA=A', '=', 'AA=', `${'A'.repeat(16_384)}A`, 'A?=='])
    expect([text, bytesOfBase64(text)]).toEqual([text, null])
})

it('[H1962] no expression is matched against a whole file in base64', () => {
  const matched = vi.spyOn(RegExp.prototype, 'test')
  const bytes = bytesOfBase64('QUJD'.repeat(2 * MIB))
  const lengths = matched.mock.calls.map(([text]) => text.length)
  matched.mockRestore()
  expect([bytes?.length, Math.max(0, ...lengths) <= 64 * 1024]).toEqual([6 * MIB, true])
})

it('[H1284] subtitles are refused where what they say grows too long, not when all of it is written', () => {
  const cue = '00:01.000 --> 00:02.000\nHerons wait.\n\n'
  expect(readSubtitles(`WEBVTT\r\n\r\n${cue.replaceAll('\n', '\r\n')}`, { text: 100 }).text).toBe('Herons wait.')
  expect(() => readSubtitles(`WEBVTT\n\n${cue.repeat(20)}`, { text: 100 })).toThrow()
})
