/** Videos by every door, by what a model hears in their sound: what is sent to it, with which times it is cited, what it costs, and what is refused before. */
import { describe, expect, it } from 'vitest'
import { transcription } from '../../../src/adapters/transcription'
import { transcriptionLimits } from '../../../src/platform-limits'
import type { AiBinding } from '../../../src/ports/models'
import { soundOfVideo } from '../../../src/reading/video/sound-of-video'
import { CLIP_MKV, CLIP_MOV, CLIP_MP4, CLIP_WEBM, FRAGMENTS_MP4, LATE_MP4, SILENT_MP4 } from '../../videos'
import { whisperStandIn } from '../reading/whisper-stand-in'
import { deployment } from './deployment'

const AT = '/v1/corpora/birds'
const ON = { settings: { recordings: { transcribe: true } } }
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

async function birds(config: object = ON, isThere = true) {
  const stand = whisperStandIn()
  const transcriber = transcription({ ai: stand.binding as unknown as AiBinding }, transcriptionLimits.model)
  const world = deployment({ transcriber: isThere ? transcriber : null })
  await world.send('PUT', AT, { strategies: [], ...config })
  const put = async (id: string, bytes: Uint8Array, content_type = 'video/mp4') => {
    const { status, body } = await world.send('PUT', `${AT}/documents/${id}`, { content_base64: base64(bytes), content_type })
    return { ...(body as { code?: string; detail?: string }), at: status }
  }
  const stage = async () => ((await world.send('GET', `${AT}/usage`)).body as { stages: { transcribe?: object } }).stages.transcribe
  const document = async (id: string) =>
    (await world.send('GET', `${AT}/documents/${id}`)).body as { text: string; outline: { seconds: number }[]; conversion?: string }
  const sent = () => stand.asked.map(({ inputs }) => (inputs as { audio: string }).audio)
  return { world, stand, put, stage, document, sent }
}

describe('a video', () => {
  it('[H2000] is transcribed by its sound, through every door, where the corpus has that for recordings', async () => {
    const { world, put, document, sent } = await birds()
    expect(await world.raw('PUT', `${AT}/documents/a`, CLIP_MP4, 'video/mp4')).toBe(202)
    expect(await world.raw('PUT', `${AT}/documents/b`, CLIP_WEBM, 'video/webm')).toBe(202)
    expect((await put('c', CLIP_MOV, 'video/quicktime')).at).toBe(202)
    const file = (id: string, bytes: Uint8Array, content_type: string) => ({ id, content_base64: base64(bytes), content_type })
    const batch = { upserts: [file('d', CLIP_MKV, 'video/x-matroska')] }
    expect((await world.send('POST', `${AT}/documents:batch`, batch)).status).toBe(202)
    const line = JSON.stringify({ type: 'document', ...file('e', FRAGMENTS_MP4, 'video/x-m4v') })
    expect((await world.request('POST', `${AT}:import`, line)).status).toBe(202)
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      expect(await document(id)).toMatchObject({
        text: 'The grey heron of Norhaven waits by the mill pond.\n\nIt eats eels and small frogs.',
        conversion: 'described',
        outline: [
          { start: 0, seconds: 0 },
          { start: 52, seconds: 75.5 },
        ],
      })
    const soundOf = (bytes: Uint8Array): string => {
      const sound = soundOfVideo(bytes, transcriptionLimits.maxBytes)
      return sound.kind === 'sound' ? base64(sound.recording.bytes) : ''
    }
    expect(sent()).toEqual([CLIP_MP4, CLIP_WEBM, CLIP_MOV, CLIP_MKV, FRAGMENTS_MP4].map(soundOf))
  })

  it('[H2000] is 415 where that is off or nothing transcribes, and the answer says what would help', async () => {
    const [off, nowhere] = [await birds({}), await birds(ON, false)]
    expect(await off.put('a', CLIP_MP4)).toMatchObject({
      at: 415,
      code: 'unsupported_media_type',
      detail: expect.stringMatching(/^A video contains no text\. .*settings\.recordings\.transcribe/),
    })
    expect(await nowhere.put('a', CLIP_MP4)).toMatchObject({ at: 415, detail: expect.stringContaining('TRANSCRIPTION_MODEL') })
    expect([off.stand.asked, nowhere.stand.asked]).toEqual([[], []])
  })

  it('[H2000] is reserved and paid for by its sound, once for the same file; an outage is 503', async () => {
    const poor = await birds({ ...ON, budget: { tokens: 100 } }) // 2,497 bytes are 4 s at most
    expect(await poor.put('a', CLIP_MP4)).toMatchObject({ at: 402, code: 'over_budget' })
    expect(poor.stand.asked).toEqual([])
    const { put, stage, stand } = await birds({ ...ON, budget: { tokens: 100_000 } })
    await put('a', CLIP_MP4)
    await put('a', CLIP_MP4)
    expect([stand.asked.length, await stage()]).toMatchObject([1, { in: 90 * 50, calls: 1 }])
    stand.script.push({ fails: '4006: you have used up your daily free allocation of 10,000 neurons' })
    expect(await put('b', CLIP_WEBM, 'video/webm')).toMatchObject({ at: 503, code: 'model_unavailable' })
  })

  it('[F2001] whose sound begins late is cited with the time in the video', async () => {
    const { put, document } = await birds()
    expect((await put('a', LATE_MP4)).at).toBe(202)
    expect((await document('a')).outline.map(({ seconds }) => Math.round(seconds * 10) / 10)).toEqual([1.9, 77.4])
  })

  it('[H2001] without sound, cut off, in a coding that is not read, or with too much sound is refused before anything is spent', async () => {
    const { put, stand, stage, world } = await birds()
    expect(await put('a', SILENT_MP4)).toMatchObject({ at: 422, code: 'unreadable_document', detail: 'This video has no sound.' })
    expect(await put('b', CLIP_MP4.subarray(0, 3000))).toMatchObject({ at: 422, detail: expect.stringContaining('cut off') })
    expect(await put('c', Buffer.from('GIF89a'))).toMatchObject({ at: 422, detail: expect.stringContaining('MP4, MOV, WebM or Matroska') })
    const coded = (name: string): Uint8Array => Buffer.from(Buffer.from(CLIP_MP4).toString('latin1').replace('mp4a', name), 'latin1')
    expect(await put('d', coded('ac-3'))).toMatchObject({ at: 415, detail: expect.stringContaining('AAC, MP3, Opus and Vorbis') })
    expect(await put('e', coded('enca'))).toMatchObject({ at: 422, detail: expect.stringContaining('encrypted') })
    const loud = new Uint8Array(CLIP_MP4.length + transcriptionLimits.maxBytes)
    loud.set(CLIP_MP4)
    const sizes = Buffer.from(CLIP_MP4).indexOf('stsz', Buffer.from(CLIP_MP4).indexOf('smhd'))
    new DataView(loud.buffer).setUint32(sizes + 16, transcriptionLimits.maxBytes + 1)
    expect(await world.raw('PUT', `${AT}/documents/f`, loud, 'video/mp4')).toBe(413)
    expect([stand.asked, await stage()]).toEqual([[], undefined])
  })
})
