export interface Verdict {
  readonly verdict: 'whole' | 'moved' | 'broken'
  readonly version: number
  /** Hash of the last receipt. */
  readonly head: string
  readonly rows: number
  readonly receipts: number
  readonly faults: readonly string[]
}
export function verified(lines: AsyncIterable<string> | Iterable<string>): Promise<Verdict>
export function canonical(value: unknown): string
