/**
 * Ids that name content: a letter for the kind and 128 bits of SHA-256 over the parts, base64url. 24 bytes, no colon.
 * The same content always has the same id, by whichever insert and at whatever time.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

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
  return base64url(sha256(utf8ToBytes(all)).subarray(0, 16))
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

function base64url(bytes: Uint8Array): string {
  let out = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const length = Math.min(4, bytes.length - at + 1)
    for (let place = 0; place < length; place++) out += ALPHABET[(bits >> (18 - 6 * place)) & 63]
  }
  return out
}
