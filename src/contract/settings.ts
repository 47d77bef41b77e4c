/** Settings as callers write them: strict, what it does not know is a fault. A strategy's part follows from the schema it declares. */
import { z } from 'zod'
import type { Json } from '../core/graph/types'
import { publicNames, whole } from '../core/setting-fields'
import type { commonDefaults, Settings } from '../core/settings'
import { declarations } from '../core/strategies/index'
import { exact } from './exact'

export const settingsSchema = exact({
  chunk_tokens: whole(64, 4000).optional(),
  chunk_overlap: whole(0, 1000).optional(),
  passage_tokens: whole(16, 500).optional(),
  extraction: exact({ gleanings: whole(0, 3).optional() }).optional(),
  ...parts(),
})

export type SettingsInput = z.output<typeof settingsSchema>

type Part = z.ZodOptional<z.ZodType<{ readonly [setting: string]: Json }>>
type Parts = { readonly [strategy in Exclude<keyof Settings, keyof typeof commonDefaults>]: Part }

function parts(): Parts {
  const all = declarations.flatMap(({ name, settings }) => (settings ? [[name, written(settings).optional()] as const] : []))
  return Object.fromEntries(all) as unknown as Parts
}

/** The core's name of a setting and the caller's. */
export function publicName(name: string, field?: z.core.$ZodType): string {
  const named = field && publicNames.get(field)
  return named?.name ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The fields of a part, where the field holds a part of its own. */
export function partOf(field: z.core.$ZodType | undefined): z.ZodObject | undefined {
  const bare = withoutDefault(field)
  return bare instanceof z.ZodObject ? bare : undefined
}

/** Every field may be left out, and then stays as it is. */
function written(part: z.ZodObject): z.ZodObject {
  return exact(
    Object.fromEntries(
      Object.entries(part.shape).map(([name, field]) => {
        const inner = partOf(field)
        const schema = inner ? written(inner) : (withoutDefault(field) as z.ZodType)
        return [publicName(name, field), schema.optional()]
      }),
    ),
  )
}

function withoutDefault(field: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? field.unwrap() : field
}
