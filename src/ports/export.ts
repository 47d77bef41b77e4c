/** The form in which a corpus is exported. */
import type { CommitReceipt } from '../contract/receipts'
import type { ListedEdge, ListedNode } from '../core/graph/listed'
import type { Json } from '../core/graph/types'
import type { SourcedDate } from '../core/text/iso-date'

export type ExportedRow =
  | {
      readonly type: 'document'
      readonly id: string
      readonly title: string
      readonly url: string | null
      readonly metadata: Json
      readonly chunks: Json
      /** Labels. Absent: none. */
      readonly access?: readonly string[]
      /** Its language code, if known. */
      readonly language?: string
      readonly published_at?: SourcedDate
      readonly valid_from?: SourcedDate
      readonly valid_until?: SourcedDate
      /** Present only if it is switched off. */
      readonly active?: false
    }
  | {
      readonly type: 'chunk'
      readonly id: string
      readonly title: string
      readonly text: string
      readonly tokens: number
      readonly own: number
    }
  | { readonly type: 'label'; readonly label: string; readonly description: string; readonly examples: readonly string[] }
  | ({ readonly type: 'node' } & ListedNode & OfPartition)
  | ({ readonly type: 'edge' } & ListedEdge & OfPartition)
  | ({ readonly type: 'receipt' } & CommitReceipt)

/** In a corpus in partitions: whose graph it is in. The same name may be in the graphs of several. */
interface OfPartition {
  readonly partition?: number
}
