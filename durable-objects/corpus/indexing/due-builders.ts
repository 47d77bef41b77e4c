/**
 * Builders whose work on the whole graph is due because of what was added (Builder.isDue): it starts between two commits, in its own
 * version, and continues in the background, one task in each round of a runner. No job waits for it.
 */

import { publish } from '../jobs/publish'
import { addTasks } from '../jobs/tasks'
import type { CorpusContext } from '../store'
import { areJobsOpen } from './background'

/** O(1). */
export function hasDueBuilder(context: Pick<CorpusContext, 'builders' | 'graph' | 'config' | 'sql' | 'lastJob' | 'now'>): boolean {
  const { builders, graph, config } = context
  const isBusy = areJobsOpen(context)
  return builders.some((builder) => builder.isDue?.(graph, config.settings, isBusy))
}

/** False if there was none. */
export function beginDueBuilders(context: CorpusContext): boolean {
  if (!hasDueBuilder(context)) return false
  context.atomically(() => {
    const { builders, graph, config, sql } = context
    const isBusy = areJobsOpen(context)
    for (const builder of builders) {
      const update = builder.isDue?.(graph, config.settings, isBusy) ? builder.consolidate?.(graph, config.settings) : undefined
      if (!update) continue
      graph.apply(update.patch, graph.version + 1)
      addTasks(sql, update.tasks, [])
      publish(context, [], update.patch)
    }
  })
  return true
}
