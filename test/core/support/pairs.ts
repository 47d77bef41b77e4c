/** Claims beside the passages they cite, in four languages, half of them for development and half held out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../../src/core/support/read'

const TRUE = ['verbatim', 'paraphrase', 'merged', 'pronoun', 'reordered', 'passive'] as const
const FALSE = ['name', 'number', 'date', 'negated', 'reversed', 'invented', 'spliced', 'elsewhere'] as const
export const kinds = [...TRUE, ...FALSE]
export type Kind = (typeof kinds)[number]
export const halves = ['development', 'held_out'] as const
export const tongues = ['en', 'de', 'fr', 'es'] as const

interface Group {
  readonly passages: { readonly [letter: string]: Source }
  readonly claims: readonly (readonly [Kind, string, string, string?])[]
}

export interface Pair {
  readonly half: (typeof halves)[number]
  readonly language: (typeof tongues)[number]
  readonly kind: Kind
  readonly claim: string
  readonly cited: readonly Source[]
  /** Would support it, though it is not cited. */
  readonly elsewhere?: Source
}

export function isTrue(kind: Kind): boolean {
  return TRUE.some((one) => one === kind)
}

export function pairs(): Pair[] {
  return tongues.flatMap((language) => {
    const file = JSON.parse(readFileSync(join('test/core/support', `pairs.${language}.json`), 'utf8')) as {
      readonly [half in Pair['half']]: readonly Group[]
    }
    return halves.flatMap((half) => file[half].flatMap((group) => ofGroup(group, { half, language })))
  })
}

function ofGroup({ passages, claims }: Group, of: Pick<Pair, 'half' | 'language'>): Pair[] {
  return claims.map(([kind, claim, letters, other]) => ({
    ...of,
    kind,
    claim,
    cited: [...letters].flatMap((letter) => passages[letter] ?? []),
    ...(other !== undefined && passages[other] ? { elsewhere: passages[other] } : {}),
  }))
}
