/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, at once. A commit hashes thousands of short texts (ids, rows of the state): this takes a third to three quarters
 * of the time of a general implementation, which makes an object, a copy of the text and a view for each. Longer texts are left to that.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

const BLOCK = 16 // words
const MAX_BYTES = 1024 // hashed here
// biome-ignore format: as the standard prints them
const K = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
  0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
)
// biome-ignore format: one line
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

const hash = new Int32Array(8)
const schedule = new Int32Array(64)
const message = new Int32Array(MAX_BYTES / 4 + 2 * BLOCK)

/** Eight words, the first the highest. They hold until the next call. */
export function sha256Words(text: string): Int32Array {
  const length = text.length <= MAX_BYTES ? (readAscii(text) ?? readBytes(utf8ToBytes(text))) : undefined
  if (length === undefined) return wordsOf(sha256(utf8ToBytes(text)))
  const words = pad(length)
  hash.set(START)
  for (let at = 0; at < words; at += BLOCK) compress(at)
  return hash
}

/** Of the first so many words. */
export function sha256Hex(text: string, words = 8): string {
  let hex = ''
  for (const word of sha256Words(text).subarray(0, words)) hex += (word >>> 0).toString(16).padStart(8, '0')
  return hex
}

/** Returns the number of bytes; undefined: another character came. */
function readAscii(text: string): number | undefined {
  let word = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return undefined
    word = (word << 8) | code
    if ((i & 3) === 3) message[i >> 2] = word
  }
  if ((text.length & 3) !== 0) message[text.length >> 2] = word << (32 - 8 * (text.length & 3))
  return text.length
}

function readBytes(bytes: Uint8Array): number | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  message.fill(0, 0, (bytes.length >> 2) + 1)
  for (const [i, byte] of bytes.entries()) message[i >> 2] = (message[i >> 2] ?? 0) | (byte << (24 - 8 * (i & 3)))
  return bytes.length
}

/** A one, zeros, and the length in bits; returns the number of words. */
function pad(bytes: number): number {
  const last = bytes >> 2
  const words = (((bytes + 8) >> 6) + 1) * BLOCK
  const place = bytes & 3
  message[last] = (place === 0 ? 0 : (message[last] ?? 0)) | (0x80 << (24 - 8 * place))
  message.fill(0, last + 1, words - 1)
  message[words - 1] = bytes * 8
  return words
}

function compress(from: number): void {
  for (let i = 0; i < BLOCK; i++) schedule[i] = message[from + i] as number
  for (let i = BLOCK; i < 64; i++) {
    const x = schedule[i - 15] as number
    const y = schedule[i - 2] as number
    const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    schedule[i] = (large + (schedule[i - 7] as number) + small + (schedule[i - 16] as number)) | 0
  }
  let a = hash[0] as number
  let b = hash[1] as number
  let c = hash[2] as number
  let d = hash[3] as number
  let e = hash[4] as number
  let f = hash[5] as number
  let g = hash[6] as number
  let h = hash[7] as number
  for (let i = 0; i < 64; i++) {
    const high = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const chosen = g ^ (e & (f ^ g))
    const one = (h + high + chosen + (K[i] as number) + (schedule[i] as number)) | 0
    const low = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const two = (low + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  hash[0] = (hash[0] as number) + a
  hash[1] = (hash[1] as number) + b
  hash[2] = (hash[2] as number) + c
  hash[3] = (hash[3] as number) + d
  hash[4] = (hash[4] as number) + e
  hash[5] = (hash[5] as number) + f
  hash[6] = (hash[6] as number) + g
  hash[7] = (hash[7] as number) + h
}

function wordsOf(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return hash.map((_, i) => view.getInt32(4 * i))
}
