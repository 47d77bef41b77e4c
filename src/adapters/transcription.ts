/**
 * Recordings to text with times: Whisper on Workers AI (https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/), or a
 * model on an OpenAI-compatible server (`/audio/transcriptions`, in its `verbose_json`). Both replies are read in the same way. None of the
 * vendor's words are passed on.
 */
import { z } from 'zod'
import { base64 } from '../base64'
import { aiLimits } from '../platform-limits'
import type { CallSlots } from '../ports/call-slots'
import type { HeardCue, Transcriber } from '../ports/conversion'
import { isOnServer } from './model-server'
import { type Binding, calls, realWorld, type World } from './workers-ai-calls'
import { modelError } from './workers-ai-faults'

const MAX_BYTES = 8 * 1024 * 1024 // in a reply: it may give a time for each word
const MAX_SEGMENTS = 50_000

const seconds = z.number().min(0).max(1e6)
const reply = z.object({
  text: z.string().catch(''),
  segments: z
    .array(z.object({ start: seconds, end: seconds.optional(), text: z.string() }))
    .max(MAX_SEGMENTS)
    .optional(),
  duration: seconds.optional(),
  transcription_info: z.object({ duration: seconds.optional() }).optional(),
})

export function transcription(binding: Binding, model: string, world: World = realWorld, slots?: CallSlots): Transcriber {
  const { run } = calls(binding, world, slots)
  return {
    async transcribe({ bytes, media }, { signal, mayRepeat } = {}) {
      const asked = { audio: base64(bytes), ...(isOnServer(model) ? { media } : { task: 'transcribe' }) }
      const limits = { deadline: aiLimits.timeoutMs, maxBytes: MAX_BYTES, signal, mayRepeat }
      const read = reply.safeParse(await run({ model, kind: 'text' }, asked, limits))
      if (!read.success) throw modelError('invalid')
      const { text, segments, duration, transcription_info: info } = read.data
      const cues: readonly HeardCue[] = segments ? segments.map((one) => ({ seconds: one.start, text: one.text })) : [{ seconds: 0, text }]
      return { cues, seconds: info?.duration ?? duration ?? segments?.at(-1)?.end ?? null }
    },
  }
}
