/**
 * While a corpus is being asked, a part of a large change is applied in steps, so that a question waits for a few builders, not for all: its
 * texts and the first builders, then the others a few at a time, each step in a transaction of its own. Readers see none of them, as they see
 * no part (large.ts). A row says how far the part has got, so that an object that wakes goes on from there; what it needs to know of the
 * builders that have run is which things they changed, and these are in the graph.
 */
import type { ContentDelta, Integration } from '../../../src/core/graph/integrate'
import type { Change } from '../../../src/core/graph/types'
import { netChange } from '../../graph/net-change'
import { type Commit, type MadeBy, runNextBuilders } from '../jobs/builders'
import { recordTouched } from '../jobs/job-touched'
import { fillOutbox } from '../outbox/outbox'
import { changeOf, keysOf } from '../replication/changes'
import { candidateJob } from '../shadow-graph/candidate'
import type { CorpusContext } from '../store'
import type { ChangedKey } from '../tables/changed-key'
import type { Midway } from '../tables/integration'
import { BASE } from '../tables/task'
import { noteChurn } from './churn'
import { applyAndBuild, beginPart, countedOf, lent } from './integrate'
import type { Part } from './parts'

/** A part of which its texts and some builders' work are in the graph. */
export interface Halfway {
  readonly delta: ContentDelta
  /** The texts themselves as made by `BASE`. */
  readonly made: readonly MadeBy[]
}

export interface Step {
  /** Those that a receipt counts. */
  readonly counted: readonly Change[]
  /** Absent: the part is complete. */
  readonly halfway?: Halfway
  /** The number of its last entry for the sinks, once it is complete. */
  readonly seq?: number
}

/** The next step of a part; `all`: everything that is left of it. Undefined: it changes nothing. */
export function applyStep(commit: Commit, part: Part, halfway: Halfway | undefined, all: boolean): Step | undefined {
  return lent(commit, part, () => (halfway ? continued(commit, halfway, all) : begun(commit, part)))
}

function begun(commit: Commit, part: Part): Step | undefined {
  const { context, jobs, version } = commit
  const { base, unfinished } = beginPart(commit, part)
  if (!isDivisible(commit, part, base)) return applyAndBuild(commit, base, part.answers, unfinished)
  context.graph.apply(base.patch, version)
  noteChurn(context, base.delta)
  const counted = countedOf(base.patch, unfinished)
  recordTouched(context.sql, jobs, counted)
  const step = continued(commit, { delta: base.delta, made: [{ builder: BASE, changes: base.patch }] }, false)
  return { ...step, counted: [...counted, ...step.counted] }
}

/** Only what adds texts: what was removed is no longer in the graph, so an object that wakes could not give it to the builders that are left. */
function isDivisible({ context, unitOfWork }: Commit, { answers }: Part, { delta }: Integration): boolean {
  const removed = delta.removed.length + delta.documents.removed.length
  return delta.added.length > 0 && removed + answers.length === 0 && !candidateJob(context, unitOfWork)
}

function continued(commit: Commit, { delta, made: before }: Halfway, all: boolean): Step {
  const { context, jobs, version } = commit
  const { made, isDone } = runNextBuilders(commit, delta, before, all)
  const counted = made.flatMap((one) => one.changes)
  recordTouched(context.sql, jobs, counted)
  const whole = [...before, ...made]
  if (!isDone) return { counted, halfway: { delta, made: whole } }
  const changes = whole.flatMap((one) => one.changes)
  return { counted, seq: fillOutbox(context, changes, version) }
}

/** What an object that wakes is told. */
export function rowOf({ delta, made }: Halfway): Midway {
  return {
    chunks: delta.added.map(({ id }) => id),
    documents: delta.documents.added.map(({ id }) => id),
    made: made.filter((one) => one.builder !== BASE).map(({ builder, changes }) => [builder, keysOf(netChange(changes))]),
  }
}

/** From the graph that is being written: each thing as it is there now. */
export function recalled({ graph }: Pick<CorpusContext, 'graph'>, { chunks, documents, made }: Midway): Halfway {
  const changed = (keys: readonly ChangedKey[]): Change[] => keys.flatMap((key) => changeOf({ graph }, key) ?? [])
  const texts = [...chunks.map((id): ChangedKey => ['c', id]), ...documents.map((id): ChangedKey => ['d', id])]
  const added = chunks.flatMap((id) => graph.chunk(id) ?? [])
  return {
    delta: { added, removed: [], documents: { added: documents.flatMap((id) => graph.document(id) ?? []), removed: [] } },
    made: [{ builder: BASE, changes: changed(texts) }, ...made.map(([builder, keys]) => ({ builder, changes: changed(keys) }))],
  }
}
