/** What a change touched, in words. */
import type { CommitReceipt } from '../api/receipts'
import { plural } from './numbers'

const COUNTED: readonly (readonly [kind: string, one: string])[] = [
  ['documents', 'document'],
  ['chunks', 'chunk'],
  ['nodes', 'node'],
  ['edges', 'edge'],
]

export function touchedWords(touched: CommitReceipt['touched']): string {
  const said = COUNTED.flatMap(([kind, one]) => ((touched[kind] ?? 0) > 0 ? [plural(touched[kind] ?? 0, one)] : []))
  return said.join(', ') || 'only indexes'
}
