/** Writes a PNG, grey or in colour, as simply as the format allows. The platform compresses it. */

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const GREY = 0
const COLOUR = 2

export interface Points {
  readonly width: number
  readonly height: number
  /** Bytes of a point: grey, or red, green and blue. */
  readonly channels: 1 | 3
  readonly data: Uint8Array
}

export async function pngOf({ width, height, channels, data }: Points): Promise<Uint8Array<ArrayBuffer>> {
  const row = width * channels
  const rows = new Uint8Array((row + 1) * height) // each begins with its filter: none
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'))
  const body = new Uint8Array(await new Response(packed).arrayBuffer())
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  head.set([8, channels === 1 ? GREY : COLOUR, 0, 0, 0], 8)
  const parts = [new Uint8Array(SIGNATURE), chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', new Uint8Array())]
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const whole = new Uint8Array(data.length + 12)
  const view = new DataView(whole.buffer)
  view.setUint32(0, data.length)
  for (let i = 0; i < 4; i++) whole[4 + i] = name.charCodeAt(i)
  whole.set(data, 8)
  view.setUint32(data.length + 8, crc32(whole.subarray(4, data.length + 8)))
  return whole
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
