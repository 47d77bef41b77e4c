/** Which of the deployment's indexes has a corpus's vectors: the one of the embedding model that made them. */
import { type EmbeddingModel, type EmbeddingSettings, isEmbeddedBy } from '../../../src/core/settings'
import type { Env } from '../../../src/env'
import type { VectorIndex } from '../../../src/ports/vector-index'

type EmbeddingVars = Pick<Env, 'EMBEDDING_MODEL' | 'EMBEDDING_DIMENSIONS' | 'EMBEDDING_MODEL_PREVIOUS' | 'EMBEDDING_DIMENSIONS_PREVIOUS'>

/** The deployment's index; then the previous one, while it has both. */
export function embeddingModelsFrom(env: EmbeddingVars): readonly EmbeddingModel[] {
  const before = env.EMBEDDING_MODEL_PREVIOUS?.trim()
  const now = { id: env.EMBEDDING_MODEL.trim(), dimensions: Number(env.EMBEDDING_DIMENSIONS) }
  return before ? [now, { id: before, dimensions: Number(env.EMBEDDING_DIMENSIONS_PREVIOUS) }] : [now]
}

export function withIndexOf<S extends { readonly index: VectorIndex; readonly previousIndex?: VectorIndex | null }>(
  settings: EmbeddingSettings,
  [now, before]: readonly EmbeddingModel[],
  sinks: S,
): S {
  const isBefore = now && before && !isEmbeddedBy(settings, now) && isEmbeddedBy(settings, before)
  return isBefore && sinks.previousIndex ? { ...sinks, index: sinks.previousIndex } : sinks
}
