/** A recording in the form that OpenAI's `/audio/transcriptions` takes: a form with the file, which is recognised by its name's ending. */
import { bytesOfBase64 } from '../base64'

const ENDINGS: { readonly [media: string]: string } = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' } // others use their subtype

/** `audio`: in base64. The requested response is `verbose_json`: with the time of each segment. */
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
