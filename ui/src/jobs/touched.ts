/** What a change touched, in words. */
import type { CommitReceipt } from '../../../src/client/client'
import { plural } from '../shared/numbers'

const COUNTED: readonly (readonly [kind: keyof CommitReceipt['touched'], one: string])[] = [
  ['documents', 'document'],
  ['chunks', 'chunk'],
  ['nodes', 'node'],
  ['edges', 'edge'],
]

export function touchedWords(touched: CommitReceipt['touched']): string {
  const said = COUNTED.flatMap(([kind, one]) => (touched[kind] > 0 ? [plural(touched[kind], one)] : []))
  return said.join(', ') || 'only indexes'
}
