/** Follows the chain of receipts, one by one; what does not fit is put into words. */
import { createHash } from 'node:crypto'
import type { CommitReceipt } from '../../src/client/client'
import { type ChainFault, type ChainLink, chainedText, chainStart, followChain } from '../../src/core/receipt-chain'

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

export interface Chain {
  link: ChainLink
}

export const startChain = (): Chain => ({ link: chainStart })

/** As an export's line it has a type. */
export type ReceiptLine = CommitReceipt & { readonly type?: string }

const WORDS: { readonly [fault in ChainFault]: string } = {
  out_of_order: ' is out of order',
  hash: ' does not follow from the one before it',
  state: ': its change does not lead to its state',
}

/** Advances to the next receipt, and reports what does not fit. */
export function follow(chain: Chain, { type: _, ...receipt }: ReceiptLine, report: (fault: string) => void): void {
  const { link, faults } = followChain(chain.link, receipt, sha256(chainedText(chain.link, receipt)))
  chain.link = link
  for (const fault of faults) report(`the receipt of version ${receipt.version}${WORDS[fault]}`)
}
