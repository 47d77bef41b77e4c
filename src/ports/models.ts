/** The models that embed, rank and write. */
import type { ToolCall, ToolUse } from '../contract/tools'
import type { Spent } from '../contract/usage'
import type { Meaning } from '../core/reader/likeness'

/**
 * The shape of `env.AI`, as narrow as we use it. The authors of `@cloudflare/ai` have deprecated that package in favour of this binding.
 */
export interface AiBinding {
  run(model: string, inputs: unknown, options?: unknown): Promise<unknown>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A call attempt that failed and may still be billed. */
export interface LostAttempt {
  /** The reply's reported usage includes its cost. Otherwise the cost is unknown. */
  readonly isCounted: boolean
  /** The texts asked for again, for calls with several. */
  readonly texts?: readonly string[]
}

/** May the call be repeated? Asked before each repetition that may be billed; if not, the last error stands. */
export type MayRepeat = (lost: LostAttempt) => Promise<boolean>

/** What may end a call early, and how often it may be made. An aborted call rejects with `timeout`. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Absent: it may. */
  readonly mayRepeat?: MayRepeat | undefined
}

/** `short`: for models that lose the task in a long prompt. */
export type PromptForm = 'full' | 'short'

/** US dollars per million tokens, if the deployment states a model's price. */
export interface Price {
  readonly in: number
  readonly out: number
}

export interface TextModel {
  readonly id: string
  readonly price?: Price
  /** The form of its prompts that its replies have shown to work; otherwise its name and window decide. */
  readonly form?: PromptForm
  /** How often it is asked about one text, if its replies have shown that asking again is useless. */
  readonly tries?: number
  /** Tokens of context. */
  readonly window: number
  /**
   * Tokens that a reply may take in addition to those requested: thinking that cannot be switched off and is billed like a reply. Default:
   * none.
   */
  readonly thinkingTokens?: number
  /** It can call functions that it is given. */
  readonly callsTools?: boolean
}

/** The roles that a model writes for. Each may have its own model; a judge is a separate `Models`. */
export const writerRoles = ['extract', 'summarise', 'describe', 'answer', 'classify'] as const
export type WriterRole = (typeof writerRoles)[number]

/** Where models run that are not on Workers AI: by id, those in a process on this machine; and whether a server runs the others. */
export interface ModelPlaces {
  readonly machine: readonly string[]
  readonly server: boolean
}

/**
 * Every call rejects with an Error whose `name` is `ModelError` and whose `message` is a `ModelFault`, optionally followed by a space and
 * the seconds to wait. It survives RPC; branch with `faultOf` (flows/faults.ts).
 */
export interface Models {
  readonly embedding: {
    readonly id: string
    readonly dimensions: number
    /** Tokens it reads. */
    readonly window: number
    readonly price?: Price
  }
  /** The embedding model that older corpora were made with, while they are still served (flows/embedding-model.ts). */
  readonly previous?: Pick<Models, 'embedding' | 'embed'>
  readonly text: TextModel | null
  /** For roles that the text model does not write for. */
  readonly roles?: { readonly [role in WriterRole]?: TextModel }
  /** The deployment's catalogue: models that a corpus may choose for a role (flows/role-models.ts). */
  readonly choices?: readonly TextModel[]
  readonly reranker: { readonly id: string; readonly price?: Price } | null
  /** The encoder that comes with Loam, for reading without a model; undefined if its file is missing. Never rejects. */
  encoder?(): Promise<Meaning | undefined>
  /**
   * Any number of texts, each within the window; batched, and with few calls in parallel. `calls`: how many it took. A text for which the
   * model gives no usable vector (wrong length, not numbers, all zeros) in three attempts gets an empty one.
   */
  embed(
    texts: readonly string[],
    options?: CallOptions,
  ): Promise<{ readonly vectors: readonly ArrayLike<number>[]; readonly spent: Spent; readonly calls?: number }>
  /** Scores from 0 to 1, in the order of the texts. */
  rerank(
    query: string,
    texts: readonly string[],
    options?: CallOptions,
  ): Promise<{ readonly scores: readonly number[]; readonly spent: Spent }>
  /**
   * With `schema` (JSON Schema) the reply is requested, and returned, as JSON text; the caller parses and checks it. `truncated`: the reply
   * was cut where `tokens` ended, and the rest is lost. With `tools` it may call some (`toolCalls`), and then `text` may be empty. `model`:
   * one of `choices`, in place of the role's.
   */
  write(
    messages: readonly Message[],
    options: CallOptions & {
      readonly tokens: number
      readonly schema?: unknown
      readonly role?: WriterRole
      readonly model?: string
      readonly tools?: ToolUse
    },
  ): Promise<{ readonly text: string; readonly spent: Spent; readonly truncated?: boolean; readonly toolCalls?: readonly ToolCall[] }>
  /**
   * The same as text deltas. Rejects before the first delta if the model cannot start. `isTruncated`: known after the last delta; absent:
   * it was not truncated.
   */
  stream(
    messages: readonly Message[],
    options: CallOptions & { readonly tokens: number; readonly role?: WriterRole; readonly model?: string },
  ): Promise<{ readonly deltas: AsyncIterable<string>; spent(): Spent; isTruncated?(): boolean }>
}
