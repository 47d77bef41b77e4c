/**
 * One round of a runner: lease tasks, do them in parallel, commit what succeeded. Texts of many tasks are embedded together. A task that failed for a
 * passing reason is not committed: its lease runs out and it is leased again. What needs no writer is committed first; what does, as it arrives, so that a
 * killed runner loses little. A round ends within the time its tasks are lent for: afterwards they may be lent again, and nothing of it is still in
 * progress.
 */
import type { ModelFault } from '../contract/questions'
import { atOnce } from '../core/at-once'
import { workerLimits } from '../platform-limits'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { LeasedTask, TaskResult, Turn } from '../ports/tasks'
import { withAbort } from './aborting'
import { completeDraft, type Draft, divideEmbedding, embedDraft, isComplete } from './draft'
import { embedAcceptable } from './embed'
import { embeddersFor } from './embedding-model'
import { faultOf, invalid, isUnusable } from './faults'
import { asTheyCome, groups, overlapped } from './in-groups'
import { withRoleModels } from './role-models'
import { draftTask, needsWriter } from './task'
import { type TaskAccount, taskAccount } from './task-account'
import { asTallied, thinkingTokensOf } from './writers'

export const rounds = {
  texts: 4096, // embedded and committed at once, at most: a batch of a hundred chunks has some 2,500
  bytes: 1024 * 1024, // of their vectors, far below what one RPC may carry
  minTexts: 256, // whatever the dimensions
  written: 12, // written replies committed at once: three for each call a runner may have open
  time: 240_000, // ms, if the object does not say for how long it lends: well within a step's ten minutes
  beginning: 3 / 8, // of the time, in which tasks are begun: the last of them then have half of it, the longest a call may take
  writing: 7 / 8, // of the time, for writing: the last replies are still embedded and committed
} as const

const REAL: Clock = {
  now: () => Date.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
}

export interface RoundOutcome {
  /** Open tasks after the round. */
  readonly left: number
  /** The lease went to another runner: stop. */
  readonly lost: boolean
  readonly paused: boolean
  readonly committed: number
  /** Tasks that failed for a passing reason, by fault. */
  readonly faults: { readonly [fault in ModelFault]?: number }
  /** Replies accepted although they were cut. */
  readonly truncated?: number
  /** Seconds to wait before the next round, if a model said so. */
  readonly retryAfter?: number
}

/** What a test replaces. */
export interface Clock {
  now(): number
  /** Calls back when the milliseconds are over, unless the returned function was called before. */
  after(ms: number, then: () => void): () => void
}

export interface RoundRequest {
  readonly runner: string
  /** How many texts to lease at most. */
  readonly texts: number
  readonly turn?: Turn
  readonly clock?: Clock
}

/** Every failure of a model ends up in `faults`; what is thrown is the corpus object's. */
export async function runRound(corpus: CorpusObject, deployed: Models, request: RoundRequest): Promise<RoundOutcome> {
  const { runner, texts, turn, clock = REAL } = request
  const thinkingTokens = thinkingTokensOf(deployed)
  const began = clock.now()
  const {
    tasks,
    left,
    paused,
    ms = rounds.time,
    wait,
    isCapped = false,
    embedded,
    short,
    once,
    chosen,
  } = await corpus.openTasks(runner, texts, turn, thinkingTokens)
  const models = withRoleModels(deployed, chosen)
  const account = taskAccount(corpus, isCapped, thinkingTokens)
  const tally = new Tally()
  const state = { left, lost: false, committed: 0 }
  if (wait !== undefined) return { ...state, paused, faults: {}, retryAfter: Math.max(1, Math.ceil(wait / 1000)) }
  const ends = (share: number) => endingAfter(clock, began + ms * share - clock.now())
  const [writing, all] = [ends(rounds.writing), ends(1)]
  const writers = withAbort(asTallied(models, { short, once }), writing.signal)
  const embedders = withAbort(embedded ? embeddersFor(models, embedded) : models, all.signal)
  const embed = async (drafts: readonly Draft[]): Promise<readonly TaskResult[]> =>
    state.lost ? [] : account.held(await embeddedTogether(embedders, drafts, tally, account))
  const commit = async (results: readonly TaskResult[]): Promise<void> => {
    if (state.lost) return account.lost(results)
    if (results.length === 0) return
    const outcome = await corpus.commit(runner, results)
    if (outcome.kind === 'lost') {
      state.lost = true
      await account.lost(results)
    } else {
      state.left = outcome.left
      state.committed += results.length
      tally.truncated += results.reduce((sum, one) => sum + (one.dropped?.truncated ?? 0), 0)
    }
  }
  const hasTime = (): boolean => !state.lost && clock.now() - began < ms * rounds.beginning
  const lane = atOnce(workerLimits.safeConnections)
  const slow = tasks.filter((task) => needsWriter(models, task))
  const quick = tasks.filter((task) => !needsWriter(models, task))
  try {
    // What is not begun in time is not asked, and stays open.
    const replies = slow.map((task) =>
      lane(async () => (hasTime() && (await account.open([task])).length > 0 ? attempted(writers, task, tally, account) : undefined)),
    )
    const covered = await account.open(quick)
    const quickDrafts = await drafts(covered.map((task) => attempted(embedders, task, tally, account)))
    await overlapped(groups(quickDrafts, commitTexts(models)), embed, commit)
    for await (const group of asTheyCome(replies, rounds.written)) {
      await commit(await embed(group))
      if (state.lost) break
    }
  } finally {
    writing.over()
    all.over()
    await account.close()
  }
  const { faults, truncated, wait: pause } = tally
  return { ...state, paused, faults, ...(truncated > 0 ? { truncated } : {}), ...(pause > 0 ? { retryAfter: pause } : {}) }
}

/** A signal that is aborted after so long; `over` aborts it too, so that nothing runs on without a reader. */
function endingAfter(clock: Clock, ms: number): { readonly signal: AbortSignal; over(): void } {
  const abort = new AbortController()
  const cancel = clock.after(Math.max(0, ms), () => abort.abort())
  return {
    signal: abort.signal,
    over() {
      cancel()
      abort.abort()
    },
  }
}

/** Embeds the texts of all drafts in as few calls as possible. If one text spoils the batch, each draft is embedded alone. */
async function embeddedTogether(
  models: Models,
  drafts: readonly Draft[],
  tally: Tally,
  account: TaskAccount,
): Promise<readonly TaskResult[]> {
  if (drafts.length === 0) return []
  const failed = async (draft: Draft, error: unknown): Promise<undefined> => {
    tally.add(error)
    await account.failed(draft.task, error, draft)
  }
  const alone = async (draft: Draft, error: unknown): Promise<TaskResult | undefined> => {
    try {
      if (!(await account.mayRepeat({ isCounted: false, texts: draft.texts }))) throw error
      return await embedDraft(models, draft, account.mayRepeat)
    } catch (reason) {
      return failed(draft, reason)
    }
  }
  try {
    const embedded = await embedAcceptable(
      models,
      drafts.flatMap((draft) => draft.texts),
      { mayRepeat: account.mayRepeat },
    )
    if (embedded.refused.length > 0) tally.add(invalid())
    const results = divideEmbedding(drafts, embedded).map(([draft, own]) =>
      isComplete(draft, own) ? completeDraft(draft, own) : alone(draft, invalid()),
    )
    return (await Promise.all(results)).filter((result) => result !== undefined)
  } catch (error) {
    if (!isUnusable(faultOf(error).fault)) {
      await Promise.all(drafts.map((draft) => failed(draft, error)))
      return []
    }
    const results = await Promise.all(drafts.map((draft) => alone(draft, error)))
    return results.filter((result) => result !== undefined)
  }
}

async function attempted(models: Models, task: LeasedTask, tally: Tally, account: TaskAccount): Promise<Draft | undefined> {
  try {
    return await draftTask(models, task, account.remainingBudgetOf(task))
  } catch (error) {
    tally.add(error)
    await account.failed(task, error)
    return undefined
  }
}

async function drafts(pending: readonly Promise<Draft | undefined>[]): Promise<readonly Draft[]> {
  return (await Promise.all(pending)).filter((draft) => draft !== undefined)
}

/** What one commit takes: few enough vectors for one call, and for the next ones to be computed meanwhile. */
function commitTexts({ embedding }: Models): number {
  return Math.max(rounds.minTexts, Math.min(rounds.texts, Math.floor(rounds.bytes / Math.max(1, embedding.dimensions))))
}

class Tally {
  readonly faults: { [fault in ModelFault]?: number } = {}
  wait = 0
  truncated = 0

  add(error: unknown): undefined {
    const { fault, retryAfter = 0 } = faultOf(error)
    this.faults[fault] = (this.faults[fault] ?? 0) + 1
    this.wait = Math.max(this.wait, retryAfter)
    return undefined
  }
}
