/** A part of a change folded into the graph, with what builders make of it. Runs inside the caller's transaction. */
import { integrate } from '../../../src/core/graph/integrate'
import type { Change, Chunk, ChunkVectors } from '../../../src/core/graph/types'
import { unpackChunk } from '../../graph/rows'
import { chunkBefore } from '../../graph/snapshot'
import { noteChurn } from '../maintenance/scheduled-maintenance'
import { fillOutbox } from '../outbox/outbox'
import { candidateJob, follow } from '../shadow-graph/candidate'
import type { CorpusContext } from '../store'
import { type Commit, runBuilders } from './builders'
import { recordTouched } from './job-touched'
import type { Part } from './parts'
import { concat, loadComing, loadGoing } from './with-vectors'

export interface Integrated {
  readonly changes: readonly Change[]
  /** Number of its last entry for the sinks. */
  readonly seq: number
}

/** Undefined if it changed nothing. */
export function integratePart(commit: Commit, { upserts, deletes, answers }: Part): Integrated | undefined {
  const { context, unitOfWork, jobs, version } = commit
  const shorter = deletes.flatMap((one) => loadGoing(context, one) ?? [])
  const base = integrate(context.graph, {
    upserts: [...upserts.map((one) => loadComing(context, one)), ...shorter],
    deletes: deletes.filter((one) => !one.chunks).map((one) => one.revision.document),
  })
  // Before the texts: what is written from them is told by their labels.
  for (const { revision } of upserts) context.graph.access.assign(revision.document, JSON.parse(revision.access) as string[])
  if (base.patch.length > 0) context.graph.apply(base.patch, version)
  keepAwaited(context, base.delta.removed)
  noteChurn(context, base.delta)
  const changes = [...base.patch, ...runBuilders(commit, base.delta, answers)]
  const candidate = base.patch.length > 0 ? candidateJob(context, unitOfWork) : undefined
  if (candidate) follow(context, unitOfWork, candidate, base.delta)
  if (changes.length === 0) return undefined
  recordTouched(context.sql, jobs, changes)
  return { changes, seq: fillOutbox(context, changes, version, base.delta.removed) }
}

/** A chunk that has just left the graph may be part of a version still being staged: it waits there, with its vectors. */
function keepAwaited({ sql }: CorpusContext, removed: readonly { readonly chunk: Chunk; readonly vectors: ChunkVectors }[]): void {
  for (const { chunk, vectors } of removed) {
    if (!sql.one('SELECT 1 FROM awaited WHERE chunk = ? LIMIT 1', chunk.id)) continue
    sql.run(
      'INSERT OR REPLACE INTO staged (chunk, body, passages, units) VALUES (?, ?, ?, ?)',
      chunk.id,
      JSON.stringify(chunk),
      concat(vectors.passages),
      concat(vectors.units),
    )
  }
}

/**
 * After all parts, in the graph they made: what left the graph and was awaited only later, by a version taken in meanwhile, which saw it
 * still there.
 */
export function keepLeft({ sql }: CorpusContext): void {
  const ids = sql.all<{
    chunk: string
  }>(`SELECT DISTINCT chunk FROM awaited a WHERE NOT EXISTS (SELECT 1 FROM staged s WHERE s.chunk = a.chunk)
    AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.id = a.chunk)`)
  for (const { chunk } of ids) {
    const row = chunkBefore(sql, chunk)
    if (!row) continue
    const body = JSON.stringify(unpackChunk(chunk, row.body))
    sql.run('INSERT INTO staged (chunk, body, passages, units) VALUES (?, ?, ?, ?)', chunk, body, row.passages, row.units)
  }
}
