/** What a corpus is connected to, what it has cost and how it fares, as far as this page reads it. */
import { at, call } from './client'
import type { Page } from './types'

export type Preset = 'standard' | 'github' | 'generic'

export interface Hook {
  readonly hook: string
  readonly url: string
  readonly preset: Preset
  readonly mapping: { readonly [field: string]: unknown } | null
  readonly created_at: string
  /** Shown once. */
  readonly secret?: string
}

export const EVENTS = [
  'document.ready',
  'document.partial',
  'document.failed',
  'corpus.settled',
  'budget.threshold',
  'corpus.drift',
] as const

export interface Endpoint {
  readonly endpoint: string
  readonly url: string
  /** Empty: all. */
  readonly events: readonly string[]
  readonly status: 'active' | 'gone'
  readonly created_at: string
  /** Shown once. */
  readonly secret?: string
}

export interface Delivery {
  readonly delivery: string
  readonly type: string
  readonly status: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  readonly last_result: string | null
  readonly created_at: string
  readonly next_attempt_at?: string
}

export interface Source {
  readonly source: string
  readonly url: string
  readonly document: string
  readonly every: string
  readonly on_gone: 'keep' | 'delete'
  readonly status: 'new' | 'ok' | 'failing' | 'gone'
  /** In a row. */
  readonly failures: number
  readonly last_result: string | null
  readonly seen_at: string | null
  readonly changed_at: string | null
  readonly next_fetch_at: string | null
}

export interface Amounts {
  readonly calls: number
  readonly in: number
  readonly out: number
  readonly embedded: number
  readonly usd: number
}

interface Spending {
  readonly total: Amounts
  readonly stages: { readonly [stage: string]: Amounts }
  readonly shared: Amounts
  /** Set aside for calls under way. */
  readonly held: { readonly tokens: number; readonly usd: number }
  /** What the key signed in with has used of its day; null where it has no limits. */
  readonly key: KeyDay | null
  readonly prices: { readonly date: string }
}

export interface KeyDay {
  readonly limits: { readonly tokens_a_day?: number; readonly usd_a_day?: number; readonly requests_a_day?: number }
  readonly tokens: number
  readonly usd: number
  readonly requests: number
}

export interface Spent extends Spending {
  readonly documents: readonly (Amounts & { readonly document: string })[]
  /** There are documents beyond those that were read. */
  readonly more: boolean
}

interface Sink {
  readonly fault: { readonly code: number; readonly at: number; readonly tries: number } | null
  readonly missing: number
  readonly foreign: number
}

export interface Health {
  readonly last_tend: number | null
  readonly nodes: { readonly at: number; readonly seen: number; readonly orphans: number; readonly stale: number } | null
  readonly drift: { readonly churn: number } | null
  readonly quality: {
    readonly at: number
    readonly measures: readonly { readonly strategy: string; readonly measure: string; readonly lost: number; readonly bound: number }[]
  } | null
  readonly owed: { readonly texts: number; readonly retry_at: number | null }
  readonly quarantined: number
  readonly retries: { readonly waiting: number; readonly given_up: number }
  readonly outbox: { readonly entries: number; readonly versions_behind: number }
  readonly sinks: {
    readonly index: Sink & { readonly refused: number; readonly delay_ms: number | null }
    readonly model: Sink
  }
  readonly storage: { readonly bytes: number; readonly limit: number; readonly share: number }
  readonly probes: {
    readonly count: number
    readonly k: number
    readonly recall: { readonly [strategy: string]: number }
    readonly at: number | null
  }
  readonly gate: {
    readonly kind: string
    readonly promoted: boolean
    readonly at: number
    readonly k: number
    readonly recall: { readonly [strategy: string]: { readonly before: number; readonly after: number } }
  } | null
  readonly pending: boolean
}

const MOST_DOCUMENTS = 2000 // read to find the dearest: the list comes by id

/** The sums, and the documents as far as ten calls bring them. */
export async function spentOf(corpus: string, signal: AbortSignal): Promise<Spent> {
  const documents: (Amounts & { readonly document: string })[] = []
  for (let cursor: string | null = null; ; ) {
    const query = new URLSearchParams({ limit: '200', ...(cursor ? { cursor } : {}) })
    const page: Spending & Page<Spent['documents'][number]> = await call('GET', `${at(corpus, 'usage')}?${query}`, { signal })
    documents.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null || documents.length >= MOST_DOCUMENTS) return { ...page, documents, more: cursor !== null }
  }
}
