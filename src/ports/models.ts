/** The models that embed, rank and write. */
import type { ToolCall, ToolUse } from '../contract/tools'
import type { Spent } from '../contract/usage'
import type { Meaning } from '../core/reader/likeness'

/** The shape of `env.AI`, as narrow as we use it. `@cloudflare/ai` is deprecated by its authors in its favour. */
export interface AiBinding {
  run(model: string, inputs: unknown, options?: unknown): Promise<unknown>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** An attempt at a call that came to nothing and may be billed all the same. */
export interface LostAttempt {
  /** Its cost is part of what the reply says was spent. Otherwise it is unknown. */
  readonly isCounted: boolean
  /** Those asked for again, where a call has several texts. */
  readonly texts?: readonly string[]
}

/** May the call be made once more? Asked before each repetition of one that may be billed; the last error stands where it may not. */
export type MayRepeat = (lost: LostAttempt) => Promise<boolean>

/** What a call may be ended by before its time, and how often it may be made. An aborted call rejects with `timeout`. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Without it, it may. */
  readonly mayRepeat?: MayRepeat | undefined
}

/** `short`: for models that lose the task in a long prompt. */
export type PromptForm = 'full' | 'short'

/** US dollars per million tokens, where the deployment says what a model costs. */
export interface Price {
  readonly in: number
  readonly out: number
}

export interface TextModel {
  readonly id: string
  readonly price?: Price
  /** Of the prompts it is given, where its replies have shown which; otherwise its name and its window say. */
  readonly form?: PromptForm
  /** How often it is asked about one text, where its replies have shown that asking again is of no use. */
  readonly tries?: number
  /** Tokens of context. */
  readonly window: number
  /** Tokens a reply may take beyond those asked for: thinking that cannot be switched off, billed like a reply. Default: none. */
  readonly thinkingTokens?: number
  /** It asks for functions that it is given. */
  readonly callsTools?: boolean
}

/** What a model writes for. Each may have a model of its own; a judge is a `Models` of its own. */
export const writerRoles = ['extract', 'summarise', 'describe', 'answer', 'classify'] as const
export type WriterRole = (typeof writerRoles)[number]

/** Where models run that are not on Workers AI: those in a process of this machine, by id, and whether a server has the others. */
export interface ModelPlaces {
  readonly machine: readonly string[]
  readonly server: boolean
}

/** Every call rejects with an Error whose `name` is `ModelError` and whose `message` is a `ModelFault`, optionally followed by a space and seconds to wait. Survives RPC; branch with `faultOf` (flows/faults.ts). */
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
  /** Where not the text model writes. */
  readonly roles?: { readonly [role in WriterRole]?: TextModel }
  /** The deployment's catalogue: those that a corpus may choose for a role (flows/role-models.ts). */
  readonly choices?: readonly TextModel[]
  readonly reranker: { readonly id: string; readonly price?: Price } | null
  /** The encoder that comes with Loam, for reading without a model; undefined where its file is not there. Never rejects. */
  encoder?(): Promise<Meaning | undefined>
  /**
   * Any number of texts, each within the window; batched, and few calls at a time. `calls`: how many it took. A text for which the model
   * has no usable vector (of another length, not of numbers, all zeros), asked for it three times, has an empty one.
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
   * With `schema` (JSON Schema) the reply is asked for, and returned, as JSON text; the caller parses and checks it. `truncated`: the
   * reply was cut where `tokens` ended, and what followed is lost. With `tools` it may ask for some (`toolCalls`), and then `text` may be empty.
   * `model`: one of `choices`, in the place of the role's.
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
  /** The same as text deltas. Rejects before the first delta if the model cannot start. `isTruncated`: known once the last delta has come; absent, it is not. */
  stream(
    messages: readonly Message[],
    options: CallOptions & { readonly tokens: number; readonly role?: WriterRole; readonly model?: string },
  ): Promise<{ readonly deltas: AsyncIterable<string>; spent(): Spent; isTruncated?(): boolean }>
}
