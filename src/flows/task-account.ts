/**
 * What the tasks of one round may cost and have cost. If there is a budget, the most that a task can cost is reserved before it begins, under its own id,
 * and the commit that takes its reply ends the reservation. What a failed task has cost is charged anyway.
 */
import type { Spent } from '../contract/usage'
import { mayBeBilled, mostOf } from '../core/cost'
import { tokenBounds } from '../core/text/token-bound'
import type { MayRepeat } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { StageSpent } from '../ports/spending'
import type { LeasedTask, TaskResult } from '../ports/tasks'
import { beyond, UNCONFIRMED } from './allowance'
import type { Draft } from './draft'
import { faultOf } from './faults'
import { unlimited } from './task'
import type { RemainingBudget } from './write-task'

export interface TaskAccount {
  /** Those that are covered, and may be begun. */
  open(tasks: readonly LeasedTask[]): Promise<readonly LeasedTask[]>
  remainingBudgetOf(task: LeasedTask): RemainingBudget
  /** For texts that are embedded again: covered separately, until the round is over. */
  readonly mayRepeat: MayRepeat
  /** Each with its reservation. Attempts of unknown cost are charged in full. */
  held(results: readonly TaskResult[]): Promise<readonly TaskResult[]>
  /** It is still open. `draft`: the part that was completed. */
  failed(task: LeasedTask, error: unknown, draft?: Draft): Promise<void>
  /** They were done, but their results are no longer taken. */
  lost(results: readonly TaskResult[]): Promise<void>
  /** The round is over. */
  close(): Promise<void>
}

interface Opened {
  readonly id: string
  max: Spent
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

export function taskAccount(corpus: CorpusObject, isCapped: boolean, thinkingTokens = 0): TaskAccount {
  const opened = new Map<number, Opened>()
  const remainingBudgets = new Map<number, RemainingBudget>()
  const kinds = new Map<number, string>()
  const repeated = { holds: [] as string[], lost: { ...NOTHING, calls: 0 } }
  /** Anything that cannot be charged lapses. */
  const charge = async (task: number, spent: { readonly [stage: string]: StageSpent }): Promise<void> => {
    const hold = opened.get(task)
    opened.delete(task)
    const stages = Object.fromEntries(Object.entries(spent).filter(([, one]) => one.calls > 0))
    if (hold || Object.keys(stages).length > 0) await corpus.charge(stages, hold ? [hold.id] : []).catch(() => undefined)
  }
  return {
    async open(tasks) {
      for (const { id, brief } of tasks) kinds.set(id, brief.kind)
      if (!isCapped || tasks.length === 0) return tasks
      const requested = tasks.map(({ id, brief }) => ({
        task: id,
        hold: crypto.randomUUID(),
        kind: brief.kind,
        max: mostOf(brief, thinkingTokens),
      }))
      const granted = await corpus.reserve(requested.map(({ hold, kind, max }) => ({ id: hold, max: { [kind]: max } })))
      for (const [i, { task, hold, max }] of requested.entries()) if (granted[i]) opened.set(task, { id: hold, max })
      return tasks.filter(({ id }) => opened.has(id))
    },
    remainingBudgetOf(task) {
      const remainingBudget: RemainingBudget = {
        ...unlimited(),
        async covers(max) {
          const hold = opened.get(task.id)
          if (!hold || isWithin(hold.max, max)) return true
          const [granted] = await corpus.reserve([{ id: hold.id, max: { [task.brief.kind]: max } }])
          if (granted) hold.max = max
          return granted === true
        },
      }
      remainingBudgets.set(task.id, remainingBudget)
      return remainingBudget
    },
    async mayRepeat({ isCounted, texts = [] }) {
      if (!isCapped) return true
      const hold = { id: crypto.randomUUID(), max: { ...NOTHING, embedded: tokenBounds(texts) } }
      const [granted] = await corpus.reserve([{ id: hold.id, max: { embed: hold.max } }])
      if (!granted) return false
      repeated.holds.push(hold.id)
      if (!isCounted) repeated.lost = { ...both(repeated.lost, hold.max), calls: repeated.lost.calls + 1 }
      return true
    },
    async held(results) {
      const lost = results.flatMap(({ id }) => (opened.has(id) ? [remainingBudgets.get(id)?.lost ?? NOTHING] : [])).reduce(both, NOTHING)
      // Before its reservation ends. If it fails the round fails, as with a failed commit: all reservations lapse, and count in full.
      if (lost.in + lost.out > 0) await corpus.charge({ [UNCONFIRMED]: { ...lost, calls: 1 } }, [])
      return results.map((result) => {
        const hold = opened.get(result.id)
        opened.delete(result.id)
        return hold ? { ...result, hold: hold.id } : result
      })
    },
    async failed({ id, brief }, error, draft) {
      const account = remainingBudgets.get(id)
      const known = draft ? { spent: draft.spent, calls: sum(draft.calls) } : account
      const { spent = NOTHING, calls = 0 } = known ?? {}
      const hold = opened.get(id)
      const lost = mayBeBilled(faultOf(error).fault) && hold ? beyond(hold.max, spent) : (account?.lost ?? NOTHING)
      const isLost = hold !== undefined && lost.in + lost.out + lost.embedded > 0
      await charge(id, { [brief.kind]: { ...spent, calls }, ...(isLost ? { [UNCONFIRMED]: { ...lost, calls: 1 } } : {}) })
    },
    async lost(results) {
      for (const { id, spent, calls, hold } of results) {
        const kind = kinds.get(id) ?? 'embed'
        await corpus.charge({ [kind]: { ...spent, calls: sum(calls) } }, hold === undefined ? [] : [hold]).catch(() => undefined)
      }
    },
    async close() {
      const { holds, lost } = repeated
      if (holds.length > 0) await corpus.charge(lost.calls > 0 ? { [UNCONFIRMED]: lost } : {}, holds).catch(() => undefined)
    },
  }
}

function sum(calls: { readonly [kind: string]: number }): number {
  return Object.values(calls).reduce((all, one) => all + one, 0)
}

function isWithin(held: Spent, max: Spent): boolean {
  return max.in <= held.in && max.out <= held.out && max.embedded <= held.embedded
}

function both(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}
