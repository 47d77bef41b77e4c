/** The samples of one scrape: what isolates have counted, and the figures of corpora as their objects report them. */
import { atOnce } from '../core/at-once'
import { seriesOf } from '../metrics/series'
import { workerLimits } from '../platform-limits'
import type { CorpusRecord } from '../ports/catalogue'
import type { Labels } from '../ports/metrics'
import type { Figures } from '../ports/seeing'
import type { Wired } from './wired'

type Samples = { [series: string]: number }

/** Objects that do not answer are left out and counted. */
export async function corporaSamples(world: Wired, records: readonly CorpusRecord[], known: number): Promise<Samples> {
  const one = atOnce(workerLimits.safeConnections)
  const all = await Promise.all(
    records.map(({ uid, name }) =>
      one(async () => {
        const figures = await world
          .seeing(uid)
          .figures()
          .catch(() => null)
        return figures && samplesOf(name, figures)
      }),
    ),
  )
  const told = all.filter((samples) => samples !== null)
  return Object.assign(
    {
      [seriesOf('loam_corpora', {})]: known,
      [seriesOf('loam_corpora_shown', {})]: told.length,
      [seriesOf('loam_corpora_silent', {})]: records.length - told.length,
    },
    ...told,
  )
}

export async function countedSamples(world: Wired): Promise<Samples> {
  const { meters, version } = world
  await meters?.report('now')
  const { since, samples } = meters ? await world.metrics().read() : { since: 0, samples: {} }
  return { ...samples, [seriesOf('loam_build_info', { version })]: 1, [seriesOf('loam_counting_since_seconds', {})]: since / 1000 }
}

function samplesOf(corpus: string, figures: Figures): Samples {
  const { version, documents, chunks, jobs, tasks, outboxRows, versionsBehind, quarantined, storageBytes, budget, left, stages } = figures
  const samples: Samples = {}
  const put = (family: string, value: number, labels: Labels = {}): void => {
    samples[seriesOf(family, { corpus, ...labels })] = value
  }
  put('loam_corpus_version', version)
  put('loam_documents', documents)
  put('loam_chunks', chunks)
  for (const [state, n] of Object.entries(jobs)) put('loam_jobs', n, { state })
  put('loam_oldest_job_seconds', figures.oldestJobMs / 1000)
  put('loam_tasks', tasks)
  put('loam_outbox_rows', outboxRows)
  put('loam_versions_behind', versionsBehind)
  put('loam_index_lag_seconds', figures.indexLagMs / 1000)
  put('loam_quarantined_documents', quarantined)
  put('loam_storage_bytes', storageBytes)
  put('loam_alerts', figures.alerts)
  const { hits, misses, saved } = figures.keptAnswers
  put('loam_kept_answers_total', hits, { outcome: 'hit' })
  put('loam_kept_answers_total', misses, { outcome: 'miss' })
  for (const [direction, n] of Object.entries(saved)) put('loam_kept_answers_saved_tokens_total', n, { direction })
  for (const unit of ['tokens', 'usd'] as const) {
    const [all, rest] = [budget[unit], left[unit]]
    if (all !== undefined) put('loam_budget', all, { unit })
    if (rest !== null) put('loam_budget_left', rest, { unit })
  }
  for (const [stage, { calls, neurons, ...tokens }] of Object.entries(stages)) {
    put('loam_corpus_model_calls_total', calls, { stage })
    put('loam_corpus_model_neurons_total', neurons, { stage })
    for (const [direction, n] of Object.entries(tokens)) put('loam_corpus_model_tokens_total', n, { stage, direction })
  }
  return samples
}
