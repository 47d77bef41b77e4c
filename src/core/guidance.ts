/** What a corpus's owner tells the model that reads its texts, in words of their own, and in which language it is to describe things. */
import { fingerprint } from './ids'
import type { Language } from './text/languages'

export const MAX_GUIDANCE = 1000 // characters: it stands in every prompt

export interface Guidance {
  readonly guidance?: string | null
  readonly language?: Language | null
}

/** As a model is told: the owner's words are an instruction, which texts never are. Absent: nothing, and the text's own language. */
export interface GivenGuidance {
  readonly guidance?: string
  readonly language?: Language
}

/** Without what is not said. */
export function given({ guidance, language }: Guidance): GivenGuidance {
  return { ...(guidance ? { guidance } : {}), ...(language ? { language } : {}) }
}

/** Names it, so that what was read with another is known; empty: there is none. */
export function guidanceVersion({ guidance, language }: Guidance): string {
  return guidance || language ? fingerprint('guidance', guidance ?? '', language ?? '').slice(0, 12) : ''
}
