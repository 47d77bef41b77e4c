/**
 * One builder's work on the whole graph that is served: drafted, weighed by the probes a few at a time, then written or refused. What
 * was drafted stays in memory between two slices; after a crash, and when the graph has changed meanwhile, it is drafted anew.
 */
import { fingerprint } from '../../../src/core/ids'
import type { Update } from '../../../src/core/strategy'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import { type Measuring, record } from '../gate/gate'
import { judged, type Verdict } from '../gate/measure'
import { pinned, probeCount } from '../gate/probes'
import { weighSome } from '../gate/weigh'
import type { Ledger } from '../store'
import { publish } from '../told/publish'
import type { Job } from '../work/jobs'
import { addTasks } from '../work/tasks'

/** A slice, inside its transaction: how far the probes have got, or undefined when the builder is done. */
export function consolidateSome(ledger: Ledger, job: Job, name: string, begun: Measuring | undefined): Measuring | undefined {
  const update = drafted(ledger, name)
  const weighs = update !== undefined && update.patch.length > 0 && probeCount(ledger) > 0
  const further = weighs ? weighSome(ledger, update.patch, name, begun) : undefined
  if (further) return further
  const verdict: Verdict | undefined = weighs ? judged(begun?.asked ?? {}, pinned(ledger)) : undefined
  if (verdict) record(ledger, job, verdict)
  forgetDraft(ledger)
  if (update && !verdict?.refused) {
    if (update.patch.length > 0) ledger.graph.apply(update.patch, ledger.graph.version + 1)
    addTasks(ledger.sql, update.tasks, [job])
    publish(ledger, [job], update.patch)
  }
  return undefined
}

/** What was drafted and will not be written need not be remembered. */
export function forgetDraft({ graph }: Pick<Ledger, 'graph'>): void {
  kept.delete(graph)
}

interface Kept {
  /** Builder, settings, and where the graph stood. */
  readonly of: string
  readonly update: Update | undefined
}

const kept = new WeakMap<SqliteGraph, Kept>()

function drafted(ledger: Ledger, name: string): Update | undefined {
  const { graph, config, builders } = ledger
  const of = fingerprint(name, String(graph.changes), JSON.stringify(config.settings))
  const known = kept.get(graph)
  if (known?.of === of) return known.update
  const update = builders.find((one) => one.name === name)?.consolidate?.(graph, config.settings)
  kept.set(graph, { of, update })
  return update
}
