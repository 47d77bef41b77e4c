/**
 * What Clue-RAG's selection remembers: how many tokens there are, how many were given to the model, the density that is good enough, and Σ of all
 * chunk vectors. Integers, so that a delete undoes an insert.
 */
import type { GraphReader } from '../../graph/reader'
import type { Change, Value } from '../../graph/types'

export const SPACE = 'cluerag'
const LEDGER = 'ledger'
const SUM = 'sum'
/** Chunks chosen for the model; key = chunk id, value = tokens paid. */
export const CORE = 'cluerag-core'

export interface Ledger {
  readonly tokens: number
  readonly chunks: number
  /** Tokens of the chosen chunks; at most α · tokens each time a chunk is chosen. */
  readonly spent: number
  /** Value per token from which an arriving chunk is chosen. */
  readonly threshold: number
}

export function ledgerOf(graph: GraphReader): Ledger {
  const value = graph.value(SPACE, LEDGER)
  return value && !(value instanceof Uint8Array) ? (value as unknown as Ledger) : { tokens: 0, chunks: 0, spent: 0, threshold: 0 }
}

export function sumOf(graph: GraphReader): Int32Array {
  const bytes = graph.value(SPACE, SUM)
  return bytes instanceof Uint8Array ? new Int32Array(bytes.slice().buffer) : new Int32Array(graph.dimensions)
}

export function putLedger(ledger: Ledger, sum: Int32Array): Change[] {
  if (ledger.chunks === 0) {
    return [
      { op: 'drop-value', space: SPACE, key: LEDGER },
      { op: 'drop-value', space: SPACE, key: SUM },
    ]
  }
  const bytes: Value = new Uint8Array(sum.slice().buffer)
  return [
    { op: 'put-value', space: SPACE, key: LEDGER, value: { ...ledger } },
    { op: 'put-value', space: SPACE, key: SUM, value: bytes },
  ]
}
