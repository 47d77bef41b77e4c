/**
 * A corpus's settings as callers write them (snake_case, units in the name) and as the core reads them (camelCase, units in its
 * comments). `dimensions`, `writer` and `models` come from the deployment's models, never from a caller. A strategy's part is accepted, shown,
 * stored and completed by the schema it declares.
 */
import { z } from 'zod'
import { formerName, publicName, type SettingsInput } from '../contract/settings'
import type { Json } from '../core/graph/types'
import { PROMPTS } from '../core/prompt-version'
import { partOf } from '../core/setting-fields'
import { embeddingModelOf, isEmbeddedBy, modelRoles, type Settings } from '../core/settings'
import { defaultSettings } from '../core/strategies/default-settings'
import { declarations } from '../core/strategies/index'
import { declarationOf } from '../core/strategies/registry'
import { exampleFaults } from '../flows/worked-examples'
import { indexingWriters } from '../flows/writers'
import type { Models } from '../ports/models'

type Tree = { readonly [key: string]: Json | undefined | Tree }

/** Constraints between settings, checked once they are merged with the existing ones. */
const merged = z.custom<Settings>().superRefine((settings, context) => {
  const fault = (path: readonly PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path: ['settings', ...path], message })
  const { chunking } = settings
  if (chunking.overlap * 2 > chunking.chunk) fault(['chunk_overlap'], 'must be at most half of chunk_tokens')
  if (chunking.passage > chunking.chunk - chunking.overlap) fault(['passage_tokens'], 'must be at most chunk_tokens − chunk_overlap')
  if (settings.extraction.ontology && (settings.extraction.types ?? []).length > 0)
    fault(['extraction', 'types'], 'must be empty if there is an ontology, which has its own types')
  const { examples, types, ontology } = settings.extraction
  const kinds = { ...(types?.length ? { types } : {}), ...(ontology ? { ontology } : {}) }
  for (const [i, example] of (examples ?? []).entries())
    for (const { path, message } of exampleFaults(example, kinds)) fault(['extraction', 'examples', i, ...path], message)
  for (const { name, settings: part } of declarations) {
    const own: unknown = settings[name as keyof Settings]
    for (const { path, message } of part?.safeParse(own).error?.issues ?? []) fault([name, ...path], message)
  }
})

/** The existing settings, changed by what was sent, for these models. */
export function mergeSettings(before: Settings | null, input: SettingsInput | undefined, models: Models): z.ZodSafeParseResult<Settings> {
  const base = before ?? defaultSettings
  const { chunk_tokens, chunk_overlap, passage_tokens, chunk_method, models: chosen = {}, ...parts } = input ?? {}
  return offeredBy(models, chosen, base).safeParse({
    ...mergeTrees(base, withCoreNames(parts as Tree)),
    dimensions: before ? base.dimensions : models.embedding.dimensions,
    writer: models.text !== null,
    roleModels: Object.fromEntries(Object.entries({ ...base.roleModels, ...chosen }).filter(([, model]) => model)),
    models: [firstNameFor(before, models), indexingWriters(models), before ? promptsIn(before) : PROMPTS].join(' '),
    chunking: {
      chunk: chunk_tokens ?? base.chunking.chunk,
      overlap: chunk_overlap ?? base.chunking.overlap,
      passage: passage_tokens ?? base.chunking.passage,
      ...((chunk_method ?? base.chunking.method) === 'topic' ? { method: 'topic' as const } : {}),
    },
  } satisfies Settings)
}

/**
 * A model that the deployment does not offer is an error that lists those it does. A model chosen earlier that is no longer offered
 * is not an error.
 */
function offeredBy({ choices = [] }: Models, chosen: NonNullable<SettingsInput['models']>, { roleModels = {} }: Settings) {
  const before = new Set<string>(Object.values(roleModels))
  const offered = choices.length === 0 ? 'this deployment has no text model' : `one of ${choices.map(({ id }) => id).join(', ')}, or null`
  return merged.superRefine((_settings, context) => {
    for (const [role, model] of Object.entries(chosen))
      if (typeof model === 'string' && !before.has(model) && !choices.some(({ id }) => id === model))
        context.addIssue({ code: 'custom', path: ['settings', 'models', role], message: offered })
  })
}

/**
 * When prompts change, a corpus keeps the key of its cached replies: what was requested with other prompts is requested again
 * gradually.
 */
function promptsIn({ models }: Settings): string {
  return models.split(' ').at(-1) ?? PROMPTS
}

/**
 * A corpus keeps the embedding model it was created with, whatever the deployment has now; if it was moved to another, `embedding`
 * says so.
 */
function firstNameFor(before: Settings | null, { embedding, previous }: Models): string {
  if (!before) return embedding.id
  if (before.embedding !== undefined) return before.models.split(' ')[0] ?? embedding.id
  const known = [embedding, ...(previous ? [previous.embedding] : [])].find((one) => isEmbeddedBy(before, one))
  return known?.id ?? embeddingModelOf(before)?.id ?? embedding.id
}

export function settingsView(stored: Settings): { readonly [setting: string]: Json } {
  const { chunking, writer: _, models: __, dimensions: ___, embedding: ____, roleModels = {}, ...parts } = stored
  return {
    chunk_tokens: chunking.chunk,
    chunk_overlap: chunking.overlap,
    passage_tokens: chunking.passage,
    chunk_method: chunking.method ?? 'length',
    models: Object.fromEntries(modelRoles.map((role) => [role, roleModels[role] ?? null])),
    ...(withPublicNames(parts as unknown as Tree) as { readonly [strategy: string]: Json }),
  }
}

function mergeTrees<T extends object>(base: T, changes: Tree): T {
  const out: { [key: string]: unknown } = Object.fromEntries(Object.entries(base))
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) out[key] = isTree(value) && isTree(out[key]) ? mergeTrees(out[key], value) : value
  }
  return out as T
}

/** Under the core's names. */
function withCoreNames(tree: Tree, part?: z.ZodObject): Tree {
  const names = new Map(
    Object.entries(part?.shape ?? {}).flatMap(([name, field]) =>
      [publicName(name, field), formerName(field)].map((given) => [given, name]),
    ),
  )
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      const name = names.get(key) ?? key
      return [name, isTree(value) ? withCoreNames(value, part ? partOf(part.shape[name]) : declarationOf(key)?.settings) : value]
    }),
  )
}

/** Under the names that callers use. */
function withPublicNames(tree: Tree, part?: z.ZodObject): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => {
      const field = part?.shape[name]
      return [publicName(name, field), isTree(value) ? withPublicNames(value, part ? partOf(field) : declarationOf(name)?.settings) : value]
    }),
  )
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
