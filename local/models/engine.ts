/** What the server needs of whatever runs models, and what a model is called with. */

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface Writing {
  readonly messages: readonly Turn[]
  readonly tokens: number
  readonly temperature: number
  /** JSON Schema that the reply is held to by a grammar; null: any JSON. */
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
  /** `length`: the room ended before the reply did, or the model went round in circles and was stopped. */
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
  /** What is longer than the window is cut. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly read: number }>
}

/** The prompt alone fills the context. */
export class TooLong extends Error {}
