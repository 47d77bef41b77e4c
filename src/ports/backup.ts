/** Rows of a corpus as a backup stores and restores them. */

export type Cell = string | number | null | ArrayBuffer

/** Rows of one table, each a list in the order of the columns. */
export interface Section {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What stays true while a backup is read: if another corpus takes its place, reading starts again. */
export interface BackupMark {
  readonly version: number
  readonly state: string
  readonly accepted: number
  readonly seq: number
}

/** An object before a backup of it begins: what stays true while it is read, and the hash of its last receipt. */
export interface BackupStart {
  readonly mark: BackupMark
  readonly head: string
}

/** After a row: its table, and its key. */
export interface BackupPlace {
  readonly table: string
  readonly after: readonly Cell[]
}

/** `next`: where to continue; null: that was all. · busy: work is under way · changed: it is no longer the corpus of the mark */
export type BackupPage =
  | { readonly kind: 'page'; readonly mark: BackupMark; readonly sections: readonly Section[]; readonly next: BackupPlace | null }
  | { readonly kind: 'busy' | 'changed' }

/**
 * What was deleted or relabelled after a moment, in its current state, so that it can be applied to a restored older state. Times are in
 * ms.
 */
export interface Replay {
  readonly deleted: readonly { readonly document: string; readonly at: number }[]
  readonly access: readonly {
    readonly document: string
    readonly at: number
    readonly access: readonly string[]
    readonly active: boolean
  }[]
}

/** `from`: the time since which deletions are known; null: from the beginning. */
export interface Withdrawals extends Replay {
  readonly from: number | null
}

/** What an object of a corpus in partitions must come to. */
export type RestoreGoal = Pick<BackupStart, 'head'> & Pick<BackupMark, 'state'>

/** The number of the corpus's own object among its partitions. */
export const OWN_OBJECT = -1

export interface RestorePart {
  readonly backup: string
  /** 0: nothing yet, but the object is closed from now on. */
  readonly part: number
  /** Hashes of the previous part and of this one. */
  readonly before: string
  readonly digest: string
  readonly sections: readonly Section[]
  /** Only in the first part: the digest that the graph must reach. */
  readonly state?: string
  /** The hash that the last receipt must have. */
  readonly head?: string
  /** Of a corpus in partitions, only in the first part: what its objects must come to, partitions first. */
  readonly objects?: readonly RestoreGoal[]
  /** Of a corpus in partitions: whose rows they are, and its first part. */
  readonly of?: { readonly partition: number; readonly first: number }
  /** With the last part of an object: it stays closed until all objects are complete. */
  readonly isHeld?: true
  /** It is complete, and so are all others: it is open from now on. `isEntered`: its audit log says so. */
  readonly opens?: { readonly job: string; readonly isEntered: boolean }
  /** Only in the first part: when the backup was taken, ms. */
  readonly takenAt?: number
  /** Only in the last part: rows by table. */
  readonly end?: { readonly [table: string]: number }
  /** With the last part: what must still be applied before the corpus answers. */
  readonly replay?: Replay
}

export interface RestoreState {
  readonly backup: string
  readonly part: number
  readonly digest: string
  readonly rows: number
  readonly isDone: boolean
  readonly takenAt: number | null
  /** Documents and access changes still to be replayed; until then it answers nothing. */
  readonly replaying: number
  readonly version: number | null
  readonly state: string | null
  readonly job: string | null
}

/** refused: why, in words for people; nothing was changed */
export type RestoreOutcome = { readonly kind: 'taken'; readonly state: RestoreState } | { readonly kind: 'refused'; readonly why: string }
