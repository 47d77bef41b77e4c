/** Pinned questions, each with the documents that must answer it and what was found for it last. */
import type { Finding } from '../../../src/contract/probes'
import type { Asker } from '../../../src/core/access/labels'
import type { Vector } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import type { PinnedProbes, ProbeInput, ProbeResults } from '../../../src/ports/probes'
import { mayRead } from '../access/readable'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import {
  clearProbesWeighed,
  countProbes,
  deleteAllProbes,
  findProbeNotFoundSince,
  insertProbe,
  listProbeResults,
  listProbesAfter,
  type ProbeRow,
  setProbeFound,
  setProbeWeighed,
} from '../tables/probe'

export interface Probe {
  readonly n: number
  readonly query: string
  readonly expect: readonly string[]
  readonly vector?: Vector
  /** The vector from the model that the corpus is being moved to. */
  readonly moved?: Vector
}

/** One probe, with every strategy that has results both before and after a change. */
export type FindingPairs = { readonly [strategy: string]: { readonly before: Finding; readonly after: Finding } }

/** By the probe's number. */
export type ProbeFindings = { readonly [n: string]: FindingPairs }

/** The pinned probes, with what was found. */
type AskedProbes = Omit<PinnedProbes, 'probes'> & { readonly probes: readonly (PinnedProbes['probes'][number] & ProbeResults)[] }

type Bounds = Pick<PinnedProbes, 'k' | 'tolerance'>

/**
 * Replaces all: what was pinned before is forgotten, except what was found for a probe that is pinned again. One transaction. False, with nothing written,
 * if others are pinned than the revision that `ifMatch` names: they were pinned after the caller read them.
 */
export function pinProbes(context: CorpusContext, probes: readonly ProbeInput[], bounds: Bounds, ifMatch?: string): boolean {
  const { sql } = context
  return context.atomically(() => {
    const now = pinnedProbes(context)
    if (ifMatch !== undefined && ifMatch !== now.revision) return false
    // What was found among the first ten says nothing of the first five.
    const known = new Map((now.k === bounds.k ? listProbeResults(sql) : []).map((one) => [nameOf(one.query, one.expect), one]))
    deleteAllProbes(sql)
    for (const { query, expect, vector } of probes) {
      const bytes = vector ? new Uint8Array(vector.buffer, vector.byteOffset, vector.length) : null
      const same = known.get(nameOf(query, JSON.stringify(expect)))
      const result = { found: same?.found ?? null, weighed: same?.weighed ?? null }
      insertProbe(sql, { query, expect: JSON.stringify(expect), vector: bytes, ...result })
    }
    writeMeta(sql, metaKeys.probeBounds, bounds)
    return true
  })
}

const nameOf = (query: string, expect: string): string => JSON.stringify([query, expect])

export function pinnedProbes({ sql }: Pick<CorpusContext, 'sql'>): PinnedProbes {
  const { k, tolerance } = readMeta(sql, metaKeys.probeBounds) ?? { k: 10, tolerance: 0.02 }
  const probes = listProbeResults(sql).map(({ query, expect }) => ({ query, expect: JSON.parse(expect) as string[] }))
  return { probes, k, tolerance, revision: fingerprint(JSON.stringify([k, tolerance, probes])) }
}

/** The pinned probes, each with what was last found for it. */
export function probesWithResults(context: Pick<CorpusContext, 'sql'>): AskedProbes {
  const results = resultsOf(context)
  const view = pinnedProbes(context)
  return { ...view, probes: view.probes.map((one, i) => ({ ...one, ...(results[i] ?? { last: null, gate: null }) })) }
}

/** The documents that do not exist for the asker. */
export function missingOf(context: CorpusContext, documents: readonly string[], asker: Asker | undefined): readonly string[] {
  return documents.filter((id) => !context.graph.document(id) || !mayRead(context, id, asker))
}

/** In the order in which the probes are pinned. */
export function resultsOf({ sql }: Pick<CorpusContext, 'sql'>): readonly ProbeResults[] {
  return listProbeResults(sql).map(({ found, weighed }) => ({
    last: found ? (JSON.parse(found) as ProbeResults['last']) : null,
    gate: weighed ? (JSON.parse(weighed) as ProbeResults['gate']) : null,
  }))
}

export function storeFinding({ sql }: Pick<CorpusContext, 'sql'>, { n }: Probe, last: NonNullable<ProbeResults['last']>): void {
  setProbeFound(sql, n, JSON.stringify(last))
}

/** Stores the findings with the gate's verdict. Probes that were not asked are not among them. */
export function storeGateFindings(
  { sql }: Pick<CorpusContext, 'sql'>,
  asked: ProbeFindings,
  of: Omit<NonNullable<ProbeResults['gate']>, 'found'>,
): void {
  clearProbesWeighed(sql)
  for (const [n, found] of Object.entries(asked)) {
    setProbeWeighed(sql, Number(n), JSON.stringify({ ...of, found } satisfies ProbeResults['gate']))
  }
}

/** The next few after a number. */
export function probesAfter({ sql }: Pick<CorpusContext, 'sql'>, after: number, limit: number): Probe[] {
  return listProbesAfter(sql, after, limit).map(probeOf)
}

/** A probe that the schedule has not asked yet, or not since then (ms). */
export function probeToAsk({ sql }: Pick<CorpusContext, 'sql'>, since: number): Probe | undefined {
  const row = findProbeNotFoundSince(sql, since)
  return row && probeOf(row)
}

function probeOf({ n, query, expect, vector, moved }: ProbeRow): Probe {
  const vectors = { ...(vector ? { vector: new Int8Array(vector) } : {}), ...(moved ? { moved: new Int8Array(moved) } : {}) }
  return { n, query, expect: JSON.parse(expect) as string[], ...vectors }
}

export function probeCount({ sql }: Pick<CorpusContext, 'sql'>): number {
  return countProbes(sql)
}
