/** The chain of receipts, read completely and checked in the browser. */
import { walked } from '../../../src/client/client'
import { type ChainFault, type ChainLink, chainedText, chainStart, followChain } from '../../../src/core/receipt-chain'
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
  /** Hash of the last receipt. */
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
  let link: ChainLink = chainStart
  let found: number | null = null
  const faults: string[] = []
  for await (const one of walked((paging) => corpusAt(corpus, signal).receipts({ ...paging, limit: 200 }))) {
    const next = followChain(link, one, await sha256(chainedText(link, one)))
    link = next.link
    faults.push(...next.faults.map((fault) => `The receipt of version ${one.version} ${WORDS[fault]}`))
    if (one.hash === noted) found = one.version
    if (link.receipts % 200 === 0) progress(link.receipts)
  }
  const { receipts, version, hash: head } = link
  progress(receipts)
  return { receipts, version, head, noted: found, faults: faults.slice(0, MAX_FAULTS) }
}

async function sha256(text: string): Promise<string> {
  // Browsers offer hashing only to pages loaded over https or from this machine.
  if (!globalThis.crypto?.subtle)
    throw new Error('Without https this browser cannot compute hashes. `loam receipts --check` does the same.')
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
