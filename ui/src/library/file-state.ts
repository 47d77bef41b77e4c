/** How far a file is on its way in, and why one was not taken. */
export type Phase = 'waiting' | 'sending' | 'sent' | 'unchanged'

export interface FileState {
  readonly name: string
  readonly phase: Phase
  /** By which it is indexed. */
  readonly job?: string
  /** To be sent again. */
  readonly file?: File | undefined
  /** It is being sent with others. */
  readonly isTogether?: boolean
}

export interface Refused {
  readonly name: string
  readonly why: string
  /** To be sent again: it was the service that did not take it, or it was not sent. */
  readonly file?: File
}
