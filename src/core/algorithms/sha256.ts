/**
 * SHA-256 of a text in UTF-8, synchronously. A commit hashes thousands of short texts (ids, rows of the state): one hasher serves them all, which
 * saves making one for each.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

const fresh = sha256.create()
const hasher = sha256.create()
const digest = new Uint8Array(fresh.outputLen)
const words = new DataView(digest.buffer)
const hash = new Int32Array(digest.length / 4)

/** Eight words, the highest first. They are valid until the next call. */
export function sha256Words(text: string): Int32Array {
  fresh._cloneInto(hasher)
  hasher.update(utf8ToBytes(text)).digestInto(digest)
  for (let i = 0; i < hash.length; i++) hash[i] = words.getInt32(4 * i)
  return hash
}

/** Hex of the first `words` words. */
export function sha256Hex(text: string, words = 8): string {
  let hex = ''
  for (const word of sha256Words(text).subarray(0, words)) hex += (word >>> 0).toString(16).padStart(8, '0')
  return hex
}
