/** The tracks of a WebM or Matroska file. */
import { aacConfigOf } from './aac'
import { type Element, elementsIn, floatIn, partsIn, wholeIn } from './ebml'
import type { SoundFormat } from './packets'

const TRACK = 0xae
const NUMBER = 0xd7
const TYPE = 0x83
const CODEC = 0x86
const CONFIG = 0x63a2
const DURATION = 0x23e383
const ENCODINGS = 0x6d80
const ENCODING = 0x6240
const ENCRYPTION = 0x5035
const AUDIO = 0xe1
const RATE = 0xb5
const CHANNELS = 0x9f
const OF_TRACK = [NUMBER, TYPE, CODEC, CONFIG, DURATION, ENCODINGS, AUDIO]
const SOUND = 2 // of its types
const OPUS_RATE = 48_000

export interface MatroskaTrack extends SoundFormat {
  readonly number: number
  /** Seconds of a packet; 0: it does not say. */
  readonly duration: number
}

/** The first track of sound that is read; else why there is none. */
export function trackIn(file: Uint8Array, tracks: Element): MatroskaTrack | 'silent' | 'encrypted' | 'unknown' {
  let why: 'silent' | 'encrypted' | 'unknown' = 'silent'
  for (const entry of elementsIn(file, tracks)) {
    if (entry.id !== TRACK) continue
    const said = partsIn(file, entry, OF_TRACK)
    const whole = (id: number): number => numberOf(file, said.get(id))
    if (whole(TYPE) !== SOUND) continue
    const format = isPlain(file, said.get(ENCODINGS)) ? formatOf(file, said) : 'encrypted'
    if (format && format !== 'encrypted') return { ...format, number: whole(NUMBER), duration: whole(DURATION) / 1e9 }
    if (why !== 'encrypted') why = format ?? 'unknown'
  }
  return why
}

const numberOf = (file: Uint8Array, element: Element | undefined): number => (element ? wholeIn(file, element) : 0)

function isPlain(file: Uint8Array, encodings: Element | undefined): boolean {
  const encoding = partsIn(file, encodings, [ENCODING]).get(ENCODING)
  return !partsIn(file, encoding, [ENCRYPTION]).has(ENCRYPTION)
}

function formatOf(file: Uint8Array, said: ReadonlyMap<number, Element>): SoundFormat | null {
  const [codec, private_, audio] = [said.get(CODEC), said.get(CONFIG), said.get(AUDIO)]
  if (!codec || said.has(ENCODINGS)) return null // packed, as few are
  const inside = partsIn(file, audio, [RATE, CHANNELS])
  const [stated, channels] = [inside.get(RATE), numberOf(file, inside.get(CHANNELS)) || 1]
  const rate = Math.round(stated ? floatIn(file, stated) : 8000)
  const config = private_ ? file.subarray(private_.start, private_.end) : new Uint8Array()
  switch (new TextDecoder().decode(file.subarray(codec.start, Math.min(codec.end, codec.start + 32))).replace(/\0+$/, '')) {
    case 'A_AAC': {
      const own = aacConfigOf(config)
      return own && { coding: 'aac', config, rate: own.rate, channels: own.channels || channels }
    }
    case 'A_OPUS':
      return config.length < 19 ? null : { coding: 'opus', config, rate: OPUS_RATE, channels }
    case 'A_VORBIS':
      return config[0] !== 2 || rate <= 0 ? null : { coding: 'vorbis', config, rate, channels }
    case 'A_MPEG/L3':
      return { coding: 'mp3', config: new Uint8Array(), rate, channels }
    default:
      return null
  }
}
