/**
 * `@cf/openai/whisper-large-v3-turbo` as its schema has it (2026-08): `audio` in base64, answered with text, segments, WebVTT and how long the recording is.
 * What is no base64, or too large, is an error, as the platform makes it.
 */
import { transcriptionLimits } from '../../../src/platform-limits'

export interface Heard {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface Whisper {
  readonly binding: { run(model: string, inputs: unknown, options?: unknown): Promise<unknown> }
  readonly asked: { readonly model: string; readonly bytes: number; readonly inputs: object }[]
  /** What the next calls come to, in their order; then what it hears. */
  readonly script: ({ readonly fails: string } | { readonly reply: unknown })[]
  hears: readonly Heard[]
  seconds: number
}

export const SAID: readonly Heard[] = [
  { start: 0, end: 4.2, text: ' The grey heron of Norhaven waits by the mill pond.' },
  { start: 75.5, end: 80, text: ' It eats eels and small frogs.' },
]

export function whisperStandIn(hears = SAID, seconds = 90): Whisper {
  const all: Whisper = { binding: { run }, asked: [], script: [], hears, seconds }
  return all

  async function run(model: string, inputs: unknown): Promise<unknown> {
    const { audio } = inputs as { audio?: unknown }
    // By a round trip: an expression that is matched against megabytes may overflow its stack.
    const isBase64 = typeof audio === 'string' && audio !== '' && Buffer.from(audio, 'base64').toString('base64') === audio
    if (model !== transcriptionLimits.model) throw new Error(`5007: No such model ${model} or task`)
    if (!isBase64) throw new Error("5004: Invalid input: required properties at '/' are 'audio'")
    const bytes = Buffer.from(audio, 'base64').length
    all.asked.push({ model, bytes, inputs: inputs as object })
    if (bytes > transcriptionLimits.maxBytes) throw new Error('3006: Request is too large')
    const next = all.script.shift()
    if (next && 'fails' in next) throw new Error(next.fails)
    if (next) return next.reply
    const text = all.hears.map((one) => one.text).join('')
    const segments = all.hears.map((one) => ({ ...one, temperature: 0, avg_logprob: -0.2, no_speech_prob: 0.01 }))
    const transcription_info = { language: 'en', language_probability: 0.99, duration: all.seconds, duration_after_vad: all.seconds }
    return { transcription_info, text, word_count: text.split(' ').length, segments, vtt: 'WEBVTT\n' }
  }
}
