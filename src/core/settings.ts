/**
 * Settings of a corpus as the core sees them: what holds whatever the strategy. Each strategy adds its part, under its name, where it declares
 * the part's schema (`strategies/<name>/settings.ts`). The defaults of all together: `strategies/default-settings.ts`.
 */
import type { Guidance, WorkedExample } from './guidance'
import type { Ontology } from './ontology'
import type { ChunkSettings } from './text/divide'
import type { Language } from './text/languages'

/** Of what a model reads out of a chunk, for every strategy that asks it for entities and relations. */
export interface ExtractionSettings {
  /** Times it is asked what it has missed (GraphRAG's gleanings). */
  readonly gleanings: number
  /** Of the entities it is to name; absent or empty: whatever the text names. */
  readonly types?: readonly string[]
  /** What kinds of things and relations there are; null or absent: whatever the text names. It changes prompts, and the graph little by little. */
  readonly ontology?: Ontology | null
  /** What its owner tells the model in words of their own; null or absent: nothing. Like an ontology it changes prompts, and the graph little by little. */
  readonly guidance?: string | null
  /** Passages with what is to be drawn from them, shown in the place of ours; null or absent: none. They change prompts as guidance does. */
  readonly examples?: readonly WorkedExample[] | null
  /** Of the descriptions of entities and relations; null or absent: the text's own. */
  readonly language?: Language | null
  /** Chunks that were read with other prompts than these and are read again each time the schedule looks, at most every five minutes; 0: none. */
  readonly renewals?: number
}

/** Of whole answers that are kept for the next who asks the same. */
export interface AnswerSettings {
  /** How long; 0: none is kept. */
  readonly seconds: number
}

/** Of statements that a new version of their document has changed. */
export interface EarlierSettings {
  /** For how long what they said is kept and told; 0: not at all, it is gone with its version. A new corpus has 30. */
  readonly days: number
}

/** Of pictures and scans. */
export interface PictureSettings {
  /** A model says what they show, and that is their text. It costs, and sends them to it. */
  readonly describe: boolean
}

/** Of sound. */
export interface RecordingSettings {
  /** A model hears what is said, and that is their text. It costs, and sends them to it. */
  readonly transcribe: boolean
}

export const MAX_REPLICAS = 32

/** Of files that are read as text. */
export interface FileSettings {
  /** A PDF is kept beside its text, so that its pages can be shown. */
  readonly keep: boolean
}

/** Of readers that follow the corpus's object and answer questions beside it. */
export interface ReplicaSettings {
  /** At most; 0: none. */
  readonly count: number
  /** How many take part with little to do; null: one, or one for each location. */
  readonly least?: number | null
  /** Where each is to be, by the platform's hints, in order; one that has none is made near who asks first. */
  readonly locations?: readonly string[]
}

/** What a corpus may have a model of its own for. */
export const modelRoles = ['extract', 'summarise', 'describe', 'answer', 'classify', 'judge'] as const
export type ModelRole = (typeof modelRoles)[number]
/** By id; absent: as the deployment has it. */
export type RoleModels = { readonly [role in ModelRole]?: string }

export interface Settings {
  /** The embedding model's length of vector. It changes with the model alone, by a migration. */
  readonly dimensions: number
  /** Is there a model that can write? Without one every text is extractive and no write is paid for. */
  readonly writer: boolean
  /** Names the models and prompts, so that a reply from another model is not taken for the same. */
  readonly models: string
  /**
   * Id of the embedding model, where the corpus was moved to another than the one that `models` names first. `models` stays what it was: what
   * a model has written is known under it, whatever embeds it now.
   */
  readonly embedding?: string
  /** Id of the deployment's re-ranker; absent: there is none. Read with the settings, and no part of what is stored. */
  readonly reranker?: string
  readonly chunking: ChunkSettings
  /** Of documents that are too short to tell which language they are in. */
  readonly language?: Language | null
  readonly extraction: ExtractionSettings
  readonly answers?: AnswerSettings
  readonly pictures?: PictureSettings
  readonly recordings?: RecordingSettings
  readonly earlier?: EarlierSettings
  readonly files?: FileSettings
  readonly replicas?: ReplicaSettings
  /** Chosen from the deployment's catalogue. `models` does not name them: what depends on one is known by `keyOfRole`. */
  readonly roleModels?: RoleModels
}

/** A corpus's defaults. */
export const commonDefaults: Pick<
  Settings,
  | 'dimensions'
  | 'writer'
  | 'models'
  | 'chunking'
  | 'language'
  | 'extraction'
  | 'answers'
  | 'pictures'
  | 'recordings'
  | 'earlier'
  | 'files'
  | 'replicas'
  | 'roleModels'
> = {
  dimensions: 512,
  writer: false,
  models: 'none',
  chunking: { chunk: 1200, overlap: 100, passage: 150 },
  language: null,
  extraction: { gleanings: 0, types: [], ontology: null, guidance: null, examples: null, language: null, renewals: 20 }, // ArchRAG's code has 1; a second reading of every chunk is for those who want to pay for it
  answers: { seconds: 0 },
  pictures: { describe: false },
  recordings: { transcribe: false },
  earlier: { days: 30 },
  files: { keep: true },
  replicas: { count: 0, least: null, locations: [] },
  roleModels: {},
}

/** An embedding model: its vectors go together with those of no other. */
export interface EmbeddingModel {
  readonly id: string
  readonly dimensions: number
}

/** Of a corpus's settings, what says which model its vectors are of. */
export type EmbeddingSettings = Pick<Settings, 'models' | 'dimensions' | 'embedding'>

/** What a corpus has, whatever it is asked for: its embedding model, which changes by a migration alone, and the worked examples that are left, if some of those asked for are of documents that it has deleted. */
export type OwnSettings = EmbeddingSettings & Pick<Guidance, 'examples'>

export function withOwn(settings: Settings, { examples, ...embedding }: OwnSettings): Settings {
  const own = withEmbeddingOf(settings, embedding)
  return examples === undefined ? own : { ...own, extraction: { ...own.extraction, examples } }
}

/** Of settings that alone. */
export function embeddingOf({ models, dimensions, embedding }: EmbeddingSettings): EmbeddingSettings {
  return { models, dimensions, ...(embedding === undefined ? {} : { embedding }) }
}

/** The embedding model of a corpus. Null: it is not known, and goes by the dimensions. */
export function embeddingModelOf({ models, dimensions, embedding }: EmbeddingSettings): EmbeddingModel | null {
  if (embedding !== undefined) return { id: embedding, dimensions }
  const [id = ''] = models.split(' ')
  return models === commonDefaults.models || id === '' ? null : { id, dimensions }
}

/** Are a corpus's vectors of this model? */
export function isEmbeddedBy(settings: EmbeddingSettings, { id, dimensions }: EmbeddingModel): boolean {
  if (settings.dimensions !== dimensions) return false
  if (settings.embedding !== undefined) return settings.embedding === id
  return embeddingModelOf(settings) === null || `${settings.models} `.startsWith(`${id} `)
}

/** The same settings of a corpus whose vectors are of this model. */
export function withEmbeddingModel<S extends EmbeddingSettings>(settings: S, { id, dimensions }: EmbeddingModel): S {
  const moved = { ...withoutEmbedding(settings), dimensions }
  return (embeddingModelOf(moved)?.id === id ? moved : { ...moved, embedding: id }) as S
}

/** The same settings with the embedding model of others. */
export function withEmbeddingOf<S extends EmbeddingSettings>(settings: S, { dimensions, embedding }: EmbeddingSettings): S {
  return { ...withoutEmbedding(settings), dimensions, ...(embedding === undefined ? {} : { embedding }) } as S
}

/** Are the vectors of both of one model? */
export function isSameEmbedding(a: EmbeddingSettings, b: EmbeddingSettings): boolean {
  return a.dimensions === b.dimensions && embeddingModelOf(a)?.id === embeddingModelOf(b)?.id
}

function withoutEmbedding<S extends EmbeddingSettings>({ embedding: _, ...rest }: S): Omit<S, 'embedding'> {
  return rest
}

/** What a reply's key holds of a model chosen for its role; nothing where none is, so that what was known stays known. */
export function keyOfRole({ roleModels }: Pick<Settings, 'roleModels'>, role: ModelRole): readonly string[] {
  const model = roleModels?.[role]
  return model === undefined ? [] : [`${role}=${model}`]
}
