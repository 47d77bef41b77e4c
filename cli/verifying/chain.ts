/** The chain of receipts: does each follow from the one before, and does its state? The rules stand in docs/verify.md. Pure. */
import { createHash } from 'node:crypto'
import type { CommitReceipt } from '../../src/client/client'
import { canonicalJson } from '../../src/core/canonical-json'

const GENESIS = '0'.repeat(64)
const MODULUS = 1n << 256n

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
export const toHex = (sum: bigint): string => sum.toString(16).padStart(64, '0')

/** A sum of hashes, less what goes beyond 256 bits. */
export const addHash = (sum: bigint, digits: string): bigint => (sum + BigInt(`0x${digits}`)) % MODULUS

export interface Chain {
  hash: string
  state: bigint
  version: number
  receipts: number
}

export const startChain = (): Chain => ({ hash: GENESIS, state: 0n, version: 0, receipts: 0 })

/** As an export's line it has a type. */
export type ReceiptLine = CommitReceipt & { readonly type?: string }

/** Goes on to the next receipt, and reports what does not fit. */
export function follow(chain: Chain, { type: _, hash, ...receipt }: ReceiptLine, report: (fault: string) => void): void {
  chain.receipts++
  const name = `the receipt of version ${receipt.version}`
  if (chain.receipts > 1 && receipt.version !== chain.version + 1) report(`${name} is out of order`)
  if (sha256(`${chain.hash}\n${canonicalJson({ ...receipt })}`) !== hash) report(`${name} does not follow from the one before it`)
  const [change, state] = [parse(receipt.change), parse(receipt.state)]
  if ((chain.state + change) % MODULUS !== state) report(`${name}: its change does not lead to its state`)
  Object.assign(chain, { hash, state, version: receipt.version })
}

/** No hash is negative. */
function parse(digits: string): bigint {
  return /^[0-9a-f]{64}$/.test(digits) ? BigInt(`0x${digits}`) : -1n
}
