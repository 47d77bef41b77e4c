/** Packets of Opus or Vorbis as Ogg (RFC 3533, RFC 7845): the same packets give the same bytes, so that nobody pays for them twice. */
import { cutOff, type SoundTrack } from './packets'

const HEAD = 27 // bytes of a page before the lengths of its segments
const SEGMENTS = 255 // of a page
const SEGMENT = 255 // bytes
const CONTINUED = 1 // flags of a page
const FIRST = 2
const LAST = 4
const NO_TIME = 0xffffffffffffffffn // of a page on which no packet ends
const NAME = 'loam'

export function oggOf({ coding, config, rate, packets }: SoundTrack, ends: Float64Array): Uint8Array<ArrayBuffer> {
  const headers = coding === 'opus' ? [config, opusTags()] : vorbisHeaders(config)
  const lengths = headers.reduce((sum, { length }) => sum + length, packets.bytes)
  const segments = lengths / SEGMENT + packets.count + headers.length
  const pages = pagesInto(new Uint8Array(Math.ceil(lengths + segments + HEAD * (segments / SEGMENTS + headers.length + 2))))
  for (const header of headers) {
    pages.packet(header, 0)
    pages.end()
  }
  for (let n = 0; n < packets.count; n++) pages.packet(packets.data(n), Math.round((ends[n] ?? 0) * rate))
  return pages.last()
}

interface Pages {
  /** `time`: samples that have been heard when it ends. */
  packet(data: Uint8Array, time: number): void
  /** What follows begins a page. */
  end(): void
  last(): Uint8Array<ArrayBuffer>
}

function pagesInto(whole: Uint8Array<ArrayBuffer>): Pages {
  const view = new DataView(whole.buffer)
  const lacing: number[] = []
  const body = new Uint8Array(SEGMENTS * SEGMENT)
  let [at, filled, number, time, isContinued] = [0, 0, 0, NO_TIME, false]

  function flush(flags: number, continues: boolean): void {
    whole.set([0x4f, 0x67, 0x67, 0x53, 0, flags | (isContinued ? CONTINUED : 0) | (number === 0 ? FIRST : 0)], at)
    view.setBigUint64(at + 6, time, true)
    view.setUint32(at + 18, number++, true)
    whole[at + 26] = lacing.length
    whole.set(lacing, at + HEAD)
    whole.set(body.subarray(0, filled), at + HEAD + lacing.length)
    const end = at + HEAD + lacing.length + filled
    view.setUint32(at + 22, checksum(whole.subarray(at, end)), true)
    at = end
    lacing.length = 0
    filled = 0
    time = NO_TIME
    isContinued = continues
  }

  return {
    packet(data, ends) {
      for (let from = 0; from <= data.length; from += SEGMENT) {
        if (lacing.length === SEGMENTS) flush(0, from > 0)
        const segment = data.subarray(from, from + SEGMENT)
        body.set(segment, filled)
        filled += segment.length
        lacing.push(segment.length)
      }
      time = BigInt(ends)
    },
    end: () => flush(0, false),
    last() {
      flush(LAST, false)
      return whole.subarray(0, at)
    },
  }
}

/** Who has written it, and no remarks. */
function opusTags(): Uint8Array {
  const view = new DataView(new ArrayBuffer(16 + NAME.length))
  const tags = new Uint8Array(view.buffer)
  tags.set(new TextEncoder().encode('OpusTags'))
  view.setUint32(8, NAME.length, true)
  tags.set(new TextEncoder().encode(NAME), 12)
  return tags
}

/** Three, behind the number two and the lengths of the first two. */
function vorbisHeaders(config: Uint8Array): Uint8Array[] {
  let at = 1
  const lengthAt = (): number => {
    let length = 0
    for (let byte = 255; byte === 255; length += byte) byte = config[at++] ?? 0
    return length
  }
  const [first, second] = [lengthAt(), lengthAt()]
  if (at + first + second >= config.length) throw cutOff()
  return [config.subarray(at, at + first), config.subarray(at + first, at + first + second), config.subarray(at + first + second)]
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})

function checksum(page: Uint8Array): number {
  let sum = 0
  for (const byte of page) sum = (sum << 8) ^ (TABLE[(sum >>> 24) ^ byte] ?? 0)
  return sum >>> 0
}
