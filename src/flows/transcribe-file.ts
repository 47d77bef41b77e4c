/**
 * Recordings, and the sound of videos, by what a model hears in them: with the second at which each part is said, as subtitles have it. Only if the corpus
 * has it switched on, and covered before it is requested, for the longest recording of that many bytes. Its text is marked: nobody wrote it.
 */
import { TRANSCRIBE } from '../core/cost'
import type { Outline } from '../core/text/outline'
import { transcriptionLimits } from '../platform-limits'
import type { Conversion, HeardCue, Recording, SentFile, Sound, Transcriber } from '../ports/conversion'
import { hashOf, type PayingDeps, paidFor, type Unread, unread } from './paid-file'

export interface Hearing {
  /** Null: this deployment transcribes nothing. */
  readonly transcriber: Transcriber | null
  recordingTypeOf(bytes: Uint8Array): Recording['media'] | null
  /** `most`: bytes of sound. Never rejects. */
  soundOfVideo(file: Uint8Array, most: number): Promise<Sound>
  heardAsProse(cues: readonly HeardCue[]): { readonly text: string; readonly outline: Outline }
}

const NOWHERE =
  'No model here transcribes recordings. In production, Workers AI does, with CONVERSION = "on"; TRANSCRIPTION_MODEL names a model of a server of your own (docs/formats.md).'
const OFF =
  'Transcribing recordings is switched off in this corpus. `settings.recordings.transcribe` switches it on; each minute costs money (docs/formats.md).'
const ELSE = 'Or send its transcript: subtitles (.srt, .vtt) keep their times.'
const WORDS = {
  over_budget: 'The remaining budget does not cover transcribing this file.',
  broken: 'Nothing is said in this recording, or it cannot be decoded.',
  too_large: 'This recording is larger than the model accepts. Split it, or compress it.',
  unavailable: 'The model that transcribes recordings is not answering. Send the file again later.',
}
const MIB = 1024 * 1024

export async function transcribeFile(deps: PayingDeps, hearing: Hearing, file: SentFile, found: Unread): Promise<Conversion> {
  const { transcriber, soundOfVideo, heardAsProse } = hearing
  if (!transcriber) return { ...found, detail: `${found.detail} ${NOWHERE} ${ELSE}` }
  const whole = file.type === 'video' ? null : wholeSound(hearing, file.bytes)
  if (whole?.kind === 'unreadable') return whole
  const hash = await hashOf(file.bytes)
  const terms = await deps.corpus.describing(file.document ?? null, hash)
  if (!terms?.isHeard) return { ...found, detail: `${found.detail} ${OFF} ${ELSE}` }
  if (terms.known) return { kind: 'converted', title: '', text: terms.known.text, outline: terms.known.outline }
  const { maxBytes, bytesPerSecond, tokensPerSecond } = transcriptionLimits
  const sound = whole ?? (await soundOfVideo(file.bytes, maxBytes))
  if (sound.kind === 'unreadable') return sound
  const { recording, secondsInFile } = sound
  const longest = Math.ceil(recording.bytes.length / bytesPerSecond[recording.media])
  const most = { in: longest * tokensPerSecond, out: 0 }
  return paidFor(deps, terms, { stage: TRANSCRIBE, most, words: WORDS }, async (mayRepeat) => {
    const heard = await transcriber.transcribe(recording, { mayRepeat })
    const { text, outline } = heardAsProse(heard.cues.map((cue) => ({ ...cue, seconds: secondsInFile(cue.seconds) })))
    if (text === '') return null
    const [first = { start: 0 }, ...rest] = outline
    const read = heard.seconds === null ? most.in : Math.ceil(heard.seconds * tokensPerSecond)
    return { text, outline: [{ ...first, described: hash }, ...rest], calls: 1, read }
  })
}

/** A recording is its own sound, if it is one and not too large. */
function wholeSound({ recordingTypeOf }: Hearing, bytes: Uint8Array): Sound {
  const media = recordingTypeOf(bytes)
  if (!media) return unread('broken', 'This file is broken, or not a supported recording: MP3, WAV, M4A, Ogg, WebM or FLAC.')
  const { maxBytes } = transcriptionLimits
  if (bytes.length > maxBytes)
    return unread(
      'too_large',
      `A recording may have at most ${maxBytes / MIB} MiB. Split it, or compress it: speech is understood at 32 kbit/s.`,
    )
  return { kind: 'sound', recording: { bytes: new Uint8Array(bytes), media }, keepsTime: true, secondsInFile: (seconds) => seconds }
}
