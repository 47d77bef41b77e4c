/**
 * Settings of a corpus as the core sees them: what holds whatever the strategy. Each strategy adds its part, under its name, where it declares
 * the part's schema (`strategies/<name>/settings.ts`). The defaults of all together: `strategies/default-settings.ts`.
 */
import type { ChunkSettings } from './text/divide'

/** Of what a model reads out of a chunk, for every strategy that asks it for entities and relations. */
export interface ExtractionSettings {
  /** Times it is asked what it has missed (GraphRAG's gleanings). */
  readonly gleanings: number
  /** Of the entities it is to name; absent or empty: whatever the text names. */
  readonly types?: readonly string[]
  /** Chunks that were read with other prompts than these and are read again each time the schedule looks, at most every five minutes; 0: none. */
  readonly renewals?: number
}

export interface Settings {
  /** The embedding model's length of vector. It changes with the model alone, by a migration. */
  readonly dimensions: number
  /** Is there a model that can write? Without one every text is extractive and no write is paid for. */
  readonly writer: boolean
  /** Names the models and prompts, so that a reply from another model is not taken for the same. */
  readonly models: string
  /** Id of the deployment's re-ranker; absent: there is none. Read with the settings, and no part of what is stored. */
  readonly reranker?: string
  readonly chunking: ChunkSettings
  readonly extraction: ExtractionSettings
}

/** A corpus's defaults. */
export const commonDefaults: Pick<Settings, 'dimensions' | 'writer' | 'models' | 'chunking' | 'extraction'> = {
  dimensions: 512,
  writer: false,
  models: 'none',
  chunking: { chunk: 1200, overlap: 100, passage: 150 },
  extraction: { gleanings: 0, types: [], renewals: 20 }, // ArchRAG's code has 1; a second reading of every chunk is for those who want to pay for it
}

/** An embedding model: its vectors go together with those of no other. */
export interface EmbeddingModel {
  readonly id: string
  readonly dimensions: number
}

/** The embedding model of a corpus, which `models` names first. Null: it is not known, and goes by the dimensions. */
export function embeddingModelOf({ models, dimensions }: Pick<Settings, 'models' | 'dimensions'>): EmbeddingModel | null {
  const [id = ''] = models.split(' ')
  return models === commonDefaults.models || id === '' ? null : { id, dimensions }
}

/** Are a corpus's vectors of this model? */
export function isEmbeddedBy(settings: Pick<Settings, 'models' | 'dimensions'>, { id, dimensions }: EmbeddingModel): boolean {
  if (settings.dimensions !== dimensions) return false
  return embeddingModelOf(settings) === null || `${settings.models} `.startsWith(`${id} `)
}
