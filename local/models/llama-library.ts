/** The part of node-llama-cpp 3.22 that is used: it is not a dependency of the repository, so its own types are unavailable. */

export type ChatItem =
  | { readonly type: 'system'; readonly text: string }
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] }

type Tokens = readonly number[]

/** Tokens of one sequence that wait to be decoded. */
export interface BatchItem {
  readonly tokens: Tokens
  /** As passed with the request: the number of its sequence. */
  readonly evaluationPriority: number
}

export interface PickedItem {
  readonly item: BatchItem
  readonly processAmount: number
}

/** A conversation within a context. */
export interface LibrarySequence {
  /** What it has read and written, and needs not read again if a prompt begins with it. */
  readonly contextTokens: Tokens
}

export interface LibraryModel {
  readonly trainContextSize: number
  readonly embeddingVectorSize: number
  readonly tokenizer: unknown
  tokenize(text: string): Tokens
  createContext(options: {
    contextSize: number
    sequences: number
    threads: number
    batching: { itemPrioritizationStrategy(queued: { readonly items: readonly BatchItem[]; readonly size: number }): PickedItem[] }
  }): Promise<{ getSequence(): LibrarySequence }>
  createEmbeddingContext(options: {
    contextSize: number
    threads: number
  }): Promise<{ getEmbeddingFor(tokens: Tokens): Promise<{ readonly vector: readonly number[] }> }>
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LibraryModel>
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>
  getGrammarFor(kind: 'json'): Promise<unknown>
  dispose(): Promise<void>
}

interface Chat {
  readonly chatWrapper: {
    generateContextState(options: { chatHistory: readonly ChatItem[] }): { readonly contextText: { tokenize(tokenizer: unknown): Tokens } }
  }
  generateResponse(
    history: readonly ChatItem[],
    options: {
      readonly maxTokens: number
      readonly temperature: number
      readonly signal: AbortSignal
      readonly evaluationPriority: number
      /** An abort ends the reply where it is instead of throwing. */
      readonly stopOnAbortSignal: true
      readonly grammar?: unknown
      onTextChunk(text: string): void
    },
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>
}

export interface LlamaLibrary {
  getLlama(options: { build: 'never'; gpu: false | 'metal'; logLevel: 'error'; progressLogs: false; maxThreads: number }): Promise<Llama>
  readonly LlamaChat: new (options: { contextSequence: LibrarySequence }) => Chat
}
