/** Settings of a corpus as the core sees them. Checked at the door by the schemas in `src/http`; defaults live with what they set. */
import { type ArchSettings, archDefaults } from './strategies/archrag/settings'
import { type ClueSettings, clueDefaults } from './strategies/cluerag/settings'
import { type EraSettings, eraDefaults } from './strategies/erarag/settings'
import { type GoragSettings, goragDefaults } from './strategies/gorag/settings'
import { type KetSettings, ketDefaults } from './strategies/ketrag/settings'
import type { ChunkSettings } from './text/divide'

/** Of what a model reads out of a chunk, for every strategy that asks it for entities and relations. */
export interface ExtractionSettings {
  /** Times it is asked what it has missed (GraphRAG's gleanings). */
  readonly gleanings: number
}

export interface Settings {
  /** Fixed for the life of the corpus: the embedding model's length of vector. */
  readonly dimensions: number
  /** Is there a model that can write? Without one every text is extractive and no write is paid for. */
  readonly writer: boolean
  /** Names the models and prompts, so that a reply from another model is not taken for the same. */
  readonly models: string
  readonly chunking: ChunkSettings
  readonly extraction: ExtractionSettings
  readonly erarag: EraSettings
  readonly cluerag: ClueSettings
  readonly archrag: ArchSettings
  readonly gorag: GoragSettings
  readonly ketrag: KetSettings
}

export const defaultSettings: Settings = {
  dimensions: 512,
  writer: false,
  models: 'none',
  chunking: { chunk: 1200, overlap: 100, passage: 150 },
  extraction: { gleanings: 0 }, // ArchRAG's code has 1; a second reading of every chunk is for whoever wants to pay for it
  erarag: eraDefaults,
  cluerag: clueDefaults,
  archrag: archDefaults,
  gorag: goragDefaults,
  ketrag: ketDefaults,
}
