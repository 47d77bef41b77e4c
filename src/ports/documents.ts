/** Documents as they arrive, and changes to them that do not touch their text. */
import type { Json } from '../core/graph/types'
import type { SentGraph } from '../core/text/brought'
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
  /** Entities and relations from another graph. Absent: none. */
  readonly brought?: SentGraph
  /** As given. Absent or null: detected from its text. */
  readonly language?: Language | null
  /** Absent: none. */
  readonly dates?: Dates
  /** Labels (core/access/labels.ts), sorted. Absent: the labels it has; a new document gets none. */
  readonly access?: readonly string[]
  /** Whether it takes part in questions. Absent: as before; a new one does. */
  readonly active?: boolean
  /** What it was read from, byte for byte, to be kept beside it; `same`: that of the version before it. Absent: nothing is kept. */
  readonly file?: Uint8Array | 'same'
  /** For a text corrected here: the fingerprint of the original text. Empty: the original is back. Absent: the text is an original. */
  readonly correctionOf?: string
}

/** From 0. `revision`: of which version, as a part before it says; absent: of the one that is served. */
export interface FilePlace {
  readonly part: number
  readonly revision?: number
}

export interface FilePart {
  readonly revision: number
  /** The document's content version and title. */
  readonly version: number
  readonly title: string
  /** Bytes of the whole file. */
  readonly size: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isLast: boolean
}

/** kept: the same original came again, and the correction stays · replaced: the text is new, and the correction is gone. */
export type CorrectionKept = 'kept' | 'replaced'

export interface ChunkCorrection {
  readonly document: string
  readonly chunk: string
  /** Which occurrence, if the document has the chunk several times. */
  readonly ordinal?: number
  /** Empty: the chunk is removed. */
  readonly text: string
  readonly ifMatch?: number
}

/** Anything not named stays unchanged. */
export type AccessChange = Pick<DocumentInput, 'access' | 'active'>

export interface AccessChanged {
  /** The version with which it takes effect. */
  readonly version: number
  readonly access: readonly string[]
  readonly active: boolean
}
