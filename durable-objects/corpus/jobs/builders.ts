/**
 * Runs builders within a commit: what they make is in the graph at once, so that each sees the result of the one before; their tasks belong
 * to the jobs that the commit works for. Runs inside the caller's transaction.
 */
import type { Change, Patch } from '../../../src/core/graph/types'
import type { Builder, Delta, Reply, Update } from '../../../src/core/strategy'
import type { CorpusContext } from '../store'
import { deleteRepliesMadeFrom } from '../tables/cache'
import { CANDIDATE_PREFIX, isOfCandidate } from '../tables/task'
import { deleteUnwrittenNodes } from '../tables/unwritten'
import type { Job } from './job'
import type { JobUnitOfWork } from './jobs'
import { addTasks, cancelTasks } from './tasks'

/** A reply and the builder it belongs to. */
export interface Answer {
  readonly builder: string
  readonly reply: Reply
}

/** In progress: for which jobs, and the version being made. */
export interface Commit {
  readonly context: CorpusContext
  readonly unitOfWork: JobUnitOfWork
  readonly jobs: readonly Job[]
  readonly version: number
  /** What is removed comes back at once with the same text: replies made from it stay true. */
  readonly isRenewal?: boolean
}

/** Builders run in registry order; each sees the graph as the previous one left it. */
export function runBuilders(commit: Commit, delta: Omit<Delta, 'replies'>, answers: readonly Answer[]): Change[] {
  const { graph, config, builders, sql } = commit.context
  const moved = delta.added.length + delta.removed.length + delta.documents.added.length + delta.documents.removed.length > 0
  const made = new BuilderOutput(commit)
  const gone = commit.isRenewal ? [] : delta.removed.map((one) => one.chunk.id)
  deleteRepliesMadeFrom(sql, gone)
  for (const builder of builders) {
    const replies = answers.filter((one) => one.builder === builder.name).map((one) => one.reply)
    const changes = made.changesFollowedBy(builder)
    if (!moved && replies.length === 0 && !changes?.length) continue
    made.take(builder, builder.update(graph, { ...delta, replies, ...(changes ? { changes } : {}) }, config.settings))
  }
  return made.changes
}

/** A builder that has run, and what it changed. */
export interface MadeBy {
  readonly builder: string
  readonly changes: Patch
}

const FEW = 4 // changes: a builder that makes more has worked long enough for a question to be waiting

/**
 * The next builders after those that have run, as many as make few changes and one that makes more; with `all`, every one that is left. Together the
 * calls do what `runBuilders` does for texts that are added.
 */
export function runNextBuilders(
  commit: Commit,
  delta: Omit<Delta, 'replies'>,
  before: readonly MadeBy[],
  all: boolean,
): { readonly made: readonly MadeBy[]; readonly isDone: boolean } {
  const { graph, config, builders } = commit.context
  const output = new BuilderOutput(commit, before)
  const ran = new Set(before.map((one) => one.builder))
  const made: MadeBy[] = []
  for (const builder of builders) {
    if (ran.has(builder.name)) continue
    if (!all && output.changes.length > FEW) return { made, isDone: false }
    const changes = output.changesFollowedBy(builder)
    const update = builder.update(graph, { ...delta, replies: [], ...(changes ? { changes } : {}) }, config.settings)
    output.take(builder, update)
    made.push({ builder: builder.name, changes: update.patch })
  }
  return { made, isDone: true }
}

/** Builders with a backlog process a slice of it; the builders after them are given the changes. */
export function processBuilderBacklogs(commit: Commit): Change[] {
  const { graph, config, builders } = commit.context
  const made = new BuilderOutput(commit)
  for (const builder of builders) {
    const isLeft = builder.hasBacklog?.(graph)
    const changes = made.changesFollowedBy(builder)
    if (changes?.length) made.take(builder, builder.update(graph, { ...NOTHING_MOVED, replies: [], changes }, config.settings))
    if (isLeft && builder.processBacklog) made.take(builder, builder.processBacklog(graph, config.settings))
  }
  return made.changes
}

/** What was decided in the name of a builder, and what the builders that follow it make of it. */
export function runFollowing(commit: Commit, name: string, patch: Patch): Change[] {
  const { graph, config, builders } = commit.context
  const made = new BuilderOutput(commit)
  for (const builder of builders) {
    if (builder.name === name) made.take(builder, { patch, tasks: [] })
    const changes = made.changesFollowedBy(builder)
    if (changes?.length) made.take(builder, builder.update(graph, { ...NOTHING_MOVED, replies: [], changes }, config.settings))
  }
  return made.changes
}

export const NOTHING_MOVED = { added: [], removed: [], documents: { added: [], removed: [] } }

/** What builders have made in one commit: in the graph at once, with their tasks assigned to the jobs. */
class BuilderOutput {
  readonly changes: Change[] = []
  readonly #by = new Map<string, Change[]>()
  readonly #commit: Commit

  /** `before`: what has run in earlier steps of the same part. */
  constructor(commit: Commit, before: readonly MadeBy[] = []) {
    this.#commit = commit
    for (const { builder, changes } of before) this.#by.set(builder, [...changes])
  }

  /** What the builders it follows have changed; undefined if it follows none. */
  changesFollowedBy({ follows }: Builder): Patch | undefined {
    return follows?.flatMap((name) => this.#by.get(name) ?? [])
  }

  take(builder: Builder, update: Update): void {
    const { context, unitOfWork, jobs, version } = this.#commit
    if (update.patch.length > 0) context.graph.apply(update.patch, version)
    const gone = update.patch.flatMap((change) => (change.op === 'drop-node' ? [change.id] : [])) // a removed node needs no text
    if (gone.length > 0) deleteUnwrittenNodes(context.sql, gone, CANDIDATE_PREFIX, isOfCandidate(builder.name))
    this.changes.push(...update.patch)
    this.#by.set(builder.name, [...(this.#by.get(builder.name) ?? []), ...update.patch])
    cancelTasks(context.sql, unitOfWork, builder.name, update.cancelled ?? [])
    addTasks(context.sql, update.tasks, jobs)
  }
}

/** Has a builder left a backlog? O(1). */
export function hasBacklog({ builders, graph }: Pick<CorpusContext, 'builders' | 'graph'>): boolean {
  return builders.some((builder) => builder.hasBacklog?.(graph))
}
