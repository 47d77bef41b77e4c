/** Documents as they come in. */
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
