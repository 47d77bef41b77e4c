/** A corpus's default settings: those of every strategy, beside those that all corpora have. */
import { z } from 'zod'
import type { Json } from '../graph/types'
import { partOf, publicNames, withoutDefault } from '../setting-fields'
import { commonDefaults, type Settings } from '../settings'
import { declarations } from './index'

const own = Object.fromEntries(declarations.flatMap(({ name, settings }) => (settings ? [[name, settings.parse({})]] : [])))

/** Each strategy adds to the type what its schema parses to. */
export const defaultSettings = { ...commonDefaults, ...own } as Settings

/** What a corpus does whose stored settings are older than the setting: it never said that changed statements, or files, may be kept. */
const KEPT_BEFORE = { earlier: { days: 0 }, files: { keep: false } }

type Stored = { readonly [name: string]: Json }

/** Settings stored by an earlier release: under today's names, without what has since been removed, and with defaults for what is new. */
export function storedSettings(stored: Settings): Settings {
  const known = new Map(declarations.map(({ name, settings }) => [name, settings]))
  const parts = Object.entries(stored as unknown as Stored).map(([name, part]) => [name, renamed(part, known.get(name))])
  return withDefaults(Object.fromEntries(parts), { ...defaultSettings, ...KEPT_BEFORE } as unknown as Stored) as unknown as Settings
}

function withDefaults(stored: Json, defaults: Json): Json {
  if (!isObject(stored) || !isObject(defaults)) return stored
  const missing = Object.entries(defaults).filter(([name]) => !(name in stored))
  const own = Object.entries(stored).map(([name, value]) => [name, name in defaults ? withDefaults(value, defaults[name] as Json) : value])
  return Object.fromEntries([...own, ...missing])
}

function isObject(value: Json): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function renamed(part: Json, schema: z.ZodObject | undefined): Json {
  if (!schema || !isObject(part)) return part
  const names = new Map(Object.entries(schema.shape).flatMap(([name, field]) => [[publicNames.get(field)?.formerly, name] as const]))
  return Object.fromEntries(
    Object.entries(part).flatMap(([stored, value]) => {
      const name = names.get(stored) ?? stored
      const field = schema.shape[name]
      return field ? [[name, accepted(renamed(value, partOf(field)), field)]] : []
    }),
  )
}

/** The value, or the default if the value has been removed. */
function accepted(value: Json, field: z.core.$ZodType): Json {
  const bare = withoutDefault(field)
  return bare === field || !bare || z.safeParse(bare, value).success ? value : (z.parse(field, undefined) as Json)
}
