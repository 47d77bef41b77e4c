/** One number for a whole graph: the sum of its lines' hashes, so that the order in which they are read does not matter. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const BITS = 128n

/** 32 hex digits. Two graphs with equal hashes hold the same documents, chunks, vectors, nodes, edges, places and values. */
export function stateHash(lines: Iterable<string>): string {
  let sum = 0n
  for (const line of lines) sum += BigInt(`0x${bytesToHex(sha256(utf8ToBytes(line)).subarray(0, Number(BITS) / 8))}`)
  return (sum % (1n << BITS)).toString(16).padStart(Number(BITS) / 4, '0')
}
