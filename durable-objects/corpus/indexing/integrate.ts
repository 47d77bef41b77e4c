/** Applies a part of a change to the graph, with what builders derive from it. Runs inside the caller's transaction. */
import { type Divided, type Integration, integrate } from '../../../src/core/graph/integrate'
import type { Change, Chunk, ChunkVectors } from '../../../src/core/graph/types'
import { unpackChunk } from '../../graph/rows'
import { chunkBefore } from '../../graph/snapshot'
import { type Answer, type Commit, NOTHING_MOVED, runBuilders } from '../jobs/builders'
import { recordTouched } from '../jobs/job-touched'
import { fillOutbox } from '../outbox/outbox'
import { applyToCandidate, candidateJob } from '../shadow-graph/candidate'
import type { CorpusContext } from '../store'
import { isAwaited, listAwaitedNowhere } from '../tables/awaited'
import { putStagedWithVectors } from '../tables/staged'
import { noteChurn } from './churn'
import { type Part, weightOf } from './parts'
import { concat, loadComing, loadGoing, vectorsOf } from './with-vectors'

export interface Integrated {
  readonly changes: readonly Change[]
  /** Those that a receipt counts. */
  readonly counted: readonly Change[]
  /** The number of its last entry for the sinks. */
  readonly seq: number
}

const CHUNK = 160 * 1024 // bytes that an added or removed chunk takes until everything is written, with every strategy on

/** Undefined if it changed nothing. */
export function integratePart(commit: Commit, part: Part): Integrated | undefined {
  return lent(commit, part, () => folded(commit, part))
}

/** With memory for the part. */
export function lent<T>({ context }: Commit, { upserts, deletes }: Part, work: () => T): T {
  return context.graph.occupant.memory.lendTo(CHUNK * weightOf([...upserts, ...deletes]), work)
}

function folded(commit: Commit, part: Part): Integrated | undefined {
  const { base, unfinished } = beginPart(commit, part)
  return applyAndBuild(commit, base, part.answers, unfinished)
}

/** What a part moves, with its labels assigned; nothing else is written yet. `unfinished`: documents of which later parts hold the rest. */
export function beginPart(
  { context }: Commit,
  { upserts, deletes }: Part,
): { readonly base: Integration; readonly unfinished: ReadonlySet<string> } {
  const shorter = deletes.flatMap((one) => loadGoing(context, one) ?? [])
  const base = integrate(context.graph, {
    upserts: [...upserts.map((one) => loadComing(context, one)), ...shorter],
    deletes: deletes.filter((one) => !one.chunks).map((one) => one.revision.document),
  })
  // Before the texts: what is written from them depends on their labels.
  for (const { revision } of upserts)
    context.graph.access.assign(revision.document, JSON.parse(revision.access) as string[], revision.active === 1)
  const unfinished = new Set([...upserts, ...deletes].flatMap(({ revision, chunks }) => (chunks ? [revision.document] : [])))
  return { base, unfinished }
}

/**
 * Existing chunks get other vectors: they are removed and added again, for builders and everything else, so that everything derived is what
 * it would be had they come with these vectors. No reader sees the state in between.
 */
export function renewChunks(commit: Commit, chunks: readonly Divided[]): Integrated | undefined {
  const { context } = commit
  const before = chunks.map(({ chunk }) => ({ chunk, vectors: vectorsOf(context, chunk) }))
  const renewal = { ...commit, isRenewal: true }
  const going = before.map(({ chunk }): Change => ({ op: 'drop-chunk', id: chunk.id }))
  const coming = chunks.map(({ chunk, vectors }): Change => ({ op: 'put-chunk', chunk, vectors }))
  const gone = applyAndBuild(renewal, { patch: going, delta: { ...NOTHING_MOVED, removed: before } }, [])
  const come = applyAndBuild(renewal, { patch: coming, delta: { ...NOTHING_MOVED, added: chunks.map(({ chunk }) => chunk) } }, [])
  if (!come) return undefined
  const changes = [...(gone?.changes ?? []), ...come.changes]
  return { changes, counted: changes, seq: come.seq }
}

export function applyAndBuild(
  commit: Commit,
  base: Integration,
  answers: readonly Answer[],
  unfinished: ReadonlySet<string> = new Set(),
): Integrated | undefined {
  const { context, unitOfWork, jobs, version } = commit
  if (base.patch.length > 0) context.graph.apply(base.patch, version)
  restageAwaited(context, base.delta.removed)
  noteChurn(context, base.delta)
  const changes = [...base.patch, ...runBuilders(commit, base.delta, answers)]
  const candidate = base.patch.length > 0 ? candidateJob(context, unitOfWork) : undefined
  if (candidate) applyToCandidate(context, unitOfWork, candidate, base.delta)
  if (changes.length === 0) return undefined
  const counted = countedOf(changes, unfinished)
  recordTouched(context.sql, jobs, counted)
  return { changes, counted, seq: fillOutbox(context, changes, version, base.delta.removed) }
}

/** A long document is written with each of its parts, and counts once: with the last of them. */
export function countedOf(changes: readonly Change[], unfinished: ReadonlySet<string>): readonly Change[] {
  return changes.filter((one) => one.op !== 'put-document' || !unfinished.has(one.document.id))
}

/** A chunk that has just left the graph may be part of a version still being staged: it waits there, with its vectors. */
function restageAwaited({ sql }: CorpusContext, removed: readonly { readonly chunk: Chunk; readonly vectors: ChunkVectors }[]): void {
  for (const { chunk, vectors } of removed) {
    if (!isAwaited(sql, chunk.id)) continue
    putStagedWithVectors(sql, chunk, { passages: concat(vectors.passages), units: concat(vectors.units) })
  }
}

/** After all parts, in the resulting graph: chunks that left the graph and are awaited by a version accepted meanwhile, which still saw them. */
export function restageLeft({ sql }: CorpusContext): void {
  for (const chunk of listAwaitedNowhere(sql)) {
    const row = chunkBefore(sql, chunk)
    if (row) putStagedWithVectors(sql, unpackChunk(chunk, row.body), row)
  }
}
