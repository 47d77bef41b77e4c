/** What the metadata of a document must have under a key: values, bounds, values it must not have. A list has what one of its members has. */
import type { Json } from './graph/types'

export type Scalar = string | number | boolean | null
export const bounds = ['gt', 'gte', 'lt', 'lte'] as const
export type Bound = (typeof bounds)[number]
export type Bounds = { readonly [bound in Bound]?: string | number }

export interface Condition {
  /** One of these. */
  readonly in?: readonly Scalar[]
  /** None of these. What has nothing under the key has none. */
  readonly not?: readonly Scalar[]
  /** One value that lies within all of them. Numbers lie between numbers, texts between texts, character by character. */
  readonly within?: Bounds
}

/** As it is sent: a value, a list, or an object that says how. */
export function conditionOf(wanted: Json): Condition {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return { in: listed(wanted) }
  const { in: any, not, ...within } = wanted as { readonly [name: string]: Json }
  return {
    ...(any === undefined ? {} : { in: listed(any) }),
    ...(not === undefined ? {} : { not: listed(not) }),
    ...(Object.keys(within).length > 0 ? { within: within as Bounds } : {}),
  }
}

/** Scalars, and scalars in lists. */
export function scalarsOf(value: Json | undefined): readonly Scalar[] {
  return value === undefined ? [] : listed(value).filter((one) => one === null || typeof one !== 'object')
}

export function fits(values: readonly Scalar[], { in: any, not, within }: Condition): boolean {
  if (any && !any.some((one) => values.includes(one))) return false
  if (not?.some((one) => values.includes(one))) return false
  return !within || values.some((one) => isWithin(one, within))
}

function isWithin(value: Scalar, within: Bounds): boolean {
  return bounds.every((bound) => {
    const limit = within[bound]
    if (limit === undefined) return true
    if (typeof value !== typeof limit || value === null || typeof value === 'boolean') return false
    const order = typeof value === 'number' ? value - (limit as number) : inOrder(value, limit as string)
    return bound === 'gt' ? order > 0 : bound === 'gte' ? order >= 0 : bound === 'lt' ? order < 0 : order <= 0
  })
}

/** By code points, as SQLite compares UTF-8. */
function inOrder(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; ) {
    const [here, there] = [a.codePointAt(i) ?? 0, b.codePointAt(i) ?? 0]
    if (here !== there) return here - there
    i += here > 0xffff ? 2 : 1
  }
  return a.length - b.length
}

function listed(value: Json): readonly Scalar[] {
  return (Array.isArray(value) ? value : [value]) as readonly Scalar[]
}
