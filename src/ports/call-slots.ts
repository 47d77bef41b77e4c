/** Permission to call a model of the account, which all corpora share. */
/** The task types of Workers AI whose calls are counted by the minute, each apart. */
export type CallKind = 'text' | 'embedding' | 'rerank'

export interface ModelCall {
  readonly model: string
  readonly kind: CallKind
}

/** rate: the account made too many calls of this task type in a minute · capacity: the model is out of it */
export type CallTrouble = 'rate' | 'capacity'

/** Permission to call a model of the account: calls of many corpora share what the vendor allows. Never rejects itself; a call's own error is passed on. */
export interface CallSlots {
  with<T>(call: ModelCall, run: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Calls of a model that questions have made, and the last trouble they had. */
export interface QuestionCalls extends ModelCall {
  readonly calls: number
  readonly trouble?: CallTrouble
}

/** The one object that lends calls: so many at once of a model, so many a minute of a task type. */
export interface GovernorObject {
  /** The id of a slot, or `null`: none came free within `patience` milliseconds, ask again. */
  acquire(call: ModelCall & { readonly party: string; readonly patience: number }): Promise<string | null>
  release(id: string, trouble?: CallTrouble): Promise<void>
  /** Questions ask for no slot and are counted afterwards: indexing makes room for them. */
  note(calls: readonly QuestionCalls[]): Promise<void>
}
