/** A recording as OpenAI's `/audio/transcriptions` takes it: a form with the file, which is known by the ending of its name. */
import { bytesOfBase64 } from '../base64'

const ENDINGS: { readonly [media: string]: string } = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' } // others are called as their type is

/** `audio`: in base64. Its answer is `verbose_json`: with the time of each segment. */
export function recordingForm(model: string, { audio, media }: { readonly audio?: unknown; readonly media?: unknown }): FormData {
  const type = typeof media === 'string' ? media : 'audio/mpeg'
  const bytes = bytesOfBase64(String(audio)) ?? new Uint8Array()
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  form.set('timestamp_granularities[]', 'segment')
  form.set('file', new File([bytes], `recording.${ENDINGS[type] ?? type.replace('audio/', '')}`, { type }))
  return form
}
