/** The chain of receipts, read whole and checked in the browser. */
import { type CommitReceipt, walked } from '../../../src/client/client'
import { canonicalJson } from '../../../src/core/canonical-json'
import type { Json } from '../../../src/core/graph/types'
import { corpusAt } from '../shared/loam'

const GENESIS = '0'.repeat(64)
const MODULUS = 1n << 256n
const MOST_FAULTS = 5 // shown at once

export interface Chain {
  readonly receipts: number
  readonly version: number
  /** Hash of the last. */
  readonly head: string
  /** The version whose receipt has the hash that was noted; null: none has. */
  readonly noted: number | null
  readonly faults: readonly string[]
}

interface Options {
  readonly noted: string
  readonly progress: (read: number) => void
  readonly signal: AbortSignal
}

/** Reads all receipts; the rules are those of docs/verify.md, but for the rows, which only an export has. */
export async function chainOf(corpus: string, { noted, progress, signal }: Options): Promise<Chain> {
  let [head, state, version, receipts] = [GENESIS, 0n, 0, 0]
  let found: number | null = null
  const faults: string[] = []
  for await (const one of walked((paging) => corpusAt(corpus, signal).receipts({ ...paging, limit: 200 }))) {
    faults.push(...(await faultsOf(one, { head, state, version })))
    ;[head, state, version] = [one.hash, number(one.state), one.version]
    if (one.hash === noted) found = one.version
    receipts += 1
    if (receipts % 200 === 0) progress(receipts)
  }
  progress(receipts)
  return { receipts, version, head, noted: found, faults: faults.slice(0, MOST_FAULTS) }
}

interface Before {
  readonly head: string
  readonly state: bigint
  readonly version: number
}

async function faultsOf({ hash, ...receipt }: CommitReceipt, before: Before): Promise<string[]> {
  const name = `The receipt of version ${receipt.version}`
  const faults: string[] = []
  if (before.version > 0 && receipt.version !== before.version + 1) faults.push(`${name} is out of order.`)
  if ((await sha256(`${before.head}\n${canonicalJson(receipt as unknown as Json)}`)) !== hash)
    faults.push(`${name} does not follow from the one before it.`)
  if ((before.state + number(receipt.change)) % MODULUS !== number(receipt.state)) faults.push(`${name} does not lead to its state.`)
  return faults
}

const number = (digits: string): bigint => (/^[0-9a-f]{64}$/.test(digits) ? BigInt(`0x${digits}`) : -1n)

async function sha256(text: string): Promise<string> {
  // Browsers keep their hashes from pages that came neither over https nor from this machine.
  if (!globalThis.crypto?.subtle)
    throw new Error('This browser hashes nothing for pages without https. `loam receipts --check` does the same.')
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
