/** The graph being derived again, used as if it were the corpus's: its tables, its settings and its builders, for the duration of a call. */
import { enabledBuilders } from '../../../src/core/strategies/registry'
import type { Builder, Update } from '../../../src/core/strategy'
import { SqliteGraph } from '../../graph/sqlite-graph'
import { requestedConfig } from '../pending-config'
import type { CorpusContext } from '../store'
import { CANDIDATE_PREFIX } from '../tables/task'
import { candidateTables } from './tables'

/** Works on the candidate as if it were the corpus's graph. An exception undoes the whole transaction. */
export function withCandidate<T>(context: CorpusContext, work: (candidate: CorpusContext) => T): T {
  const config = requestedConfig(context)
  const sql = candidateTables(context.sql)
  const graph = new SqliteGraph({ sql, dimensions: config.settings.dimensions, occupant: context.graph.occupant })
  graph.migrate()
  try {
    return work({ ...context, sql, graph, config, builders: enabledBuilders(config.strategies).map(candidateBuilder) })
  } finally {
    graph.rest()
  }
}

function candidateBuilder(builder: Builder): Builder {
  const theirs = (update: Update): Update => ({
    ...update,
    // Texts embedded now belong to the graph that will be measured; texts that may be written later are written later.
    tasks: update.tasks.map(({ background: _, ...task }) => ({
      ...task,
      builder: CANDIDATE_PREFIX + task.builder,
      urgent: task.urgent || task.kind === 'embed',
    })),
  })
  const { consolidate, consolidating, processBacklog } = builder
  return {
    ...builder,
    name: CANDIDATE_PREFIX + builder.name,
    ...(builder.follows ? { follows: builder.follows.map((name) => CANDIDATE_PREFIX + name) } : {}),
    update: (graph, delta, settings) => theirs(builder.update(graph, delta, settings)),
    ...(processBacklog ? { processBacklog: (graph, settings) => theirs(processBacklog(graph, settings)) } : {}),
    ...(consolidate ? { consolidate: (graph, settings) => theirs(consolidate(graph, settings)) } : {}),
    ...(consolidating ? { consolidating: (graph, settings) => withEnd(consolidating(graph, settings), theirs) } : {}),
  }
}

/** The same steps with a different end. */
function withEnd(steps: Iterator<number, Update> | undefined, theirs: (update: Update) => Update): Iterator<number, Update> | undefined {
  return steps && endingWith(steps, theirs)
}

function* endingWith(steps: Iterator<number, Update>, theirs: (update: Update) => Update): Generator<number, Update> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return theirs(value)
    yield value
  }
}
