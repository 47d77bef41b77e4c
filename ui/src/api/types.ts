/** What the API answers, as far as this page reads it. Declarations only; the contract itself is in SPEC.md. */

export interface Usage {
  readonly in: number
  readonly out: number
  readonly embedded: number
  readonly usd?: number
  readonly calls?: number
}

export interface Corpus {
  readonly corpus: string
  readonly status: 'settled' | 'indexing' | 'paused_budget' | 'unavailable' | 'deleted' | 'deleting'
  /** `auto` has not measured yet which of its channels to trust. */
  readonly tuning?: boolean
  readonly progress?: Progress
  /** Of a deleted one: until when it can be undeleted; null: it no longer can. */
  readonly gone_at?: string | null
  readonly version: number
  readonly counts: { readonly [kind: string]: number }
  readonly strategies: readonly string[]
  readonly settings: object
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  readonly public: boolean
  readonly usage: Usage
  readonly created_at: string
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

export interface DocumentView {
  readonly document: string
  readonly title: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: unknown }
  readonly status: 'queued' | 'indexing' | 'ready' | 'partial' | 'failed'
  readonly content_version: number
  /** Version of the corpus that made it visible; 0: not yet. */
  readonly indexed_version: number
  readonly chunks: number
  readonly error?: string
  readonly text?: string
}

export interface Receipt {
  readonly version: number
  readonly touched: { readonly [kind: string]: number }
  readonly rows_written: number
  readonly model_calls: { readonly [kind: string]: number }
  readonly tokens: Usage
  readonly texts_embedded?: number
  readonly ms: number
  readonly shared_with?: readonly string[]
}

export interface Count {
  readonly done: number
  readonly total: number
}

/** How far work is; documents, chunks and texts to embed are counted apart. */
export interface Progress {
  readonly documents: Count
  readonly chunks: Count
  readonly texts: Count
  readonly rate?: { readonly texts?: number; readonly chunks?: number; readonly tasks?: number }
  readonly seconds_left?: number
}

export interface Job {
  readonly job: string
  readonly kind: string
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'paused_budget'
  readonly progress: Count & Partial<Progress>
  readonly usage: Usage
  readonly receipt?: Receipt
  readonly error?: string
}

export interface Evidence {
  readonly id: string
  readonly kind: string
  readonly layer: number
  readonly score: number
  readonly text: string
  readonly tokens: number
  readonly document: string | null
  readonly chunk: string | null
  readonly start: number | null
  readonly end: number | null
  readonly title?: string
  readonly via: string
}

export interface Citation {
  readonly id: string
  readonly marker: number
  readonly document: string
  readonly start: number
  readonly end: number
  readonly quote: string
  readonly title?: string
  readonly span: { readonly start: number; readonly end: number }
}

export interface Found {
  readonly strategy: string
  readonly evidence: readonly Evidence[]
  readonly version: number
  readonly degraded: readonly string[]
  readonly usage: Usage
  readonly timing_ms: { readonly [step: string]: number }
}

export interface Answer extends Found {
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly generator: 'model' | 'extractive'
  readonly grounded: boolean
  readonly insufficient?: boolean
  readonly dropped?: number
}

export type Compared = (Answer & { readonly cost_usd: number }) | { readonly strategy: string; readonly error: string }

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly layer: number
  readonly text: string
  readonly tokens: number
  readonly stale?: true
  /** Of an entity that shares its name with another: a document about this one. */
  readonly about?: { readonly document: string; readonly title: string }
  readonly data: { readonly [key: string]: unknown }
}

export interface GraphEdge {
  readonly kind: string
  readonly source: string
  readonly target: string
  readonly weight: number
}

export interface Neighbourhood {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly truncated: boolean
}

export interface Label {
  readonly label: string
  readonly description: string
  readonly examples: readonly { readonly id: string; readonly text?: string }[]
  readonly learned: number
}

export interface Classified {
  readonly label: string | null
  readonly confidence: number
  readonly candidates: readonly { readonly label: string; readonly score: number; readonly via: string }[]
  readonly tree: Tree
  readonly decided: 'model' | 'score'
  readonly learned?: { readonly id: string }
}

export interface Tree {
  readonly nodes: readonly { readonly id: string; readonly kind: 'keyword' | 'label' | 'hub'; readonly text: string }[]
  readonly edges: readonly { readonly source: string; readonly target: string; readonly weight: number }[]
}

export interface AuditEntry {
  readonly n: number
  readonly at: string
  readonly key: string
  readonly door: string
  readonly action: string
  readonly document: string | null
  readonly subject: string | null
  readonly outcome: string
}

export interface Key {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly corpora: readonly string[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly key?: string
}
