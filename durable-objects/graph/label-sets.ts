/** Lists of labels, each a row with a permanent number, and which of them somebody may read. */
import { ordered } from '../../src/core/access/labels'
import type { Sql } from '../sql'

export const UNLABELLED = 0
export const UNKNOWN = -1 // a stale text: what it was written from is no longer known
/** Stands for a document without labels in a list that several documents of one chunk make together. */
export const NONE = ''
/**
 * Prefixed to each label of a document that is switched off: nobody holds such a principal, and it is still known who may read the
 * document.
 */
const INACTIVE = '\0'
const INACTIVE_LIST = '["\\u0000%' // such a list, as stored: sorted, so that the mark comes first

export const markInactive = (labels: readonly string[]): readonly string[] =>
  labels.length === 0 ? [INACTIVE + NONE] : labels.map((label) => INACTIVE + label)

export const isInactive = (labels: readonly string[]): boolean => labels.some((label) => label.startsWith(INACTIVE))

/** Without the mark. */
export function ownLabels(labels: readonly string[]): readonly string[] {
  return isInactive(labels) ? labels.map((label) => label.slice(INACTIVE.length)).filter((label) => label !== NONE) : labels
}

export class LabelSets {
  readonly #sql: Sql
  readonly #lists = new Map<number, readonly string[]>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** After a transaction was undone, a number may be given again. */
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

/** Which numbers stand for lists that may be read; each is decided once. `reads` decides about a list of labels. */
export function allowance(
  sets: LabelSets,
  reads: (labels: readonly string[]) => boolean,
  { withInactive }: { readonly withInactive: boolean },
): (number: number) => boolean {
  const unlabelled = reads([])
  const readsOne = (label: string): boolean => {
    if (label.startsWith(INACTIVE)) return withInactive && readsOne(label.slice(INACTIVE.length))
    return label === NONE ? unlabelled : reads([label])
  }
  const known = new Map<number, boolean>([
    [UNLABELLED, unlabelled],
    [UNKNOWN, false],
  ])
  return (number) => {
    const before = known.get(number)
    if (before !== undefined) return before
    const allowed = sets.list(number).some(readsOne)
    known.set(number, allowed)
    return allowed
  }
}

/** Compared one by one: joining or hashing a thousand principals would take longer than the rest of the check. */
export function sameLabels(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((label, i) => label === b[i]))
}

/** The documents' labels, as far as the asker matters for them. Remembered until `forget`. */
export class LabelUse {
  readonly #sql: Sql
  #used: boolean | undefined
  #inactive: boolean | undefined
  #labelled: boolean | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  forget(used?: boolean): void {
    this.#used = used || undefined
    this.#inactive = undefined
    this.#labelled = undefined
  }

  /** Whether it is used, if that has been looked up. */
  get known(): boolean | undefined {
    return this.#used
  }

  /** Has any document labels, or is one switched off? */
  get isUsed(): boolean {
    this.#used ??= this.#sql.one('SELECT 1 FROM access LIMIT 1') !== undefined
    return this.#used
  }

  /** Is any document switched off? */
  get hasInactive(): boolean {
    this.#inactive ??= this.isUsed && this.#any('labels LIKE ?', INACTIVE_LIST)
    return this.#inactive
  }

  /** Does any document have its own labels? */
  get hasLabels(): boolean {
    this.#labelled ??= this.isUsed && this.#any('labels <> ?', JSON.stringify(markInactive([])))
    return this.#labelled
  }

  /** O(lists of labels). */
  #any(where: string, value: string): boolean {
    const statement = `SELECT 1 FROM label_set s WHERE ${where} AND EXISTS (SELECT 1 FROM access a WHERE a.label_set = s.n) LIMIT 1`
    return this.#sql.one(statement, value) !== undefined
  }
}
