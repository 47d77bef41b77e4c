/** What fields of settings and of options are made of. zod is pure, so a strategy says in one schema what a field may be and what its default is. */
import { z } from 'zod'

export const whole = (min: number, max: number) => z.int().min(min).max(max)
export const share = z.number().min(0).max(1)
export const flag = z.boolean()

/** What is said of a setting, an option or a value that an earlier release took. */
export const removalText = (name: string): string => `${name} has been removed: it was an ablation's switch; leave it out`

/** One of some words. `removed`: words that an earlier release took. */
export const choice = <const T extends readonly string[]>(words: T, { removed }: { readonly removed: readonly string[] }) =>
  z.enum(words, { error: ({ input }) => (removed.some((one) => one === input) ? removalText(String(input)) : undefined) })

interface PublicName {
  /** Where it is more than the field's own name in snake_case: with its unit, say. */
  readonly name?: string
  /** What it was called in the release before: still accepted, and read from what was stored. */
  readonly formerly?: string
}

/** What callers call a setting. */
export const publicNames = z.registry<PublicName>()

/** The fields of a part of settings, where the field holds one. */
export function partOf(field: z.core.$ZodType | undefined): z.ZodObject | undefined {
  const bare = withoutDefault(field)
  return bare instanceof z.ZodObject ? bare : undefined
}

export function withoutDefault(field: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? field.unwrap() : field
}
