/** A task for a re-ranker: each pool's texts are scored for its question, one call per pool. If that fails, the reply has no scores: nobody waits for them. */
import type { Spent } from '../contract/usage'
import { rerankBound } from '../core/cost'
import type { RerankPool } from '../core/strategy'
import type { Models } from '../ports/models'
import type { LeasedTask } from '../ports/tasks'
import { type Draft, draftOf } from './draft'
import { faultOf, isOut, isUnusable } from './faults'
import type { RemainingBudget } from './write-task'

export async function rerankTask(
  models: Models,
  task: LeasedTask,
  pools: readonly RerankPool[],
  remainingBudget: RemainingBudget,
): Promise<Draft> {
  const scores: (readonly number[])[] = []
  const paid = { in: 0, lost: 0, calls: 0 }
  const max = rerankBound(pools)
  for (const pool of pools) {
    const mayRepeat = async (): Promise<boolean> => {
      const lost = paid.lost + rerankBound([pool])
      if (!(await remainingBudget.covers(read(max + lost)))) return false
      paid.lost = lost
      remainingBudget.lost = read(lost)
      return true
    }
    try {
      paid.calls++
      const reply = await models.rerank(pool.question, pool.texts, { mayRepeat })
      paid.in += reply.spent.in
      scores.push(reply.scores)
      Object.assign(remainingBudget, { spent: read(paid.in), calls: paid.calls })
    } catch (error) {
      const { fault } = faultOf(error)
      if (!isUnusable(fault) && !isOut(fault)) throw error
      scores.length = 0
      break
    }
  }
  const reply = { node: task.node, input: task.input, kind: 'rerank', scores } as const
  return draftOf(task, [], () => reply, { spent: read(paid.in), calls: { rerank: paid.calls } })
}

function read(tokens: number): Spent {
  return { in: tokens, out: 0, embedded: 0 }
}
