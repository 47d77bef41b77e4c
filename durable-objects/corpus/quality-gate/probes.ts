/** Pinned questions, each with the documents that must answer it and what was found for it last. */
import type { Probes } from '../../../src/contract/probes'
import type { Vector } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import type { PinnedProbes, ProbeInput, ProbeResults } from '../../../src/ports/probes'
import type { Sql } from '../../sql'
import { type CorpusContext, readMeta, writeMeta } from '../store'
import type { Asked } from './measure'

/** A step of `schema.ts`; once released it is not changed. What was found before had no places. */
export const WEIGHED = `
  ALTER TABLE probe ADD COLUMN weighed TEXT; -- what each strategy found at the last gate, before and after
  UPDATE probe SET found = NULL;
`

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

interface Kept {
  readonly query: string
  readonly expect: string
  readonly found: string | null
  readonly weighed: string | null
}

type Bounds = Pick<PinnedProbes, 'k' | 'tolerance'>

/**
 * All at once: what was pinned before is forgotten, but for what was found for a probe that is pinned again. One transaction. False, and
 * nothing written, where others are pinned than the revision `ifMatch` names: they were pinned after the caller looked.
 */
export function pin(context: CorpusContext, probes: readonly ProbeInput[], bounds: Bounds, ifMatch?: string): boolean {
  const { sql } = context
  return context.atomically(() => {
    const now = pinned(context)
    if (ifMatch !== undefined && ifMatch !== now.revision) return false
    // What was found among the first ten says nothing of the first five.
    const known = new Map((now.k === bounds.k ? kept(sql) : []).map((one) => [nameOf(one.query, one.expect), one]))
    sql.run('DELETE FROM probe')
    for (const { query, expect, vector } of probes) {
      const bytes = vector ? new Uint8Array(vector.buffer, vector.byteOffset, vector.length) : null
      const same = known.get(nameOf(query, JSON.stringify(expect)))
      const row = [query, JSON.stringify(expect), bytes, same?.found ?? null, same?.weighed ?? null]
      sql.run('INSERT INTO probe (query, expect, vector, found, weighed) VALUES (?, ?, ?, ?, ?)', ...row)
    }
    writeMeta(sql, 'probes', JSON.stringify(bounds))
    return true
  })
}

const nameOf = (query: string, expect: string): string => JSON.stringify([query, expect])

const kept = (sql: Sql): readonly Kept[] => sql.all<Kept>('SELECT query, expect, found, weighed FROM probe ORDER BY n')

export function pinned({ sql }: Pick<CorpusContext, 'sql'>): PinnedProbes {
  const text = readMeta(sql, 'probes')
  const { k, tolerance } = text ? (JSON.parse(text) as Bounds) : { k: 10, tolerance: 0.02 }
  const probes = kept(sql).map(({ query, expect }) => ({ query, expect: JSON.parse(expect) as string[] }))
  return { probes, k, tolerance, revision: fingerprint(JSON.stringify([k, tolerance, probes])) }
}

/** What is pinned, each with what was found for it last. */
export function measured(context: Pick<CorpusContext, 'sql'>): Probes {
  const results = resultsOf(context)
  const view = pinned(context)
  return { ...view, probes: view.probes.map((one, i) => ({ ...one, ...(results[i] ?? { last: null, gate: null }) })) }
}

/** In the order the probes are pinned in. */
export function resultsOf({ sql }: Pick<CorpusContext, 'sql'>): readonly ProbeResults[] {
  return kept(sql).map(({ found, weighed }) => ({
    last: found ? (JSON.parse(found) as ProbeResults['last']) : null,
    gate: weighed ? (JSON.parse(weighed) as ProbeResults['gate']) : null,
  }))
}

export function keepFound({ sql }: Pick<CorpusContext, 'sql'>, { n }: Probe, last: NonNullable<ProbeResults['last']>): void {
  sql.run('UPDATE probe SET found = ? WHERE n = ?', JSON.stringify(last), n)
}

/** With the gate's verdict: what it was reached by. A probe that was not asked then has no part in it. */
export function keepWeighed({ sql }: Pick<CorpusContext, 'sql'>, asked: Asked, of: Omit<NonNullable<ProbeResults['gate']>, 'found'>): void {
  sql.run('UPDATE probe SET weighed = NULL')
  for (const [n, found] of Object.entries(asked)) {
    sql.run('UPDATE probe SET weighed = ? WHERE n = ?', JSON.stringify({ ...of, found } satisfies ProbeResults['gate']), Number(n))
  }
}

const PROBE = 'SELECT n, query, expect, vector FROM probe'

/** The next few after a number. */
export function probesAfter({ sql }: Pick<CorpusContext, 'sql'>, after: number, limit: number): Probe[] {
  return sql.all<Row>(`${PROBE} WHERE n > ? ORDER BY n LIMIT ?`, after, limit).map(probeOf)
}

/** One that the schedule has not asked yet, or not since then (ms). */
export function probeToAsk({ sql }: Pick<CorpusContext, 'sql'>, since: number): Probe | undefined {
  const row = sql.one<Row>(`${PROBE} WHERE found IS NULL OR found ->> '$.at' < ? ORDER BY found IS NOT NULL, n LIMIT 1`, since)
  return row && probeOf(row)
}

function probeOf({ n, query, expect, vector }: Row): Probe {
  return { n, query, expect: JSON.parse(expect) as string[], ...(vector ? { vector: new Int8Array(vector) } : {}) }
}

export function probeCount({ sql }: Pick<CorpusContext, 'sql'>): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM probe')?.n ?? 0
}
