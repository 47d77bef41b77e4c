/** Rows of a corpus as they go into a backup and come out of one. */

export type Cell = string | number | null | ArrayBuffer

/** Rows of one table, lists in the order of the columns. */
export interface Section {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What holds while a backup is being read: where another corpus would stand, it is begun again. */
export interface BackupMark {
  readonly version: number
  readonly state: string
  readonly accepted: number
  readonly seq: number
}

/** Behind a row: its table, and its key. */
export interface BackupPlace {
  readonly table: string
  readonly after: readonly Cell[]
}

/** `next`: where to go on; null: that was all. · busy: work is under way · changed: it is not the corpus of the mark any more */
export type BackupPage =
  | { readonly kind: 'page'; readonly mark: BackupMark; readonly sections: readonly Section[]; readonly next: BackupPlace | null }
  | { readonly kind: 'busy' | 'changed' }

/** What was deleted or relabelled after a moment, in its current state: it applies to a restored older state. Times are in ms. */
export interface Replay {
  readonly deleted: readonly { readonly document: string; readonly at: number }[]
  readonly access: readonly {
    readonly document: string
    readonly at: number
    readonly access: readonly string[]
    readonly active: boolean
  }[]
}

/** `from`: since when it is known what was; null: from the beginning. */
export interface Withdrawals extends Replay {
  readonly from: number | null
}

export interface RestorePart {
  readonly backup: string
  readonly part: number
  /** Of the part before, and of this one. */
  readonly before: string
  readonly digest: string
  readonly sections: readonly Section[]
  /** Of the first part: what the graph must come to. */
  readonly state?: string
  /** Of the first part: when the backup was taken, ms. */
  readonly takenAt?: number
  /** Of the last: rows by table. */
  readonly end?: { readonly [table: string]: number }
  /** With the last part: what still applies before the corpus answers. */
  readonly replay?: Replay
}

export interface RestoreState {
  readonly backup: string
  readonly part: number
  readonly digest: string
  readonly rows: number
  readonly isDone: boolean
  readonly takenAt: number | null
  /** Documents and changes of access that are still to be replayed; until then it answers nothing. */
  readonly replaying: number
  readonly version: number | null
  readonly state: string | null
  readonly job: string | null
}

/** refused: why, for people; nothing was changed */
export type RestoreOutcome = { readonly kind: 'taken'; readonly state: RestoreState } | { readonly kind: 'refused'; readonly why: string }
