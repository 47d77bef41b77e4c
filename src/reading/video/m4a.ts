/** Packets of AAC as an M4A (ISO/IEC 14496-12 and -14): as plain as the format allows, with all packets in one chunk. */
import { aacConfigOf } from './aac'
import type { SoundTrack } from './packets'

const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
const LANGUAGE = 0x55c40000 // none
const MAX_RATE = 0xffff // that the entry can say

export function m4aOf({ config, channels, packets }: SoundTrack): Uint8Array<ArrayBuffer> {
  const { rate, samples } = aacConfigOf(config) ?? { rate: 1, samples: 0 }
  const length = packets.count * samples
  const head = (offset: number): Uint8Array => {
    const entry = box('mp4a', u32(0, 1, 0, 0, (channels << 16) | 16, 0, rate > MAX_RATE ? 0 : rate * 0x10000), esds(config))
    const tables = box(
      'stbl',
      box('stsd', u32(0, 1), entry),
      box('stts', u32(0, 1, packets.count, samples)),
      box('stsc', u32(0, 1, 1, packets.count, 1)),
      box('stsz', u32(0, 0, packets.count), sizesOf(packets)),
      box('stco', u32(0, 1, offset)),
    )
    const where = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))))
    const media = box(
      'mdia',
      box('mdhd', u32(0, 0, 0, rate, length, LANGUAGE)),
      box('hdlr', u32(0, 0), ascii('soun'), u32(0, 0, 0), new Uint8Array(1)),
      box('minf', box('smhd', u32(0, 0)), where, tables),
    )
    const track = box('tkhd', u32(7, 0, 0, 1, 0, length, 0, 0, 0, 0x01000000, ...MATRIX, 0, 0))
    const movie = box('mvhd', u32(0, 0, 0, rate, length, 0x10000, 0x01000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2))
    return joined([box('ftyp', ascii('M4A '), u32(0), ascii('M4A isom')), box('moov', movie, box('trak', track, media))])
  }
  const before = head(head(0).length + 8)
  const whole = new Uint8Array(before.length + 8 + packets.bytes)
  whole.set(before)
  whole.set(joined([u32(packets.bytes + 8), ascii('mdat')]), before.length)
  packets.copyTo(whole, before.length + 8)
  return whole
}

function sizesOf(packets: SoundTrack['packets']): Uint8Array {
  const view = new DataView(new ArrayBuffer(packets.count * 4))
  for (let n = 0; n < packets.count; n++) view.setUint32(n * 4, packets.size(n))
  return new Uint8Array(view.buffer)
}

/** The descriptors of MPEG-4: a stream, how it is decoded, what a decoder is told first. */
function esds(config: Uint8Array): Uint8Array {
  const own = described(5, config)
  const decoder = described(4, new Uint8Array([0x40, 0x15, 0, 0, 0]), u32(0, 0), own)
  return box('esds', u32(0), described(3, new Uint8Array([0, 1, 0]), decoder, described(6, new Uint8Array([2]))))
}

function described(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const inside = joined(content)
  const length = [21, 14, 7, 0].map((shift) => ((inside.length >> shift) & 0x7f) | (shift > 0 ? 0x80 : 0))
  return joined([new Uint8Array([tag, ...length]), inside])
}

function box(name: string, ...content: readonly Uint8Array[]): Uint8Array {
  const inside = joined(content)
  return joined([u32(inside.length + 8), ascii(name), inside])
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function u32(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  for (const [n, value] of values.entries()) view.setUint32(n * 4, value)
  return new Uint8Array(view.buffer)
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
