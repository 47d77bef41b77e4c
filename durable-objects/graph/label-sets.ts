/** Lists of labels, each a row with a number that it keeps for good, and which of them somebody may read. */
import { ordered } from '../../src/core/access/labels'
import type { Sql } from '../sql'

export const UNLABELLED = 0
export const UNKNOWN = -1 // a stale text: what it was written from is not known any more
/** Stands for a document without labels in a list that several documents of one chunk make together. */
export const NONE = ''

export class LabelSets {
  readonly #sql: Sql
  readonly #lists = new Map<number, readonly string[]>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** After a transaction was undone, a number may be given anew. */
  forget(): void {
    this.#lists.clear()
  }

  list(number: number): readonly string[] {
    const known = this.#lists.get(number)
    if (known) return known
    const row = this.#sql.one<{ labels: string }>('SELECT labels FROM label_set WHERE n = ?', number)
    const labels = row ? (JSON.parse(row.labels) as string[]) : []
    this.#lists.set(number, labels)
    return labels
  }

  /** The highest number given so far; 0: none. */
  last(): number {
    return this.#sql.one<{ n: number | null }>('SELECT max(n) AS n FROM label_set')?.n ?? 0
  }

  number(labels: readonly string[]): number {
    const list = JSON.stringify(ordered(labels))
    this.#sql.run('INSERT OR IGNORE INTO label_set (labels) VALUES (?)', list)
    return this.#sql.one<{ n: number }>('SELECT n FROM label_set WHERE labels = ?', list)?.n ?? UNKNOWN
  }
}

/** Which numbers stand for lists that may be read; each is decided once. `reads` decides on a list of labels. */
export function allowance(sets: LabelSets, reads: (labels: readonly string[]) => boolean): (number: number) => boolean {
  const unlabelled = reads([])
  const known = new Map<number, boolean>([
    [UNLABELLED, unlabelled],
    [UNKNOWN, false],
  ])
  return (number) => {
    const before = known.get(number)
    if (before !== undefined) return before
    const allowed = sets.list(number).some((label) => (label === NONE ? unlabelled : reads([label])))
    known.set(number, allowed)
    return allowed
  }
}

/** Compared one by one: to join or hash a thousand principals takes longer than the rest of the check. */
export function sameLabels(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((label, i) => label === b[i]))
}
