/** Pinned questions, each with the documents that must answer it. */
import type { Vector } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import type { ProbeInput, ProbesView } from '../../../src/ports'
import { type Ledger, readMeta, writeMeta } from '../store'

export interface Probe {
  readonly n: number
  readonly query: string
  readonly expect: readonly string[]
  readonly vector?: Vector
}

interface Row {
  readonly n: number
  readonly query: string
  readonly expect: string
  readonly vector: ArrayBuffer | null
}

type Bounds = Pick<ProbesView, 'k' | 'tolerance'>

/**
 * All at once: what was pinned before is forgotten. One transaction. False, and nothing written, where others are pinned than the
 * revision `ifMatch` names: they were pinned after the caller looked.
 */
export function pin(ledger: Ledger, probes: readonly ProbeInput[], bounds: Bounds, ifMatch?: string): boolean {
  return ledger.atomically(() => {
    if (ifMatch !== undefined && ifMatch !== pinned(ledger).revision) return false
    ledger.sql.run('DELETE FROM probe')
    for (const { query, expect, vector } of probes) {
      const bytes = vector ? new Uint8Array(vector.buffer, vector.byteOffset, vector.length) : null
      ledger.sql.run('INSERT INTO probe (query, expect, vector) VALUES (?, ?, ?)', query, JSON.stringify(expect), bytes)
    }
    writeMeta(ledger.sql, 'probes', JSON.stringify(bounds))
    return true
  })
}

export function pinned(ledger: Pick<Ledger, 'sql'>): ProbesView {
  const text = readMeta(ledger.sql, 'probes')
  const { k, tolerance } = text ? (JSON.parse(text) as Bounds) : { k: 10, tolerance: 0.02 }
  const rows = ledger.sql.all<Row>('SELECT n, query, expect FROM probe ORDER BY n')
  const probes = rows.map(({ query, expect }) => ({ query, expect: JSON.parse(expect) as string[] }))
  return { probes, k, tolerance, revision: fingerprint(JSON.stringify([k, tolerance, probes])) }
}

/** The next few after a number. */
export function probesAfter(ledger: Pick<Ledger, 'sql'>, after: number, limit: number): Probe[] {
  const rows = ledger.sql.all<Row>('SELECT n, query, expect, vector FROM probe WHERE n > ? ORDER BY n LIMIT ?', after, limit)
  return rows.map(({ n, query, expect, vector }) => ({
    n,
    query,
    expect: JSON.parse(expect) as string[],
    ...(vector ? { vector: new Int8Array(vector) } : {}),
  }))
}

export function probeCount(ledger: Pick<Ledger, 'sql'>): number {
  return ledger.sql.one<{ n: number }>('SELECT count(*) AS n FROM probe')?.n ?? 0
}
