/** What a corpus's owner tells the model that reads its texts, in words of their own and by worked examples, and in which language it is to describe things. */
import { canonicalJson } from './canonical-json'
import type { Json } from './graph/types'
import { fingerprint } from './ids'
import type { Language } from './text/languages'

export const MAX_GUIDANCE = 1000 // characters: it stands in every prompt

export const exampleLimits = {
  examples: 3,
  text: 600, // characters
  entities: 12, // of one example
  relations: 12,
  name: 150, // characters, as of a name in a reply
  type: 32,
  description: 160,
  bytes: 4000, // of all of them as JSON: they stand in every prompt
} as const

/** A passage, and what is to be drawn from it, in the form of a reply. */
export interface WorkedExample {
  readonly text: string
  readonly entities: readonly { readonly name: string; readonly type: string; readonly description: string }[]
  readonly relations: readonly {
    readonly source: string
    readonly target: string
    readonly description: string
    readonly strength: number
    /** Its kind, where the corpus's ontology has kinds. */
    readonly relation?: string
  }[]
  /** The document that holds the passage, with which the example goes. No model is told. */
  readonly document?: string
}

export type GivenExample = Omit<WorkedExample, 'document'>

export interface Guidance {
  readonly guidance?: string | null
  readonly language?: Language | null
  readonly examples?: readonly WorkedExample[] | null
}

/** As a model is told: the owner's words are an instruction, which texts never are. Absent: nothing, the text's own language, and examples of ours. */
export interface GivenGuidance {
  readonly guidance?: string
  readonly language?: Language
  readonly examples?: readonly GivenExample[]
}

/** Without what is not said. */
export function given({ guidance, language, examples }: Guidance): GivenGuidance {
  return {
    ...(guidance ? { guidance } : {}),
    ...(language ? { language } : {}),
    ...(examples?.length ? { examples: examples.map(({ document: _, ...one }) => one) } : {}),
  }
}

/** Names it, so that what was read with another is known; empty: there is none. */
export function guidanceVersion(all: Guidance): string {
  const { guidance, language, examples } = given(all)
  if (!guidance && !language && !examples) return ''
  const shown = examples ? [canonicalJson(JSON.parse(JSON.stringify(examples)) as Json)] : []
  return fingerprint('guidance', guidance ?? '', language ?? '', ...shown).slice(0, 12)
}
