/**
 * Builders whose work on the whole graph is due by what has come (Builder.isDue): it is begun between two commits, in a version of its own,
 * and goes on in the background, a task each round of a runner. No job waits for it.
 */

import { publish } from '../jobs/publish'
import { addTasks } from '../jobs/tasks'
import type { CorpusContext } from '../store'

/** O(1). */
export function hasDueBuilder({ builders, graph, config }: Pick<CorpusContext, 'builders' | 'graph' | 'config'>): boolean {
  return builders.some((builder) => builder.isDue?.(graph, config.settings))
}

/** False if there was none. */
export function beginDueBuilders(context: CorpusContext): boolean {
  if (!hasDueBuilder(context)) return false
  context.atomically(() => {
    const { builders, graph, config, sql } = context
    for (const builder of builders) {
      const update = builder.isDue?.(graph, config.settings) ? builder.consolidate?.(graph, config.settings) : undefined
      if (!update) continue
      graph.apply(update.patch, graph.version + 1)
      addTasks(sql, update.tasks, [])
      publish(context, [], update.patch)
    }
  })
  return true
}
