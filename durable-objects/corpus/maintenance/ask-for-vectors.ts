/** The first step of deriving a graph again: sentences whose vectors its builders need get tasks, a page of chunks at a time. */
import type { Chunk } from '../../../src/core/graph/types'
import { enabledBuilders } from '../../../src/core/strategies/registry'
import type { Job } from '../jobs/job'
import { embedInput } from '../jobs/staging'
import { addTasks } from '../jobs/tasks'
import { requestedConfig } from '../pending-config'
import type { CorpusContext } from '../store'
import { BASE } from '../tables/task'
import type { MaintenanceProgress } from './job-progress'

/** Chunks embedded before any builder wanted their sentences' vectors: these are requested now. */
export function askForVectors(context: CorpusContext, job: Job, progress: MaintenanceProgress): MaintenanceProgress {
  const { graph, config } = context
  const requested = enabledBuilders(requestedConfig(context).strategies)
  if (!requested.some((builder) => builder.unitVectors)) return { ...progress, step: 'await', after: '' }
  const ids = graph.page('chunk', progress.after, 500)
  const lacking = ids.map((id) => graph.chunk(id)).filter((chunk): chunk is Chunk => lacksUnits(context, chunk))
  const tasks = lacking.map((chunk) => ({
    builder: BASE,
    kind: 'embed' as const,
    node: chunk.id,
    input: `${embedInput(chunk.id, config.settings)} units`,
    urgent: true,
    texts: chunk.units.length,
  }))
  addTasks(context.sql, tasks, [job])
  const last = ids.at(-1)
  return last === undefined ? { ...progress, step: 'await', after: '' } : { ...progress, after: last }
}

function lacksUnits(context: CorpusContext, chunk: Chunk | undefined): boolean {
  const first = chunk?.units[0]
  return first !== undefined && context.graph.vector(first.id) === undefined
}
