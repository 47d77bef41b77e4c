/** Permission to call the account's models, which all corpora share. */
/** The task types of Workers AI whose calls are counted per minute, each separately. */
export type CallKind = 'text' | 'embedding' | 'rerank'

export interface ModelCall {
  readonly model: string
  readonly kind: CallKind
}

/** rate: the account made too many calls of this task type in a minute · capacity: the model has none left */
export type CallTrouble = 'rate' | 'capacity'

/** Permission to call a model of the account: calls of many corpora share what the vendor allows. Never rejects itself; a call's own error is passed on. */
export interface CallSlots {
  with<T>(call: ModelCall, run: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Model calls that questions have made, and the latest trouble they met. */
export interface QuestionCalls extends ModelCall {
  readonly calls: number
  readonly trouble?: CallTrouble
}

/** The one object that lends call slots: so many at once for a model, so many a minute for a task type. */
export interface GovernorObject {
  /** The id of a slot, or `null`: none came free within `patience` milliseconds; ask again. */
  acquire(call: ModelCall & { readonly party: string; readonly patience: number }): Promise<string | null>
  release(id: string, trouble?: CallTrouble): Promise<void>
  /** Questions need no slot and are counted afterwards: indexing makes room for them. */
  note(calls: readonly QuestionCalls[]): Promise<void>
}
