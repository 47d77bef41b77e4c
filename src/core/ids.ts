/**
 * Ids that name content: a letter for the kind and 128 bits of SHA-256 over the parts, base64url. 24 bytes, no colon.
 * The same content always has the same id, by whichever insert and at whatever time.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { sha256Words } from './algorithms/sha256'

const LETTER = {
  document: 'd',
  chunk: 'c',
  passage: 'p',
  unit: 'u',
  entity: 'e',
  keyword: 'k',
  label: 'l',
  summary: 's',
  community: 'm',
} as const
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const BEYOND_ASCII = /[\u0080-\uffff]/
const KIND: { readonly [letter: string]: keyof typeof LETTER } = Object.fromEntries(
  Object.entries(LETTER).map(([kind, letter]) => [letter, kind as keyof typeof LETTER]),
)

/** 128 bits of SHA-256 over the parts, each preceded by its length so that no two lists of parts collide; 22 characters. */
export function fingerprint(...parts: readonly (string | number)[]): string {
  let all = ''
  for (const part of parts) {
    const text = String(part)
    all += `${BEYOND_ASCII.test(text) ? utf8ToBytes(text).length : text.length}:${text}`
  }
  return base64url(sha256Words(all))
}

/** e.g. `c_0Jq…` for a chunk. */
export function nodeId(kind: keyof typeof LETTER, ...parts: readonly (string | number)[]): string {
  return `${LETTER[kind]}_${fingerprint(...parts)}`
}

/**
 * Passages and units are parts of a chunk, and their ids say so: the chunk's fingerprint and their place in it, e.g.
 * `p_0Jq….3`. So a part is found by one read of its chunk, and no index of parts is needed.
 */
export function passageId(chunk: string, ordinal: number): string {
  return `${LETTER.passage}_${chunk.slice(2)}.${ordinal.toString(36)}`
}

export function unitId(chunk: string, ordinal: number): string {
  return `${LETTER.unit}_${chunk.slice(2)}.${ordinal.toString(36)}`
}

/** The chunk a passage or unit is part of; a chunk's own id is given back. */
export function chunkOf(id: string): string {
  const dot = id.indexOf('.')
  return `${LETTER.chunk}_${dot < 0 ? id.slice(2) : id.slice(2, dot)}`
}

/** Which passage or unit of its chunk an id names, from 0; −1 for an id that names no part. */
export function ordinalOf(id: string): number {
  const dot = id.indexOf('.')
  return dot < 0 ? -1 : Number.parseInt(id.slice(dot + 1), 36)
}

/** The kind an id of ours names, or undefined for a stranger's. */
export function kindOf(id: string): keyof typeof LETTER | undefined {
  return id[1] === '_' ? KIND[id[0] ?? ''] : undefined
}

/** Of the first 128 bits. */
function base64url(words: Int32Array): string {
  let out = ''
  for (let bit = 0; bit < 128; bit += 6) {
    const [at, within] = [bit >> 5, bit & 31]
    const [high = 0, low = 0] = [words[at], at < 3 ? words[at + 1] : 0]
    const bits = within <= 26 ? high >>> (26 - within) : (high << (within - 26)) | (low >>> (58 - within))
    out += ALPHABET[bits & 63]
  }
  return out
}
