/** The progress of a file being added, and why one was refused. */
export type Phase = 'waiting' | 'sending' | 'sent' | 'unchanged'

export interface FileState {
  readonly name: string
  readonly phase: Phase
  /** The job that indexes it. */
  readonly job?: string
  /** To be sent again. */
  readonly file?: File | undefined
  /** It is being sent with others. */
  readonly isTogether?: boolean
}

export interface Refused {
  readonly name: string
  readonly why: string
  /** Whether it can be sent again: the service did not accept it, or it was not sent. */
  readonly file?: File
}
