/** Documents as they come in, and as they are shown. */
import type { Json } from '../core/graph/types'

export interface DocumentInput {
  readonly id: string
  readonly text: string
  readonly title: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: Json }
  /** Labels (core/access/labels.ts), sorted. Absent: those it has; none of a new one. */
  readonly access?: readonly string[]
}

export type DocumentStatus = 'queued' | 'indexing' | 'ready' | 'partial' | 'failed'

export interface DocumentView {
  readonly document: string
  readonly title: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: Json }
  /** Labels. Empty: those of the corpus, or none. */
  readonly access: readonly string[]
  readonly status: DocumentStatus
  readonly content_version: number
  readonly indexed_version: number
  readonly chunks: number
  readonly error?: string
  readonly text?: string
}
