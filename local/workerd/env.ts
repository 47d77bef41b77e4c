/** What the stand-ins are told by their configuration (local/wrangler.toml says what each variable means). */
import type { VectorStore } from './vector-store'

export interface Env {
  readonly EMBEDDINGS_URL: string
  readonly EMBEDDINGS_MODEL?: string
  readonly EMBEDDINGS_FORMAT?: string
  readonly EMBEDDING_DIMENSIONS: string
  readonly TEXT_URL?: string
  readonly TEXT_MODEL?: string
  readonly RERANKER_URL?: string
  readonly RERANKER_MODEL?: string
  readonly MODEL_KEY?: string
  readonly METADATA_INDEXES?: string
  readonly VECTORIZE_DELAY_MS?: string
  readonly VECTORIZE_CLOCK?: string
  readonly RECORD?: string
  readonly VECTORS: DurableObjectNamespace<VectorStore>
}
