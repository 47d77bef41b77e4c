/**
 * The encoder's file (encoder/README.md): a magic number, the length of a JSON header, the header, and the data it describes: one scale per row,
 * one rarity per row, the vocabulary in UTF-16, and the rows as int8. Nothing but the vocabulary is copied. Made by encoder/pack.py.
 */
import { type Vocabulary, vocabulary } from './wordpiece'

const MAGIC = 'LOAMENC\n'

/** What a piece counts for, by where and in what form it occurs; each list is indexed by a class. */
export interface Weights {
  readonly positions: readonly number[]
  readonly capitals: readonly number[]
  readonly repeats: readonly number[]
  readonly kinds: readonly number[]
  readonly identity: { readonly split: number; readonly whole: number; readonly lower: number; readonly foreign: number }
}

export interface Header {
  readonly version: number
  readonly name: string
  readonly dimensions: number
  readonly rows: number
  readonly vocabulary: number // code units
  readonly sha256: string // of everything after the header
  readonly weights: Weights
}

export interface Artefact {
  readonly header: Header
  readonly vocabulary: Vocabulary
  readonly scales: Float32Array
  readonly rarity: Uint8Array // 255: as rare as a piece can be
  readonly codes: Int8Array
  readonly payload: Uint8Array
}

export function readArtefact(bytes: ArrayBuffer): Artefact {
  const magic = characters(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, MAGIC.length)))
  if (magic !== MAGIC) throw new Error('not an encoder file')
  const headerLength = new DataView(bytes).getUint32(MAGIC.length, true)
  const start = MAGIC.length + 4
  const header = JSON.parse(characters(new Uint8Array(bytes, start, headerLength))) as Header
  if (header.version !== 1) throw new Error(`encoder file of version ${header.version}; this build reads version 1`)
  let at = start + headerLength
  const payload = new Uint8Array(bytes, at)
  const expected = header.rows * (4 + header.dimensions + 1) + header.vocabulary * 2
  if (payload.length !== expected) throw new Error(`encoder file is truncated: ${payload.length} bytes instead of ${expected}`)
  const take = (length: number) => {
    at += length
    return at - length
  }
  const scales = new Float32Array(bytes, take(header.rows * 4), header.rows)
  const units = new Uint16Array(bytes, take(header.vocabulary * 2), header.vocabulary)
  const rarity = new Uint8Array(bytes, take(header.rows), header.rows)
  const codes = new Int8Array(bytes, take(header.rows * header.dimensions), header.rows * header.dimensions)
  return { header, vocabulary: vocabulary(characters(units).split('\n')), scales, rarity, codes, payload }
}

function characters(units: Uint8Array | Uint16Array): string {
  let out = ''
  for (let i = 0; i < units.length; i += 4096) out += String.fromCharCode(...units.subarray(i, i + 4096))
  return out
}
