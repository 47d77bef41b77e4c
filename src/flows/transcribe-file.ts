/**
 * Recordings, by what a model hears in them: with the second at which each part is said, as subtitles have it. Only if the corpus has it switched on, and
 * covered before it is requested, for the longest recording of that many bytes. Its text is marked: nobody wrote it.
 */
import { TRANSCRIBE } from '../core/cost'
import type { Outline } from '../core/text/outline'
import { transcriptionLimits } from '../platform-limits'
import type { Conversion, HeardCue, Recording, SentFile, Transcriber } from '../ports/conversion'
import { hashOf, type PayingDeps, paidFor, type Unread, unread } from './paid-file'

export interface Hearing {
  /** Null: this deployment transcribes nothing. */
  readonly transcriber: Transcriber | null
  recordingTypeOf(bytes: Uint8Array): Recording['media'] | null
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
  const { transcriber, recordingTypeOf, heardAsProse } = hearing
  if (!transcriber) return { ...found, detail: `${found.detail} ${NOWHERE} ${ELSE}` }
  const media = recordingTypeOf(file.bytes)
  if (!media) return unread('broken', 'This file is broken, or not a supported recording: MP3, WAV, M4A, Ogg, WebM or FLAC.')
  const { maxBytes, bytesPerSecond, tokensPerSecond } = transcriptionLimits
  if (file.bytes.length > maxBytes)
    return unread(
      'too_large',
      `A recording may have at most ${maxBytes / MIB} MiB. Split it, or compress it: speech is understood at 32 kbit/s.`,
    )
  const bytes = new Uint8Array(file.bytes)
  const hash = await hashOf(bytes)
  const terms = await deps.corpus.describing(file.document ?? null, hash)
  if (!terms?.isHeard) return { ...found, detail: `${found.detail} ${OFF} ${ELSE}` }
  if (terms.known) return { kind: 'converted', title: '', text: terms.known.text, outline: terms.known.outline }
  const longest = Math.ceil(bytes.length / bytesPerSecond[media])
  const most = { in: longest * tokensPerSecond, out: 0 }
  return paidFor(deps, terms, { stage: TRANSCRIBE, most, words: WORDS }, async (mayRepeat) => {
    const heard = await transcriber.transcribe({ bytes, media }, { mayRepeat })
    const { text, outline } = heardAsProse(heard.cues)
    if (text === '') return null
    const [first = { start: 0 }, ...rest] = outline
    const read = heard.seconds === null ? most.in : Math.ceil(heard.seconds * tokensPerSecond)
    return { text, outline: [{ ...first, described: hash }, ...rest], calls: 1, read }
  })
}
