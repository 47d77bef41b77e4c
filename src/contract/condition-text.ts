/** Conditions on metadata as people write and read them: `year >= 1990`, `status != draft`, `bird = heron or owl`. */
import type { z } from 'zod'
import { type Bound, bounds, conditionOf, type Scalar } from '../core/condition'
import type { Json } from '../core/graph/types'
import type { byMetadata } from './metadata'

export type Wanted = z.input<typeof byMetadata>[string]
type Sign = '=' | '!=' | '>' | '>=' | '<' | '<='

/** What one line says about a key. */
export interface Written {
  readonly sign: Sign
  readonly value: string
}

const SIGNED = /^\s*(>=|<=|!=|>|<)\s*(.*)$/s
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/
const BOUNDS: { readonly [sign in Sign]?: Bound } = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' }
const SIGNS: { readonly [bound in Bound]: Sign } = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** `>= 1990` → a bound; anything else is the value itself. */
export function written(text: string): Written {
  const [, sign, value] = SIGNED.exec(text) ?? []
  return sign === undefined || value === undefined ? { sign: '=', value: text } : { sign: sign as Sign, value }
}

/**
 * Combines what is written about one key: any of the values, none of those with `!=`, within all bounds. `meanings`: what a value may
 * stand for.
 */
export function wantedOf(all: readonly Written[], meanings: (value: string) => readonly Scalar[]): Wanted {
  const valuesWith = (sign: Sign) => all.filter((one) => one.sign === sign).flatMap(({ value }) => meanings(value))
  const [any, not] = [valuesWith('='), valuesWith('!=')]
  const within = all.flatMap(({ sign, value }) => {
    const bound = BOUNDS[sign]
    return bound ? [[bound, NUMBER.test(value) ? Number(value) : value] as const] : []
  })
  if (not.length === 0 && within.length === 0) return any
  return { ...(any.length > 0 ? { in: any } : {}), ...(not.length > 0 ? { not } : {}), ...Object.fromEntries(within) }
}

/** `year >= 1990`, each condition on its own; equivalent values only once. */
export function conditionTexts(key: string, wanted: Json): readonly string[] {
  const { in: any, not = [], within = {} } = conditionOf(wanted)
  const words = (values: readonly Scalar[]) => [...new Set(values.map(String))]
  return [
    ...(any ? [`${key} = ${words(any).join(' or ')}`] : []),
    ...words(not).map((value) => `${key} != ${value}`),
    ...bounds.flatMap((bound) => (within[bound] === undefined ? [] : [`${key} ${SIGNS[bound]} ${within[bound]}`])),
  ]
}
