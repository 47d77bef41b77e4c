/** Whether a partitioned corpus is in order: counts are added up; for values compared with a bound, the worst partition counts; for times, the earliest. */
import type { CorpusHealth, Sink } from '../../contract/health'
import { addNumbers } from './jobs'

type Nodes = NonNullable<CorpusHealth['nodes']>

/**
 * Null: there is no corpus. Each partition has its own receipts, which no single number can represent: `head` is null. `probes`: those of the
 * corpus's own object. Each partition changes its graph by itself, so no gate compares the whole before and after.
 */
export function joinHealth(all: readonly CorpusHealth[], probes: CorpusHealth['probes']): CorpusHealth | null {
  if (all.length === 0) return null
  return {
    version: sum(all, (one) => one.version),
    head: null,
    last_tend: whole(all, (one) => one.last_tend),
    nodes: joinNodes(all.map((one) => one.nodes)),
    drift: all
      .flatMap((one) => one.drift ?? [])
      .reduce<CorpusHealth['drift']>((worst, one) => (worst ? mapNumbers(worst, one, Math.max) : one), null),
    quality: null,
    owed: { texts: sum(all, (one) => one.owed.texts), retry_at: earliest(all, (one) => one.owed.retry_at) },
    quarantined: sum(all, (one) => one.quarantined),
    quarantine_reasons: all.map((one) => one.quarantine_reasons).reduce(addNumbers, {}),
    retries: {
      waiting: sum(all, (one) => one.retries.waiting),
      given_up: sum(all, (one) => one.retries.given_up),
      next_at: earliest(all, (one) => one.retries.next_at),
    },
    outdated: sum(all, (one) => one.outdated),
    names: all.some((one) => one.names === 'outdated') ? 'outdated' : 'current',
    ontology: null,
    replies: {},
    outbox: { entries: sum(all, (one) => one.outbox.entries), versions_behind: Math.max(...all.map((one) => one.outbox.versions_behind)) },
    sinks: {
      index: {
        ...joinSink(all.map((one) => one.sinks.index)),
        refused: sum(all, (one) => one.sinks.index.refused),
        delay_ms: latest(all, (one) => one.sinks.index.delay_ms),
      },
      model: joinSink(all.map((one) => one.sinks.model)),
      next_sweep_at: earliest(all, (one) => one.sinks.next_sweep_at),
      swept_at: whole(all, (one) => one.sinks.swept_at),
    },
    storage: {
      bytes: sum(all, (one) => one.storage.bytes),
      limit: sum(all, (one) => one.storage.limit),
      share: Math.max(...all.map((one) => one.storage.share)), // the fullest refuses first
    },
    probes,
    gate: null,
    pending: all.some((one) => one.pending),
  }
}

/** Null until every partition was checked. */
function joinNodes(all: readonly CorpusHealth['nodes'][]): CorpusHealth['nodes'] {
  const told = all.flatMap((one) => one ?? [])
  if (told.length < all.length) return null
  const seen = sum(told, (one) => one.seen)
  const spread = (of: 'size' | 'degree'): Nodes['size'] => {
    const max = Math.max(...told.map((one) => one[of].max))
    return { mean: seen === 0 ? 0 : sum(told, (one) => one.seen * one[of].mean) / seen, max, most: max }
  }
  return {
    at: Math.min(...told.map((one) => one.at)),
    seen,
    orphans: sum(told, (one) => one.orphans),
    stale: sum(told, (one) => one.stale),
    size: spread('size'),
    degree: spread('degree'),
  }
}

/** Among faults, the one tried most often. */
function joinSink(all: readonly Sink[]): Sink {
  const faults = all.flatMap((one) => one.fault ?? []).sort((a, b) => b.tries - a.tries)
  return { fault: faults[0] ?? null, missing: sum(all, (one) => one.missing), foreign: sum(all, (one) => one.foreign) }
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}

/** Among those that have one; null: none has. */
function earliest(all: readonly CorpusHealth[], of: (one: CorpusHealth) => number | null): number | null {
  const times = all.flatMap((one) => of(one) ?? [])
  return times.length > 0 ? Math.min(...times) : null
}

function latest(all: readonly CorpusHealth[], of: (one: CorpusHealth) => number | null): number | null {
  const times = all.flatMap((one) => of(one) ?? [])
  return times.length > 0 ? Math.max(...times) : null
}

/** The earliest, if all have one: what is not yet true of one partition is not true of the corpus. */
function whole(all: readonly CorpusHealth[], of: (one: CorpusHealth) => number | null): number | null {
  return all.every((one) => of(one) !== null) ? earliest(all, of) : null
}

function mapNumbers<T extends { readonly [name in keyof T]: number }>(a: T, b: T, by: (...both: number[]) => number): T {
  return Object.fromEntries(Object.entries<number>(a).map(([name, value]) => [name, by(value, b[name as keyof T])])) as T
}
