/** Which models the deployment asks, for what, and where they run. */
import type { ModelChoice, RunningModel } from '../contract/deployment'
import { pricesOf } from '../flows/prices'
import { type ModelPlaces, type Models, writerRoles } from '../ports/models'

const IN_WORKER = new Set(['loam/static', 'hash'])

export function runningModels(models: Models, judge: Models | null, places: ModelPlaces): readonly RunningModel[] {
  const placed = (role: RunningModel['role'], { id, window }: { readonly id: string; readonly window?: number }): RunningModel => ({
    role,
    model: id,
    window: window ?? null,
    runs_on: placeOf(id, places),
  })
  return [
    { ...placed('embedding', models.embedding), dimensions: models.embedding.dimensions },
    ...(models.previous
      ? [{ ...placed('embedding_previous', models.previous.embedding), dimensions: models.previous.embedding.dimensions }]
      : []),
    ...(models.text ? [placed('text', models.text)] : []),
    ...writerRoles.flatMap((role) => (models.roles?.[role] ? [placed(role, models.roles[role])] : [])),
    ...(judge?.text ? [placed('judge', judge.text)] : []),
    ...(models.reranker ? [placed('rerank', models.reranker)] : []),
  ]
}

/** Those a corpus may choose. */
export function modelChoices({ embedding, choices = [] }: Models, places: ModelPlaces): readonly ModelChoice[] {
  return choices.map((text) => {
    const { in: read, out } = pricesOf({ embedding, text })
    return { model: text.id, window: text.window, runs_on: placeOf(text.id, places), usd_per_million: { in: read, out } }
  })
}

function placeOf(id: string, { machine, server }: ModelPlaces): RunningModel['runs_on'] {
  if (IN_WORKER.has(id)) return 'worker'
  if (machine.includes(id)) return 'machine'
  return server && !id.startsWith('@') ? 'server' : 'workers_ai'
}
