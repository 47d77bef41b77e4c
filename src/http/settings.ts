/**
 * A corpus's settings as callers write them (snake_case, units in the name) and as the core reads them (camelCase, units in its
 * comments). `dimensions`, `writer` and `models` come from the deployment's models, never from a caller. What a strategy adds to the
 * core's settings is shown, stored and completed here without a change; to be accepted it needs its schema.
 */
import { z } from 'zod'
import type { SettingsInput } from '../contract/settings'
import type { Json } from '../core/graph/types'
import { defaultSettings, type Settings } from '../core/settings'
import { PROMPTS } from '../flows/prompts'
import type { Models } from '../ports/models'

/** Where the outer name is more than the inner one in snake_case. */
const NAMES: readonly (readonly [core: string, outer: string])[] = [
  ['summary', 'summary_tokens'],
  ['report', 'report_tokens'],
  ['halfLife', 'half_life_ms'],
]
const OUTER = new Map(NAMES)
const CORE = new Map(NAMES.map(([core, outer]) => [outer, core]))

type Tree = { readonly [key: string]: Json | undefined | Tree }

/** Bounds that hold between settings, seen once they are merged with what was there. */
const merged = z.custom<Settings>().superRefine(({ chunking, erarag }, context) => {
  const fault = (path: string[], message: string) => context.addIssue({ code: 'custom', path: ['settings', ...path], message })
  if (chunking.overlap * 2 > chunking.chunk) fault(['chunk_overlap'], 'must be at most half of chunk_tokens')
  if (chunking.passage > chunking.chunk - chunking.overlap) fault(['passage_tokens'], 'must be at most chunk_tokens − chunk_overlap')
  // Any number of members from `least` on can be cut into groups of least…most only then (EraRAG, S_max ≥ 2·S_min − 1).
  if (erarag.most < 2 * erarag.least - 1) fault(['erarag', 'most'], 'must be at least 2 · least − 1')
})

/** What was there, changed by what was sent, for these models. */
export function withInput(before: Settings | null, input: SettingsInput | undefined, models: Models): z.ZodSafeParseResult<Settings> {
  const base = completed(before)
  const { chunk_tokens, chunk_overlap, passage_tokens, ...parts } = input ?? {}
  return merged.safeParse({
    ...over(base, renamed(parts, coreName)),
    dimensions: before ? base.dimensions : models.embedding.dimensions,
    writer: models.text !== null,
    models: [models.embedding.id, models.text?.id ?? '-', PROMPTS].join(' '),
    chunking: {
      chunk: chunk_tokens ?? base.chunking.chunk,
      overlap: chunk_overlap ?? base.chunking.overlap,
      passage: passage_tokens ?? base.chunking.passage,
    },
  } satisfies Settings)
}

/** Settings stored before a strategy existed lack its part. */
export function completed(stored: Settings | null): Settings {
  return stored ? over(defaultSettings, stored as unknown as Tree) : defaultSettings
}

export function settingsView(stored: Settings): Tree {
  const { chunking, writer: _, models: __, dimensions: ___, ...parts } = completed(stored)
  return {
    chunk_tokens: chunking.chunk,
    chunk_overlap: chunking.overlap,
    passage_tokens: chunking.passage,
    ...renamed(parts as unknown as Tree, outerName),
  }
}

function over<T extends object>(base: T, changes: Tree): T {
  const out: { [key: string]: unknown } = Object.fromEntries(Object.entries(base))
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) out[key] = isTree(value) && isTree(out[key]) ? over(out[key], value) : value
  }
  return out as T
}

function renamed(tree: Tree, name: (key: string) => string): Tree {
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [name(key), isTree(value) ? renamed(value, name) : value]))
}

const coreName = (key: string): string => CORE.get(key) ?? key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const outerName = (key: string): string => OUTER.get(key) ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
