/** Whisper of Workers AI and a server's transcriptions behind one port: shapes, refusals, and what a recording is by its first bytes. */
import { describe, expect, it } from 'vitest'
import { modelServer, withModelServer } from '../../../src/adapters/model-server'
import { transcription } from '../../../src/adapters/transcription'
import { transcriberFrom } from '../../../src/adapters/workers-ai-config'
import { transcriptionLimits } from '../../../src/platform-limits'
import type { AiBinding } from '../../../src/ports/models'
import { heardAsProse, recordingTypeOf } from '../../../src/reading/recordings'
import { whisperStandIn } from './whisper-stand-in'

const world = { now: () => 0, sleep: async () => undefined, after: () => () => undefined, random: () => 0.5 }
const RECORDING = { bytes: new Uint8Array(Array.from({ length: 70_001 }, (_, n) => n % 251)), media: 'audio/mpeg' } as const
const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => `${error.name} ${error.message}`,
  )
const bound = (run: unknown): AiBinding => ({ run }) as unknown as AiBinding

describe('Whisper of Workers AI', () => {
  it('[F1970] is sent the recording in base64, and says what is heard from which second on, and how long it is', async () => {
    const stand = whisperStandIn()
    const heard = await transcription({ ai: bound(stand.binding.run) }, transcriptionLimits.model, world).transcribe(RECORDING)
    expect(heard).toMatchObject({ seconds: 90, cues: [{ seconds: 0 }, { seconds: 75.5, text: ' It eats eels and small frogs.' }] })
    expect(stand.asked).toMatchObject([{ bytes: 70_001, inputs: { task: 'transcribe' } }])
  })

  it('[F1970] a reply without segments is one text; of another shape it is no reply; what is wrong for a while is tried again', async () => {
    const stand = whisperStandIn()
    const transcriber = transcription({ ai: bound(stand.binding.run) }, transcriptionLimits.model, world)
    stand.script.push({ reply: { text: 'A heron.' } })
    expect(await transcriber.transcribe(RECORDING)).toEqual({ cues: [{ seconds: 0, text: 'A heron.' }], seconds: null })
    for (const odd of [null, 'text', { segments: [{ start: 'soon', text: 'x' }] }, { text: 'x', segments: 7 }]) {
      stand.script.push({ reply: odd })
      expect([odd, await faultOf(transcriber.transcribe(RECORDING))]).toEqual([odd, 'ModelError invalid'])
    }
    stand.script.push({ fails: '3040: Capacity temporarily exceeded' })
    expect((await transcriber.transcribe(RECORDING)).seconds).toBe(90)
    const large = { bytes: new Uint8Array(transcriptionLimits.maxBytes + 1), media: 'audio/wav' } as const
    expect(await faultOf(transcriber.transcribe(large))).toBe('ModelError too_large')
  })
})

describe('a server’s transcriptions', () => {
  async function form(request: Request): Promise<Response> {
    const refuse = (status: number) => Response.json({ error: { message: 'secret words' } }, { status })
    if (request.headers.get('authorization') !== 'Bearer key') return refuse(401)
    if (!new URL(request.url).pathname.endsWith('/v1/audio/transcriptions')) return refuse(404)
    if (!request.headers.get('content-type')?.startsWith('multipart/form-data; boundary=')) return refuse(415)
    const sent = await request.formData()
    const file = sent.get('file')
    if (!(file instanceof File) || !/\.(mp3|m4a|wav|ogg|webm|flac)$/.test(file.name) || file.size === 0) return refuse(400)
    if (file.size > 25 * 1024 * 1024) return refuse(413)
    if (sent.get('model') !== 'whisper-1') return refuse(404)
    if (sent.get('response_format') !== 'verbose_json') return Response.json({ text: 'A heron waits.' })
    return Response.json({
      task: 'transcribe',
      language: 'english',
      duration: 12.5,
      text: 'A heron waits.',
      segments: [{ id: 0, start: 1.5, end: 3, text: ' A heron waits.' }],
    })
  }
  const VARS = {
    MODEL_SERVER_URL: 'https://models.example/v1',
    MODEL_SERVER_KEY: 'key',
    fetch: form,
    AI: bound(async () => Promise.reject(new Error('5007'))),
  }

  it('[F1971] get the recording as a form with its ending, and give segments with their times', async () => {
    const server = modelServer(VARS)
    const ai = withModelServer(VARS.AI, server as NonNullable<typeof server>, () => undefined)
    const at = (model: string) => transcription({ ai }, model, world).transcribe({ bytes: new Uint8Array([1, 2, 3]), media: 'audio/mp4' })
    expect(await at('whisper-1')).toEqual({ cues: [{ seconds: 1.5, text: ' A heron waits.' }], seconds: 12.5 })
    expect(await faultOf(at('whisper-9'))).toBe('ModelError missing')
  })

  it('[F1971] are used where TRANSCRIPTION_MODEL names one, whose price is known; else Whisper where CONVERSION is on, else nothing', () => {
    const EMPTY = { AI: VARS.AI }
    expect(transcriberFrom(EMPTY)).toBeNull()
    expect(transcriberFrom({ ...EMPTY, CONVERSION: 'on' })?.price).toBeUndefined()
    expect(transcriberFrom({ ...VARS, TRANSCRIPTION_MODEL: 'whisper-1', MODEL_PRICES: 'whisper-1=2' })?.price).toEqual({ in: 2, out: 0 })
    expect(() => transcriberFrom({ ...VARS, TRANSCRIPTION_MODEL: 'whisper-1' })).toThrow(/MODEL_PRICES must say what whisper-1 costs/)
  })
})

describe('a recording', () => {
  it('[H1970] is known by its first bytes, whatever it is called', () => {
    const starts: readonly (readonly [string, string | null])[] = [
      ['ID3\x04', 'audio/mpeg'],
      ['\xff\xfb\x90', 'audio/mpeg'],
      ['RIFF....WAVEfmt ', 'audio/wav'],
      ['RIFF....WEBPVP8 ', null],
      ['OggS', 'audio/ogg'],
      ['fLaC', 'audio/flac'],
      ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
      ['\x1a\x45\xdf\xa3', 'audio/webm'],
      ['MZ', null],
      ['', null],
    ]
    for (const [start, media] of starts) expect([start, recordingTypeOf(Buffer.from(start, 'latin1'))]).toEqual([start, media])
  })

  it('[H1970] becomes prose with its seconds, as subtitles do; what is silence is nothing', () => {
    const read = heardAsProse([
      { seconds: 0, text: ' A heron\nwaits.' },
      { seconds: 3, text: '  ' },
      { seconds: 65.5, text: 'It flies.' },
    ])
    expect(read).toEqual({
      text: 'A heron waits.\n\nIt flies.',
      outline: [
        { start: 0, seconds: 0 },
        { start: 16, seconds: 65.5 },
      ],
    })
    expect(heardAsProse([{ seconds: 0, text: ' ' }]).text).toBe('')
  })
})
