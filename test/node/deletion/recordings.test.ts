/** Recordings by every door: what a model hears in them, with its times, what it costs, that nobody pays twice, and that it is forgotten with the document. */
import { describe, expect, it } from 'vitest'
import { transcription } from '../../../src/adapters/transcription'
import { transcriptionLimits } from '../../../src/platform-limits'
import type { AiBinding } from '../../../src/ports/models'
import { whisperStandIn } from '../reading/whisper-stand-in'
import { deployment } from './deployment'

const AT = '/v1/corpora/birds'
const mp3 = (said: string): Uint8Array<ArrayBuffer> => new Uint8Array([0x49, 0x44, 0x33, 4, ...new TextEncoder().encode(said)])
const ON = { settings: { recordings: { transcribe: true } } }

async function birds(config: object = ON, isThere = true) {
  const stand = whisperStandIn()
  const transcriber = transcription({ ai: stand.binding as unknown as AiBinding }, transcriptionLimits.model)
  const world = deployment({ transcriber: isThere ? transcriber : null })
  await world.send('PUT', AT, { strategies: [], ...config })
  const put = async (id: string, bytes: Uint8Array, type = 'audio/mpeg') => {
    const content_base64 = Buffer.from(bytes).toString('base64')
    const { status, body } = await world.send('PUT', `${AT}/documents/${id}`, {
      content_base64,
      content_type: type,
      url: 'https://example.org/talk.mp3',
    })
    return { ...(body as { code?: string; detail?: string }), at: status }
  }
  const stage = async () => ((await world.send('GET', `${AT}/usage`)).body as { stages: { transcribe?: object } }).stages.transcribe
  const document = async (id: string) =>
    (await world.send('GET', `${AT}/documents/${id}`)).body as { text: string; outline: object[]; conversion?: string }
  return { world, stand, put, stage, document }
}

describe('a recording', () => {
  it('[H1971] is transcribed where the corpus has it so, and each part has its second; else 415 says what would do it', async () => {
    const off = await birds({})
    expect(await off.put('a', mp3('x'))).toMatchObject({
      at: 415,
      code: 'unsupported_media_type',
      detail: expect.stringContaining('settings.recordings.transcribe'),
    })
    const nowhere = await birds(ON, false)
    expect(await nowhere.put('a', mp3('x'))).toMatchObject({ at: 415, detail: expect.stringContaining('TRANSCRIPTION_MODEL') })
    expect([off.stand.asked, nowhere.stand.asked]).toEqual([[], []])
    const { put, document } = await birds()
    expect((await put('a', mp3('x'))).at).toBe(202)
    expect(await document('a')).toMatchObject({
      text: 'The grey heron of Norhaven waits by the mill pond.\n\nIt eats eels and small frogs.',
      conversion: 'described',
      outline: [
        { start: 0, seconds: 0, described: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { start: 52, seconds: 75.5 },
      ],
    })
  })

  it('[H1971] comes by every door: as a body, in a batch and an import', async () => {
    const { world, stand, document } = await birds()
    const wav = new TextEncoder().encode('RIFF....WAVEfmt ') as Uint8Array<ArrayBuffer>
    expect(await world.raw('PUT', `${AT}/documents/a.mp3`, mp3('a'), 'audio/mpeg')).toBe(202)
    expect(await world.raw('PUT', `${AT}/documents/b.wav`, wav, 'audio/x-wav')).toBe(202)
    const file = (id: string) => ({ id, content_base64: Buffer.from(mp3(id)).toString('base64'), content_type: 'audio/mpeg' })
    expect((await world.send('POST', `${AT}/documents:batch`, { upserts: [file('c')] })).status).toBe(202)
    expect((await world.request('POST', `${AT}:import`, JSON.stringify({ type: 'document', ...file('d') }))).status).toBe(202)
    for (const id of ['a.mp3', 'b.wav', 'c', 'd']) expect([id, (await document(id)).conversion]).toEqual([id, 'described'])
    expect(stand.asked.length).toBe(4)
  })

  it('[H1971] what is no recording, or larger than the model takes, is refused before anything is spent; what nothing is said in is 422, an outage 503', async () => {
    const { put, stand, stage, world } = await birds()
    expect(await put('a', new TextEncoder().encode('GIF89a'))).toMatchObject({ at: 422, code: 'unreadable_document' })
    const large = new Uint8Array(transcriptionLimits.maxBytes + 1)
    large.set(mp3(''))
    expect(await world.raw('PUT', `${AT}/documents/b`, large, 'audio/mpeg')).toBe(413)
    expect([stand.asked, await stage()]).toEqual([[], undefined])
    stand.hears = []
    expect(await put('c', mp3('silence'))).toMatchObject({ at: 422, code: 'unreadable_document' })
    stand.script.push({ fails: '4006: you have used up your daily free allocation of 10,000 neurons' })
    const out = await put('d', mp3('y'))
    expect([out.at, out.code, JSON.stringify(out).includes('neurons')]).toEqual([503, 'model_unavailable', false])
  })

  it('[H1972] what it may cost is set aside first, and counted under `transcribe` by its length; where the budget does not cover it, it is 402 and nobody is asked', async () => {
    const long = new Uint8Array(200_000)
    long.set(mp3('a talk'))
    const poor = await birds({ ...ON, budget: { tokens: 9999 } }) // 200 seconds at most, of fifty tokens each
    expect(await poor.put('a', long)).toMatchObject({ at: 402, code: 'over_budget' })
    expect(poor.stand.asked).toEqual([])
    const { put, stage } = await birds({ ...ON, budget: { tokens: 100_000 } })
    await put('a', long)
    const counted = (await stage()) as { in: number; calls: number; usd: number }
    expect([counted.calls, counted.in]).toEqual([1, 90 * 50])
    expect(counted.usd).toBeCloseTo((0.00051 * 90) / 60, 6)
  })

  it('[H1972] the same bytes under the same id are transcribed once, others again; deleted, nothing of it stays', async () => {
    const { put, stand, world, document } = await birds()
    await put('a', mp3('x'))
    await put('a', mp3('x'))
    expect(stand.asked.length).toBe(1)
    await put('a', mp3('other'))
    expect(stand.asked.length).toBe(2)
    await world.send('DELETE', `${AT}/documents/a`)
    expect((await document('a')).text).toBeUndefined()
  })
})
