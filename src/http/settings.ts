/**
 * A corpus's settings as callers write them (snake_case, tokens named as such) and as the core reads them. The schema is strict: what
 * it does not know is a fault. `dimensions`, `writer` and `models` come from the deployment's models, never from a caller.
 */
import { z } from 'zod'
import { defaultSettings, type Settings } from '../core/settings'
import { PROMPTS } from '../flows/prompts'
import type { Models } from '../ports'

const whole = (least: number, most: number) => z.int().min(least).max(most)

export const eraSchema = z.strictObject({
  least: whole(2, 64).optional(),
  most: whole(3, 256).optional(),
  segmentation: z.enum(['trie', 'split-merge']).optional(),
  regroup: z.enum(['members', 'summary']).optional(),
  hyperplanes: z.enum(['random', 'fitted']).optional(),
  writing: z.enum(['eager', 'lazy']).optional(),
  layers: whole(1, 10).optional(),
  summary_tokens: whole(16, 1000).optional(),
  seed: whole(0, 0xffffffff).optional(),
})

export const settingsSchema = z.strictObject({
  chunk_tokens: whole(64, 4000).optional(),
  chunk_overlap: whole(0, 1000).optional(),
  passage_tokens: whole(16, 500).optional(),
  erarag: eraSchema.optional(),
})

export type SettingsInput = z.output<typeof settingsSchema>

/** Bounds that hold between settings, seen once they are merged with what was there. */
const merged = z.custom<Settings>().superRefine(({ chunking, erarag }, context) => {
  const fault = (path: string[], message: string) => context.addIssue({ code: 'custom', path: ['settings', ...path], message })
  if (chunking.overlap * 2 > chunking.chunk) fault(['chunk_overlap'], 'must be at most half of chunk_tokens')
  if (chunking.passage > chunking.chunk - chunking.overlap) fault(['passage_tokens'], 'must be at most chunk_tokens − chunk_overlap')
  // Any number of members from `least` on can be cut into groups of least…most only then (EraRAG, S_max ≥ 2·S_min − 1).
  if (erarag.most < 2 * erarag.least - 1) fault(['erarag', 'most'], 'must be at least 2 · least − 1')
})

/** What was there, changed by what was sent, for these models. Faults are the merged schema's. */
export function withInput(before: Settings | null, input: SettingsInput | undefined, models: Models): z.ZodSafeParseResult<Settings> {
  const base = completed(before)
  const { erarag: { summary_tokens, ...era } = {} } = input ?? {}
  return merged.safeParse({
    ...base,
    dimensions: before ? base.dimensions : models.embedding.dimensions,
    writer: models.text !== null,
    models: [models.embedding.id, models.text?.id ?? '-', PROMPTS].join(' '),
    chunking: {
      chunk: input?.chunk_tokens ?? base.chunking.chunk,
      overlap: input?.chunk_overlap ?? base.chunking.overlap,
      passage: input?.passage_tokens ?? base.chunking.passage,
    },
    erarag: { ...base.erarag, ...era, ...(summary_tokens === undefined ? {} : { summary: summary_tokens }) },
  } satisfies Settings)
}

/** Settings stored before a strategy existed lack its part. */
export function completed(stored: Settings | null): Settings {
  if (!stored) return defaultSettings
  return {
    ...defaultSettings,
    ...stored,
    chunking: { ...defaultSettings.chunking, ...stored.chunking },
    erarag: { ...defaultSettings.erarag, ...stored.erarag },
    gorag: { ...defaultSettings.gorag, ...stored.gorag },
  }
}

export function settingsView(stored: Settings) {
  const { chunking, erarag, dimensions } = completed(stored)
  const { summary, ...era } = erarag
  return {
    chunk_tokens: chunking.chunk,
    chunk_overlap: chunking.overlap,
    passage_tokens: chunking.passage,
    dimensions,
    erarag: { ...era, summary_tokens: summary },
  }
}
