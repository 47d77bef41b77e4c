/** How the sound of a track of MP4 or QuickTime is coded, by its sample entry. */
import { aacConfigOf } from './aac'
import { type Box, boxAt, boxesIn } from './boxes'
import type { SoundFormat } from './packets'

const ENTRY = 28 // bytes of a sound's entry before its boxes
const QUICKTIME: readonly number[] = [0, 16, 36] // more of them, by the version of QuickTime's own
const AAC: ReadonlySet<number> = new Set([0x40, 0x66, 0x67, 0x68])
const MP3: ReadonlySet<number> = new Set([0x69, 0x6b])
const OPUS_RATE = 48_000
const MAX_MAPPING = 257 // bytes that say which stream is which channel

/** Null: in a way that is not read. */
export type Entry = SoundFormat | 'encrypted' | null

/** `stsd`: of which the first entry counts. */
export function entryOf(view: DataView, stsd: Box): Entry {
  const [box] = boxesIn(view, { start: stsd.start + 8, end: stsd.end })
  if (!box) return null
  // In MP4 a version of 1 means nothing here, and is said in the box around it, too.
  const version = view.getUint8(stsd.start) === 0 ? view.getUint16(box.start + 8) : 0
  const channels = view.getUint16(box.start + 16)
  const rate = view.getUint16(box.start + 24)
  const inside = { start: box.start + ENTRY + (QUICKTIME[version] ?? 0), end: box.end }
  switch (box.name) {
    case 'mp4a': {
      const esds = boxAt(view, inside, 'esds') ?? boxAt(view, inside, 'wave', 'esds')
      return esds ? describedIn(view, esds, { channels, rate }) : null
    }
    case '.mp3':
      return { coding: 'mp3', config: new Uint8Array(), rate, channels }
    case 'Opus': {
      const dOps = boxAt(view, inside, 'dOps')
      return dOps ? opusOf(view, dOps) : null
    }
    case 'enca':
      return 'encrypted'
    default:
      return null
  }
}

/** The descriptors of MPEG-4: one in the other, each with its tag, its length and what it says. */
function describedIn(view: DataView, esds: Box, { channels, rate }: Pick<SoundFormat, 'channels' | 'rate'>): Entry {
  let at = esds.start + 4
  const into = (tag: number): number => {
    if (view.getUint8(at++) !== tag) return -1
    let length = 0
    for (let n = 0, more = true; n < 4 && more; n++) {
      const byte = view.getUint8(at++)
      length = length * 128 + (byte & 0x7f)
      more = byte > 0x7f
    }
    return at + length <= esds.end ? length : -1
  }
  if (into(3) < 0) return null
  const flags = view.getUint8(at + 2)
  at += 3 + (flags & 0x80 ? 2 : 0)
  if (flags & 0x40) at += 1 + view.getUint8(at)
  if (flags & 0x20) at += 2
  if (into(4) < 0) return null
  const kind = view.getUint8(at)
  if (MP3.has(kind)) return { coding: 'mp3', config: new Uint8Array(), rate, channels }
  at += 13
  const length = into(5)
  if (!AAC.has(kind) || length < 0) return null
  const config = new Uint8Array(view.buffer, view.byteOffset + at, length)
  const said = aacConfigOf(config)
  return said && { coding: 'aac', config, rate: said.rate, channels: said.channels || channels }
}

/** Its header as Ogg has it (RFC 7845), in which numbers begin with their least byte. */
function opusOf(view: DataView, { start, end }: Box): Entry {
  const mapping = view.getUint8(start + 10) === 0 ? 0 : end - start - 11
  if (mapping > MAX_MAPPING) return null
  const config = new Uint8Array(19 + mapping)
  config.set(new TextEncoder().encode('OpusHead\u0001'))
  const out = new DataView(config.buffer)
  const channels = view.getUint8(start + 1)
  out.setUint8(9, channels)
  out.setUint16(10, view.getUint16(start + 2), true)
  out.setUint32(12, view.getUint32(start + 4), true)
  out.setInt16(16, view.getInt16(start + 8), true)
  out.setUint8(18, view.getUint8(start + 10))
  for (let n = 0; n < mapping; n++) out.setUint8(19 + n, view.getUint8(start + 11 + n))
  return { coding: 'opus', config, rate: OPUS_RATE, channels }
}
