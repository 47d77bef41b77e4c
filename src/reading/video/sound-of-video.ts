/** The sound of a video as a recording that a model takes: its packets as they are, in the plainest container for them. Nothing is decoded. */
import type { Recording, Sound } from '../../ports/conversion'
import { Unreadable } from '../unreadable'
import { m4aOf } from './m4a'
import { soundOfMatroska } from './matroska'
import { soundOfMp4 } from './mp4'
import { oggOf } from './ogg'
import { cutOff, type SoundTrack } from './packets'
import { type Timeline, timelineOf } from './timeline'

const MP4: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip']) // QuickTime's own may begin with any
const MAX_CONFIG = 256 * 1024 // bytes that a decoder is told first; Vorbis needs some thousand
const EBML = '\x1a\x45\xdf\xa3'

const WORDS = {
  silent: new Unreadable('no_text', 'This video has no sound.'),
  encrypted: new Unreadable('encrypted', 'The sound of this video is encrypted. Send a copy without protection.'),
  unknown: new Unreadable(
    'unsupported',
    'The sound of this video is in a coding that is not read: AAC, MP3, Opus and Vorbis are. Convert it, or send the sound as MP3 or WAV.',
  ),
}

/** `most`: bytes of sound. Never rejects, and takes time in proportion to the file. */
export function soundOfVideo(file: Uint8Array, most: number): Sound {
  try {
    const read = readerOf(file)
    if (!read) throw new Unreadable('broken', 'This file is broken, or not a supported video: MP4, MOV, WebM or Matroska (MKV).')
    const track = read(file, most)
    if (typeof track === 'string') throw WORDS[track]
    if (track.packets.count === 0) throw WORDS.silent
    if (track.config.length > MAX_CONFIG) throw WORDS.unknown
    const timeline = timelineOf(track)
    const { keepsTime, secondsInFile } = timeline
    return { kind: 'sound', recording: recordingOf(track, timeline), keepsTime, secondsInFile }
  } catch (error) {
    const { why, message } = error instanceof Unreadable ? error : cutOff()
    return { kind: 'unreadable', why, detail: message }
  }
}

function readerOf(file: Uint8Array): typeof soundOfMp4 | null {
  const says = (from: number, to: number): string => String.fromCharCode(...file.subarray(from, to))
  if (says(0, 4) === EBML) return soundOfMatroska
  return MP4.has(says(4, 8)) ? soundOfMp4 : null
}

function recordingOf(track: SoundTrack, { ends }: Timeline): Recording {
  switch (track.coding) {
    case 'aac':
      return { bytes: m4aOf(track), media: 'audio/mp4' }
    case 'mp3': {
      const bytes = new Uint8Array(track.packets.bytes)
      track.packets.copyTo(bytes, 0)
      return { bytes, media: 'audio/mpeg' }
    }
    default:
      return { bytes: oggOf(track, ends), media: 'audio/ogg' }
  }
}
