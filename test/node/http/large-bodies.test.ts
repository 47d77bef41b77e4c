/** Bodies larger than their kind of file may be: how much of one is taken in before it is refused. */
import { expect, it } from 'vitest'
import { bytesUpTo } from '../../../src/bytes-up-to'
import { createApp } from '../../../src/http/app'
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
