/**
 * The state of a corpus in 256 bits: the sum, modulo 2²⁵⁶, of the SHA-256 of every row that an export carries (documents, chunks, derived nodes,
 * and the edges that leave the object). A change costs only the hashes of the rows it changes; anyone who has the rows can add them up again. It
 * detects accidents and edits. It is no proof against someone who can choose many rows at will (sums of hashes can be forged with about 2³² work)
 * or who rewrites the whole chain of receipts: against that, note the last hash elsewhere.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { sha256Hex, sha256Words } from '../algorithms/sha256'
import { canonicalJson } from '../canonical-json'
import type { Chunk, DocumentRecord, Edge, EdgeKind, GraphNode } from './types'

/** 256 bits, the first word the lowest. */
export type Sum = Uint32Array

const WORDS = 8
const EXPORTED: ReadonlySet<EdgeKind> = new Set<EdgeKind>(['relates', 'member', 'indicates', 'links'])

export function noSum(): Sum {
  return new Uint32Array(WORDS)
}

export function isExported(kind: EdgeKind): boolean {
  return EXPORTED.has(kind)
}

export function documentRow({ id, title, url, metadata, chunks }: Omit<DocumentRecord, 'name'>): string {
  return row(canonicalJson(['document', id, title, url, metadata, chunks.map(({ chunk, start }) => [chunk, start])]))
}

export function chunkRow({ id, title, text, tokens, own }: Pick<Chunk, 'id' | 'title' | 'text' | 'tokens' | 'own'>): string {
  return row(canonicalJson(['chunk', id, title, text, tokens, own]))
}

export function nodeRow({ id, kind, layer, text, tokens, stale, data }: Omit<GraphNode, 'vector' | 'sum'>): string {
  return row(canonicalJson(['node', id, kind, layer, text, tokens, stale === true, data]))
}

/** A weight counts to 24 bits: SQLite reads decimal fractions slightly inexactly. */
export function edgeRow({ kind, source, target, weight, data }: Edge): string {
  return row(canonicalJson(['edge', kind, source, target, Math.fround(weight), data ?? null]))
}

/** Unpaired surrogates become the replacement character on their way through a database: a run of either counts as one. */
function row(line: string): string {
  return line.includes('\\ud') || line.includes('\uFFFD') ? line.replaceAll(/(?:\\ud[89a-f][0-9a-f]{2}|\uFFFD)+/g, '\uFFFD') : line
}

/** Adds a row's hash to the sum, or subtracts it. In place. */
export function count(sum: Sum, line: string, sign: 1 | -1): void {
  const hash = sha256Words(line)
  add(sum, (i) => (hash[WORDS - 1 - i] ?? 0) >>> 0, sign)
}

export function plus(a: Sum, b: Sum): Sum {
  const out = a.slice()
  add(out, (i) => b[i] ?? 0, 1)
  return out
}

export function minus(a: Sum, b: Sum): Sum {
  const out = a.slice()
  add(out, (i) => b[i] ?? 0, -1)
  return out
}

function add(sum: Sum, word: (i: number) => number, sign: 1 | -1): void {
  let carry = 0
  for (let i = 0; i < WORDS; i++) {
    const total = (sum[i] ?? 0) + sign * word(i) + carry
    sum[i] = total // modulo 2³²
    carry = Math.floor(total / 2 ** 32)
  }
}

/** 64 hex digits, the highest first. */
export function hexOf(sum: Sum): string {
  const bytes = new Uint8Array(4 * WORDS)
  const view = new DataView(bytes.buffer)
  sum.forEach((word, i) => {
    view.setUint32(4 * (WORDS - 1 - i), word)
  })
  return bytesToHex(bytes)
}

export function sumOf(hex: string): Sum {
  const view = new DataView(hexToBytes(hex).buffer)
  return Uint32Array.from({ length: WORDS }, (_, i) => view.getUint32(4 * (WORDS - 1 - i)))
}

/** Binds a receipt to all before it: SHA-256 over the previous hash and the receipt in canonical form, 64 hex digits. */
export function linked(before: string, receipt: Parameters<typeof canonicalJson>[0]): string {
  return sha256Hex(`${before}\n${canonicalJson(receipt)}`)
}
