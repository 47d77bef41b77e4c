/** Since when a document has been visible, and what the commit that made it visible touched. */

import type { Corpus, Document } from '../../../src/client/client'
import { partOf } from '../../../src/core/joint/part-of'
import { seesWhole } from '../access/whole-sight'
import { receiptsUpTo } from '../checks/latest-receipts'
import { touchedWords } from '../jobs/touched'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { when } from '../shared/numbers'

interface Props {
  readonly corpus: Corpus
  readonly document: Document
}

export function DocumentReceipt({ corpus: about, document: { document, content_version, indexed_version } }: Props) {
  const { corpus } = about
  const partition = about.partitions > 1 ? partOf(document, about.partitions) : undefined
  const isShown = seesWhole(about)
  const { value } = useLoad(
    async (signal) =>
      isShown && indexed_version > 0 ? await receiptsUpTo(corpus, { version: indexed_version, most: 1, partition }, signal) : [],
    [corpus, indexed_version, isShown, partition],
  )
  if (indexed_version === 0) return <p class="fine">Not searchable yet. Its receipt comes with the change that makes it so.</p>
  const [receipt] = value ?? []
  return (
    <details class="fine">
      <summary>
        {content_version > 1 ? `Content ${content_version}, searchable` : 'Searchable'} since version {indexed_version}
      </summary>
      {isShown && (
        <p>
          {receipt && `${when(receipt.at)}: that change touched ${touchedWords(receipt.touched)}. `}
          <a href={to(['c', corpus, 'checks'], { v: indexed_version, ...(partition === undefined ? {} : { p: partition }) })}>
            Its receipt
          </a>
        </p>
      )}
      <p>If you send the same text under this id again, Loam recognises it: it is not read or paid for twice, and leaves no receipt.</p>
    </details>
  )
}
