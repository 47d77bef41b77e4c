/**
 * One builder's work on the whole served graph: drafted, compared by the probes a few at a time, then written or rejected. The draft stays
 * in memory between two slices; after a crash, and when the graph has changed meanwhile, it is drafted again.
 */
import type { GraphReader } from '../../../src/core/graph/reader'
import { fingerprint } from '../../../src/core/ids'
import type { Update } from '../../../src/core/strategy'
import { Kept } from '../../graph/kept'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import type { Job } from '../jobs/job'
import { publish } from '../jobs/publish'
import { addTasks } from '../jobs/tasks'
import { type Measuring, recordVerdict, resumeMeasuring } from '../quality-gate/gate'
import { judge, type Verdict } from '../quality-gate/measure'
import { pinnedProbes, probeCount } from '../quality-gate/probes'
import { weighNext } from '../quality-gate/weigh'
import { withCandidate } from '../shadow-graph/with-candidate'
import type { CorpusContext } from '../store'
import { CANDIDATE_PREFIX } from '../tables/task'
import { FIRST_PACE, nextPace, type Pace } from './pace'

/** A slice, inside its transaction: how far the probes have got, or undefined when the builder is done. */
export function consolidateSlice(context: CorpusContext, job: Job, name: string, begun: Measuring | undefined): Measuring | undefined {
  const draft = advanceDraft(context, name, context.graph)
  if (draft.steps) return resumeMeasuring(context, begun)
  const { update } = draft
  const weighs = update !== undefined && update.patch.length > 0 && probeCount(context) > 0
  const further = weighs ? weighNext(context, update.patch, name, begun) : undefined
  if (further) return further
  const verdict: Verdict | undefined = weighs ? judge(begun?.asked ?? {}, pinnedProbes(context)) : undefined
  if (verdict) recordVerdict(context, job, verdict)
  forgetDraft(context)
  if (update && !verdict?.refused) {
    if (update.patch.length > 0) context.graph.apply(update.patch, context.graph.version + 1)
    addTasks(context.sql, update.tasks, [job])
    publish(context, [job], update.patch)
  }
  return undefined
}

/** The same for the graph that is derived again next to the served one, which the gate will compare as a whole. False: there is more to do. */
export function consolidateCandidate(context: CorpusContext, job: Job, name: string): boolean {
  return withCandidate(context, (candidate) => {
    const { steps, update } = advanceDraft(candidate, CANDIDATE_PREFIX + name, context.graph)
    if (steps) return false
    forgetDraft(context)
    if (!update) return true
    if (update.patch.length > 0) candidate.graph.apply(update.patch, candidate.graph.version)
    addTasks(context.sql, update.tasks, [job])
    return true
  })
}

/** A draft that will not be written need not be remembered. */
export function forgetDraft({ graph }: Pick<CorpusContext, 'graph'>): void {
  drafts.delete(graph)
  begun.delete(graph)
}

interface Draft {
  /** Builder and settings. */
  readonly of: string
  /** The graph's state when it was done. */
  at: number
  /** Still to be computed. */
  steps: Iterator<number, Update> | undefined
  /** Makes the steps read this graph: a candidate's is a new object in every slice. */
  readonly show: (graph: GraphReader) => void
  update: Update | undefined
  pace: Pace
  /** Its approximate size. */
  readonly bytes: number
}

const ENTITY = 11 * 1024 // bytes that an entity takes while all are clustered again (docs/archrag.md)
const TRIES = 3 // drafts made in steps whose result did not fit into memory; the next one is made in one step

/** By the served graph; for drafts in progress, how often they were begun. */
const drafts = new Kept<SqliteGraph, Draft>()
const begun = new WeakMap<SqliteGraph, { readonly of: string; readonly times: number }>()

/** The draft, advanced by a slice if it is made in steps. A finished one stays valid while the graph is unchanged. */
function advanceDraft(context: CorpusContext, name: string, served: SqliteGraph): Draft {
  const { graph, config } = context
  const of = fingerprint(name, JSON.stringify(config.settings))
  const known = drafts.get(served)
  const isLost = !known && begun.get(served)?.of === of
  const times = isLost ? (begun.get(served)?.times ?? 0) + 1 : 1
  begun.set(served, { of, times })
  const stands = known?.of === of && (known.steps || known.at === graph.changes)
  const draft = stands ? known : beginDraft(context, name, { of, inSteps: times <= TRIES })
  drafts.set(served, draft, draft.bytes, served.occupant)
  if (draft.steps) advance(draft, context)
  return draft
}

function beginDraft(
  { graph, config, builders }: CorpusContext,
  name: string,
  { of, inSteps }: { readonly of: string; readonly inSteps: boolean },
): Draft {
  const builder = builders.find((one) => one.name === name)
  const { reader, show } = switchableReader(graph)
  const steps = inSteps ? builder?.consolidating?.(reader, config.settings) : undefined
  const bytes = builder?.consolidatingHolds?.(graph) ?? 0
  const whole = (): Update | undefined => builder?.consolidate?.(graph, config.settings)
  const update = steps ? undefined : graph.occupant.memory.lendTo(bytes + ENTITY * graph.count('entity'), whole)
  return { of, at: graph.changes, steps, show, update, pace: FIRST_PACE, bytes }
}

/** A reader of whichever graph was passed last. */
function switchableReader(first: GraphReader): { readonly reader: GraphReader; readonly show: Draft['show'] } {
  let shown = first
  const reader = new Proxy(first, {
    get(_, key) {
      const held: unknown = Reflect.get(shown, key, shown)
      return typeof held === 'function' ? held.bind(shown) : held
    },
  })
  const show = (graph: GraphReader): void => {
    shown = graph
  }
  return { reader, show }
}

/** As much as takes about a seventh of a second, judging by the duration of the previous slice. */
function advance(draft: Draft, { graph, now }: CorpusContext): void {
  const { tokens } = nextPace(draft.pace, now())
  draft.show(graph)
  let taken = 0
  while (draft.steps && taken < tokens) {
    const { done, value } = draft.steps.next()
    if (done) Object.assign(draft, { steps: undefined, update: value, at: graph.changes })
    else taken += value
  }
  draft.pace = { tokens, open: { taken, began: now() } }
}
