/** Which models there are, from the configuration's variables. An invalid value prevents the start and is named, instead of leading to a wrong index. */
import { z } from 'zod'
import { transcriptionLimits, vectorizeLimits, visionLimits } from '../platform-limits'
import type { CallSlots } from '../ports/call-slots'
import type { Describer, Seer, Transcriber } from '../ports/conversion'
import { type AiBinding, type ModelPlaces, type Models, type Price, type TextModel, type WriterRole, writerRoles } from '../ports/models'
import { type ConversionBinding, markdownConversion } from './markdown-conversion'
import { modelPrices, type PriceVars } from './model-prices'
import { isOnServer, type ModelServerVars, modelServer, withModelServer } from './model-server'
import { type Assets, readingEncoder, STATIC, staticEmbedder } from './static-embedder'
import { transcription } from './transcription'
import { vision } from './vision'
import { type ModelConfig, workersAi } from './workers-ai'
import type { Binding } from './workers-ai-calls'
import { thinkingTokens } from './workers-ai-thinking'
import { callsTools } from './workers-ai-tools'

/** A separate model for a role: `EXTRACT_MODEL`, with `EXTRACT_WINDOW` (default: `TEXT_WINDOW`). */
export type RoleVars = { readonly [name in `${Uppercase<WriterRole>}_MODEL`]?: string } & {
  readonly [name in `${Uppercase<WriterRole>}_WINDOW`]?: string | number
}

export interface ModelVars extends RoleVars, PriceVars, Pick<ModelServerVars, 'MODEL_SERVER_URL'> {
  readonly EMBEDDING_MODEL?: string
  readonly EMBEDDING_DIMENSIONS?: string | number
  readonly EMBEDDING_WINDOW?: string | number
  /** The previous embedding model, with which corpora are served until they are migrated (docs/migrating.md). */
  readonly EMBEDDING_MODEL_PREVIOUS?: string
  readonly EMBEDDING_DIMENSIONS_PREVIOUS?: string | number
  readonly EMBEDDING_WINDOW_PREVIOUS?: string | number
  readonly TEXT_MODEL?: string
  readonly TEXT_WINDOW?: string | number
  /** Ids of text models that corpora may choose for a role besides those named here, separated by commas; `id=tokens` if its window is not `TEXT_WINDOW`. */
  readonly TEXT_MODELS?: string
  readonly RERANKER_MODEL?: string
  readonly MODEL_SECONDS?: string | number
  /** Ids of models that can call functions, in addition to those known to, separated by commas; `*`: all. */
  readonly TOOL_MODELS?: string
}

export interface JudgeVars {
  readonly JUDGE_MODEL?: string
  /** Default: `TEXT_WINDOW`. */
  readonly JUDGE_WINDOW?: string | number
}

export interface TranscriptionVars {
  readonly CONVERSION?: string
  /** What transcribes recordings: an id of Workers AI, or a model on the server. Default: Whisper of Workers AI. */
  readonly TRANSCRIPTION_MODEL?: string
}

export interface VisionVars {
  readonly CONVERSION?: string
  /** What reads pictures and scans: an id of Workers AI, or a model on the server. Default: one of Workers AI. */
  readonly VISION_MODEL?: string
}

export interface BindingVars extends ModelServerVars {
  readonly AI: AiBinding
  readonly AI_GATEWAY?: string
  readonly AI_SIGNAL?: string
}

const MIN_WINDOW = 16 // tokens; less could not hold a sentence

/** `slots`: asked before each call. */
export function modelsFrom(env: ModelVars & BindingVars & { readonly ASSETS?: Assets }, slots?: CallSlots): Models {
  const { embedding, ...others } = modelConfig(env)
  const made = (one: ModelConfig['embedding']): Models => {
    const models = {
      ...workersAi(bindingFrom(env, one), { ...others, embedding: one }, undefined, slots),
      encoder: readingEncoder(env.ASSETS),
    }
    return one.id === STATIC ? { ...models, embed: staticEmbedder(env.ASSETS, one.dimensions) } : models
  }
  const before = previousEmbedding(env)
  if (!before) return made(embedding)
  const { embed } = made(before)
  return { ...made(embedding), previous: { embedding: before, embed } }
}

/** Null: none is named. */
function previousEmbedding(env: ModelVars): ModelConfig['embedding'] | null {
  const named = id(env.EMBEDDING_MODEL_PREVIOUS)
  if (!named) return null
  const [dimensions, window] = [env.EMBEDDING_DIMENSIONS_PREVIOUS, env.EMBEDDING_WINDOW_PREVIOUS]
  return {
    id: named,
    dimensions: whole('EMBEDDING_DIMENSIONS_PREVIOUS', dimensions, 8, vectorizeLimits.maxDimensions),
    window: whole('EMBEDDING_WINDOW_PREVIOUS', window, MIN_WINDOW, 1_000_000),
    ...priced(env, named),
  }
}

/** The models with another writer: the one that judges whether claims are supported. Null: none is named. */
export function judgeFrom(env: Parameters<typeof modelsFrom>[0] & JudgeVars, slots?: CallSlots): Models | null {
  const { JUDGE_MODEL: TEXT_MODEL, JUDGE_WINDOW: TEXT_WINDOW = env.TEXT_WINDOW } = env
  if (!TEXT_MODEL || !id(TEXT_MODEL)) return null
  return modelsFrom({ ...env, TEXT_MODEL, ...(TEXT_WINDOW === undefined ? {} : { TEXT_WINDOW }) }, slots)
}

/** Null: CONVERSION is not `on`. */
export function describerFrom(env: BindingVars & { readonly CONVERSION?: string }, slots?: CallSlots): Describer | null {
  if (env.CONVERSION !== 'on') return null
  const { gateway } = bindingFrom(env)
  return markdownConversion(env.AI as unknown as ConversionBinding, gateway ? { gateway } : {}, undefined, slots)
}

/** Null: CONVERSION is not `on`, and no model on a server is named. */
export function transcriberFrom(env: BindingVars & ModelVars & TranscriptionVars, slots?: CallSlots): Transcriber | null {
  const named = id(env.TRANSCRIPTION_MODEL)
  const model = named ?? transcriptionLimits.model
  if (!isOnServer(model)) return env.CONVERSION === 'on' ? transcription(bindingFrom(env), model, undefined, slots) : null
  const { price = { in: 0, out: 0 } } = priced(env, model)
  return { ...transcription(bindingFrom(env), model, undefined, slots), price }
}

/** Null: CONVERSION is not `on`, and no model on a server is named. */
export function seerFrom(env: BindingVars & ModelVars & VisionVars, slots?: CallSlots): Seer | null {
  const model = id(env.VISION_MODEL) ?? visionLimits.model
  if (!isOnServer(model) && env.CONVERSION !== 'on') return null
  return { ...vision(bindingFrom(env), model, undefined, slots), ...priced(env, model) }
}

export function modelPlacesFrom({
  LOCAL_MODELS,
  MODEL_SERVER,
  MODEL_SERVER_URL,
}: {
  readonly LOCAL_MODELS?: string
  readonly MODEL_SERVER?: string
  readonly MODEL_SERVER_URL?: string
}): ModelPlaces {
  const machine = LOCAL_MODELS ? z.array(z.string()).parse(JSON.parse(LOCAL_MODELS)) : []
  return { machine, server: MODEL_SERVER === 'on' || Boolean(MODEL_SERVER_URL?.trim()) }
}

/** A signal is passed unless the configuration says that there is no real binding. */
export function bindingFrom(env: BindingVars, embedding?: ModelConfig['embedding']): Binding {
  const { AI, AI_GATEWAY, AI_SIGNAL } = env
  const gateway = AI_GATEWAY?.trim()
  const server = modelServer(env)
  const dimensions = (model: string) => (model === embedding?.id ? embedding.dimensions : undefined)
  return { ai: server ? withModelServer(AI, server, dimensions) : AI, takesSignal: AI_SIGNAL !== 'off', ...(gateway ? { gateway } : {}) }
}

export function modelConfig(vars: ModelVars): ModelConfig {
  const embedding = id(vars.EMBEDDING_MODEL)
  if (!embedding) throw new Error('EMBEDDING_MODEL must name an embedding model')
  const text = id(vars.TEXT_MODEL)
  const reranker = id(vars.RERANKER_MODEL)
  return {
    embedding: {
      id: embedding,
      dimensions: whole('EMBEDDING_DIMENSIONS', vars.EMBEDDING_DIMENSIONS, 8, vectorizeLimits.maxDimensions),
      window: whole('EMBEDDING_WINDOW', vars.EMBEDDING_WINDOW, MIN_WINDOW, 1_000_000),
      ...priced(vars, embedding),
    },
    text: text ? writer(vars, text, 'TEXT_WINDOW', vars.TEXT_WINDOW) : null,
    ...writersFrom(vars, text ? writer(vars, text, 'TEXT_WINDOW', vars.TEXT_WINDOW) : null),
    ...(vars.MODEL_SECONDS ? { writingMs: whole('MODEL_SECONDS', vars.MODEL_SECONDS, 1, 3600) * 1000 } : {}),
    reranker: reranker ? { id: reranker, ...priced(vars, reranker) } : null,
  }
}

function writersFrom(vars: ModelVars, text: TextModel | null): Pick<ModelConfig, 'roles' | 'choices'> {
  const own = rolesFrom(vars, text !== null)
  const named = (vars.TEXT_MODELS ?? '').split(',').flatMap((entry): TextModel[] => {
    const [model = '', window = ''] = entry.split('=').map((part) => part.trim())
    if (model === '') return []
    if (!text) throw new Error('TEXT_MODELS needs TEXT_MODEL to be set as well')
    return [window === '' ? writer(vars, model, 'TEXT_WINDOW', vars.TEXT_WINDOW) : writer(vars, model, `TEXT_MODELS (${model})`, window)]
  })
  if (!text) return own
  const all = [text, ...Object.values(own.roles ?? {}), ...named]
  return { ...own, choices: all.filter(({ id }, i) => all.findIndex((one) => one.id === id) === i) }
}

function rolesFrom(vars: ModelVars, hasText: boolean): Pick<ModelConfig, 'roles'> {
  const named = writerRoles.flatMap((role) => {
    const upper = role.toUpperCase() as Uppercase<WriterRole>
    const model = id(vars[`${upper}_MODEL`])
    if (!model) return []
    if (!hasText) throw new Error(`${upper}_MODEL needs TEXT_MODEL to be set as well`)
    const window = id(String(vars[`${upper}_WINDOW`] ?? ''))
    return [[role, window ? writer(vars, model, `${upper}_WINDOW`, window) : writer(vars, model, 'TEXT_WINDOW', vars.TEXT_WINDOW)] as const]
  })
  return named.length > 0 ? { roles: Object.fromEntries(named) } : {}
}

function writer(vars: ModelVars, model: string, variable: string, window: string | number | undefined): TextModel {
  const tokens = thinkingTokens(model)
  const tools = callsTools(model, vars.TOOL_MODELS) ? { callsTools: true } : {}
  return {
    id: model,
    window: whole(variable, window, 1024, 10_000_000),
    ...priced(vars, model),
    ...(tokens > 0 ? { thinkingTokens: tokens } : {}),
    ...tools,
  }
}

/** The price of a server's model must be stated: otherwise a budget in dollars would let it spend without limit. */
function priced(vars: ModelVars, model: string): { readonly price?: Price } {
  const price = modelPrices(vars).of(model)
  if (!price && vars.MODEL_SERVER_URL?.trim() && isOnServer(model) && model !== STATIC)
    throw new Error(`MODEL_PRICES must say what ${model} costs: ${model}=<dollars per million tokens read>/<written>`)
  return price ? { price } : {}
}

function id(value: string | undefined): string | null {
  return value?.trim() || null
}

function whole(name: string, value: string | number | undefined, min: number, max: number): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value ?? null)}`)
}
