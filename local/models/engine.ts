/** What the server needs from any engine that runs models, and the parameters of a call. */

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface Writing {
  readonly messages: readonly Turn[]
  readonly tokens: number
  readonly temperature: number
  /** JSON Schema that a grammar enforces on the reply; null: any JSON. */
  readonly schema?: unknown
  readonly signal: AbortSignal
  heard(text: string): void
}

export interface Usage {
  readonly read: number
  readonly written: number
}

export interface Written extends Usage {
  readonly text: string
  /** `length`: the limit was reached before the reply ended, or the model was stopped because it repeated itself. */
  readonly ended: 'stop' | 'length'
}

export interface Writer {
  readonly id: string
  /** Tokens of context. */
  readonly window: number
  write(asked: Writing): Promise<Written>
}

export interface Embedder {
  readonly id: string
  readonly window: number
  readonly dimensions: number
  /** Longer texts are cut to the window. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly read: number }>
}

/** The prompt alone fills the context. */
export class TooLong extends Error {}
