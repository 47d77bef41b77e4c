/** The chain of receipts, read completely and checked in the browser. */
import { walked } from '../../../src/client/client'
import {
  type ChainFault,
  type ChainLink,
  chainedText,
  followChain,
  joinChains,
  linkBefore,
  notedHashes,
} from '../../../src/core/receipt-chain'
import { corpusAt } from '../shared/loam'

const MAX_FAULTS = 5 // shown at once
const WORDS: { readonly [fault in ChainFault]: string } = {
  out_of_order: 'is out of order.',
  hash: 'does not follow from the one before it.',
  state: 'does not lead to its state.',
}

export interface Chain {
  readonly receipts: number
  readonly version: number
  /** Hash of the last receipt; of a corpus in partitions that of each, joined by commas. */
  readonly head: string
  /** The version whose receipt has the noted hash; null: none has. */
  readonly noted: number | null
  readonly faults: readonly string[]
}

interface Options {
  readonly noted: string
  readonly progress: (read: number) => void
  readonly signal: AbortSignal
}

/** Reads all receipts; the rules are those of docs/verify.md, except for the rows, which only an export has. */
export async function chainOf(corpus: string, { noted, progress, signal }: Options): Promise<Chain> {
  const chains = new Map<number, ChainLink>()
  const wanted = notedHashes(noted)
  let [upto, read] = [0, 0]
  const faults: string[] = []
  for await (const one of walked((paging) => corpusAt(corpus, signal).receipts({ ...paging, limit: 200 }))) {
    const { version, partition } = one
    const before = linkBefore(chains, one)
    const next = followChain(before, one, await sha256(chainedText(before, one)))
    chains.set(partition ?? 0, next.link)
    const where = partition === undefined ? '' : ` of partition ${partition}`
    faults.push(...next.faults.map((fault) => `The receipt of version ${version}${where} ${WORDS[fault]}`))
    if (wanted.delete(one.hash)) upto += version
    if (++read % 200 === 0) progress(read)
  }
  const { receipts, version, hash: head } = joinChains(chains)
  progress(receipts)
  return { receipts, version, head, noted: noted === '' || wanted.size > 0 ? null : upto, faults: faults.slice(0, MAX_FAULTS) }
}

async function sha256(text: string): Promise<string> {
  // Browsers offer hashing only to pages loaded over https or from this machine.
  if (!globalThis.crypto?.subtle)
    throw new Error('Without https this browser cannot compute hashes. `loam receipts --check` does the same.')
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
