/** What kind of recording it is, by its first bytes, and how its transcript becomes prose with times, as subtitles do. */
import type { Outline } from '../core/text/outline'
import type { HeardCue, Recording, Sound } from '../ports/conversion'
import { proseOf } from './subtitles'

/** Null: not a known format. */
export function recordingTypeOf(bytes: Uint8Array): Recording['media'] | null {
  const says = (offset: number, text: string): boolean => [...text].every((letter, i) => bytes[offset + i] === letter.charCodeAt(0))
  if (says(0, 'RIFF') && says(8, 'WAVE')) return 'audio/wav'
  if (says(0, 'OggS')) return 'audio/ogg'
  if (says(0, 'fLaC')) return 'audio/flac'
  if (says(4, 'ftyp')) return 'audio/mp4'
  if (says(0, '\x1a\x45\xdf\xa3')) return 'audio/webm'
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0
  return says(0, 'ID3') || isFrame ? 'audio/mpeg' : null
}

/** `most`: bytes of sound. Never rejects. */
export const soundOfVideo = async (file: Uint8Array, most: number): Promise<Sound> =>
  (await import('./video/sound-of-video')).soundOfVideo(file, most)

export function heardAsProse(cues: readonly HeardCue[]): { readonly text: string; readonly outline: Outline } {
  const said = cues
    .map(({ seconds, text }) => ({ seconds, text: text.replace(/\s+/g, ' ').trim(), by: '' }))
    .filter(({ text }) => text !== '')
  return proseOf(said, { text: Number.POSITIVE_INFINITY }) // a reply is bounded, and so is the text wherever it is stored
}
