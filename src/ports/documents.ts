/** Documents as they come in, and what is changed of them without their text. */
import type { Json } from '../core/graph/types'
import type { Dates } from '../core/text/iso-date'
import type { Language } from '../core/text/languages'
import type { Outline } from '../core/text/outline'

export interface DocumentInput {
  readonly id: string
  readonly text: string
  readonly title: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: Json }
  /** Where pages, slides, cells and lines begin. Headings are found in the text. */
  readonly outline?: Outline
  /** As it was given. Absent or null: its text tells. */
  readonly language?: Language | null
  /** Absent: none. */
  readonly dates?: Dates
  /** Labels (core/access/labels.ts), sorted. Absent: those it has; none of a new one. */
  readonly access?: readonly string[]
  /** Whether it takes part in questions. Absent: as before; a new one does. */
  readonly active?: boolean
  /** Of a text that was corrected here: the fingerprint of the one that was handed in. Empty: it is that again. Absent: the text is handed in. */
  readonly correctionOf?: string
}

/** kept: what was handed in is what was corrected, and the correction stands · replaced: it is another text, and the correction is gone. */
export type CorrectionKept = 'kept' | 'replaced'

export interface ChunkCorrection {
  readonly document: string
  readonly chunk: string
  /** Which, where the document has the chunk several times. */
  readonly ordinal?: number
  /** Empty: it is taken out. */
  readonly text: string
  readonly ifMatch?: number
}

/** What is not named stays as it was. */
export type AccessChange = Pick<DocumentInput, 'access' | 'active'>

export interface AccessChanged {
  /** With which it holds. */
  readonly version: number
  readonly access: readonly string[]
  readonly active: boolean
}
