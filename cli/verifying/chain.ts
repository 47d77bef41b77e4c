/** Follows the chain of receipts, one by one; what does not fit is put into words. */
import { createHash } from 'node:crypto'
import type { CommitReceipt } from '../../src/client/client'
import { type ChainFault, type ChainLink, chainedText, followChain, linkBefore } from '../../src/core/receipt-chain'

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** One for each partition of a corpus; 0 where it has none. */
export type Chain = Map<number, ChainLink>

/** As an export's line it has a type. */
export type ReceiptLine = CommitReceipt & { readonly type?: string }

const WORDS: { readonly [fault in ChainFault]: string } = {
  out_of_order: ' is out of order',
  hash: ' does not follow from the one before it',
  state: ': its change does not lead to its state',
}

/** Advances to the next receipt, and reports what does not fit. */
export function follow(chain: Chain, { type: _, ...receipt }: ReceiptLine, report: (fault: string) => void): void {
  const before = linkBefore(chain, receipt)
  const { link, faults } = followChain(before, receipt, sha256(chainedText(before, receipt)))
  const { version, partition } = receipt
  chain.set(partition ?? 0, link)
  const where = partition === undefined ? '' : ` of partition ${partition}`
  for (const fault of faults) report(`the receipt of version ${version}${where}${WORDS[fault]}`)
}
