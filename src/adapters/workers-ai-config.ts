/** Which models there are, from the configuration's variables. A bad value stops the start with its name, not with a wrong index. */
import type { AiBinding, CallSlots, Models } from '../ports'
import { type Assets, STATIC, staticEmbedder } from './static-embedder'
import { type ModelConfig, workersAi } from './workers-ai'

export interface ModelVars {
  readonly EMBEDDING_MODEL?: string
  readonly EMBEDDING_DIMENSIONS?: string | number
  readonly EMBEDDING_WINDOW?: string | number
  readonly TEXT_MODEL?: string
  readonly TEXT_WINDOW?: string | number
  readonly RERANKER_MODEL?: string
}

const MOST_DIMENSIONS = 1536 // of a Vectorize index
const LEAST_WINDOW = 16 // tokens; less could not hold a sentence

/** `slots`: who is asked before each call; a question asks nobody. */
export function modelsFrom(env: ModelVars & { readonly AI: AiBinding; readonly ASSETS?: Assets }, slots?: CallSlots): Models {
  const config = modelConfig(env)
  const models = workersAi(env.AI, config, undefined, slots)
  return config.embedding.id === STATIC ? { ...models, embed: staticEmbedder(env.ASSETS, config.embedding.dimensions) } : models
}

export function modelConfig(vars: ModelVars): ModelConfig {
  const embedding = id(vars.EMBEDDING_MODEL)
  if (!embedding) throw new Error('EMBEDDING_MODEL must name an embedding model')
  const text = id(vars.TEXT_MODEL)
  const reranker = id(vars.RERANKER_MODEL)
  return {
    embedding: {
      id: embedding,
      dimensions: whole('EMBEDDING_DIMENSIONS', vars.EMBEDDING_DIMENSIONS, 8, MOST_DIMENSIONS),
      window: whole('EMBEDDING_WINDOW', vars.EMBEDDING_WINDOW, LEAST_WINDOW, 1_000_000),
    },
    text: text ? { id: text, window: whole('TEXT_WINDOW', vars.TEXT_WINDOW, 1024, 10_000_000) } : null,
    reranker: reranker ? { id: reranker } : null,
  }
}

function id(value: string | undefined): string | null {
  return value?.trim() || null
}

function whole(name: string, value: string | number | undefined, least: number, most: number): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value ?? null)}`)
}
