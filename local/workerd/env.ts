/** The stand-ins' configuration (local/wrangler.toml says what each variable means). */
import type { VectorStore } from './vector-store'

/** What the stand-in for Workers AI needs. */
export interface ModelEnv {
  readonly EMBEDDINGS_URL: string
  readonly EMBEDDINGS_MODEL?: string
  readonly EMBEDDINGS_FORMAT?: string
  readonly EMBEDDING_DIMENSIONS: string
  readonly EMBEDDING_MODEL_PREVIOUS?: string
  readonly EMBEDDING_DIMENSIONS_PREVIOUS?: string
  readonly TEXT_URL?: string
  readonly TEXT_MODEL?: string
  readonly RERANKER_URL?: string
  readonly RERANKER_MODEL?: string
  readonly TRANSCRIPTION_URL?: string
  readonly VISION_URL?: string
  readonly MODEL_KEY?: string
  readonly TEXT_WINDOW?: string
  readonly MODELS?: string
  readonly MODEL_SECONDS?: string
  readonly AI_RATES?: string
  readonly RECORD?: string
}

export interface Env extends ModelEnv {
  readonly METADATA_INDEXES?: string
  readonly VECTORIZE_DELAY_MS?: string
  readonly VECTORIZE_CLOCK?: string
  readonly VECTORS: DurableObjectNamespace<VectorStore>
}
