/**
 * The chain of receipts, followed from the first to the last: does each follow from the one before, and does its state? The rules stand in
 * docs/verify.md. Who follows it brings the hashes: a browser computes them asynchronously.
 */
import { canonicalJson } from './canonical-json'
import type { Json } from './graph/types'

const GENESIS = '0'.repeat(64)
const MODULUS = 1n << 256n

export interface ChainedReceipt {
  readonly version: number
  /** The partition whose chain it is in; absent: the corpus has one chain. */
  readonly partition?: number | undefined
  /** `state` less the `state` before. */
  readonly change: string
  readonly state: string
  readonly hash: string
}

/** How far the chain was followed. */
export interface ChainLink {
  readonly hash: string
  readonly state: bigint
  readonly version: number
  readonly receipts: number
}

export const chainStart: ChainLink = { hash: GENESIS, state: 0n, version: 0, receipts: 0 }

/** out_of_order: a version is missing or repeated · hash: it does not follow from the one before · state: its change does not lead to its state */
export type ChainFault = 'out_of_order' | 'hash' | 'state'

/** What a receipt's `hash` is the SHA-256 of. */
export function chainedText(before: ChainLink, { hash: _, partition: __, ...receipt }: ChainedReceipt): string {
  return `${before.hash}\n${canonicalJson(receipt as { readonly [name: string]: Json })}`
}

/** The chains of a corpus's partitions, each under its number; of a corpus without, one under 0. */
export type Chains = ReadonlyMap<number, ChainLink>

/** The link that a receipt must follow. */
export const linkBefore = (chains: Chains, { partition = 0 }: ChainedReceipt): ChainLink => chains.get(partition) ?? chainStart

/**
 * All chains as one: the sums of their versions, receipts and states. `hash`: the partitions' last hashes joined by commas, where there are
 * partitions.
 */
export function joinChains(chains: Chains, partitions = 1): ChainLink {
  const count = Math.max(partitions, 1, ...[...chains.keys()].map((partition) => partition + 1))
  const links = Array.from({ length: count }, (_, partition) => chains.get(partition) ?? chainStart)
  return {
    hash: links.map(({ hash }) => hash).join(),
    state: links.reduce((sum, { state }) => (sum + state) % MODULUS, 0n),
    version: links.reduce((sum, { version }) => sum + version, 0),
    receipts: links.reduce((sum, one) => sum + one.receipts, 0),
  }
}

/** Hashes noted earlier that must still be found: one, or those of all partitions joined by commas. A partition without receipts has none. */
export const notedHashes = (text: string): Set<string> => new Set(text.split(',').filter((hash) => hash !== '' && hash !== GENESIS))

/** `computed`: the SHA-256 of its text, in hexadecimal digits. */
export function followChain(
  before: ChainLink,
  receipt: ChainedReceipt,
  computed: string,
): { readonly link: ChainLink; readonly faults: readonly ChainFault[] } {
  const { version, hash } = receipt
  const [change, state] = [numberOf(receipt.change), numberOf(receipt.state)]
  const faults: ChainFault[] = []
  if (before.receipts > 0 && version !== before.version + 1) faults.push('out_of_order')
  if (computed !== hash) faults.push('hash')
  if ((before.state + change) % MODULUS !== state) faults.push('state')
  return { link: { hash, state, version, receipts: before.receipts + 1 }, faults }
}

/** A sum of hashes, less what goes beyond 256 bits. */
export const addHash = (sum: bigint, digits: string): bigint => (sum + BigInt(`0x${digits}`)) % MODULUS

/** No hash is negative. */
function numberOf(digits: string): bigint {
  return /^[0-9a-f]{64}$/.test(digits) ? BigInt(`0x${digits}`) : -1n
}
