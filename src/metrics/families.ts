/**
 * Every metric of the deployment, declared once: what it counts and which labels it has. A label's values come from sets that we know
 * (routes, codes, roles, states) or are names of corpora, whose number per response is bounded: no value comes from a document, a question
 * or a key.
 */
export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
}

const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const WAITS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]
const OF_CALLS = 'by role (embed, rerank, answer, extract, …, judge) in requests and runners'

/** Summed over all isolates by the METRICS object, since `loam_counting_since_seconds`. */
export const counted = {
  loam_http_requests_total: {
    type: 'counter',
    help: 'Requests by route, as named in the reference, and class of status.',
    labels: ['route', 'status'],
  },
  loam_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Seconds until an answer begins, by route.',
    labels: ['route'],
    buckets: ANSWERS,
  },
  loam_refusals_total: { type: 'counter', help: 'Requests answered with a problem, by its code.', labels: ['code'] },
  loam_questions_total: {
    type: 'counter',
    help: 'Questions by outcome: answered, refused (the evidence does not answer), nothing (there is no evidence).',
    labels: ['outcome'],
  },
  loam_degraded_total: { type: 'counter', help: 'Questions answered in a degraded way, by what was missing.', labels: ['part'] },
  loam_model_calls_total: {
    type: 'counter',
    help: `Calls of models ${OF_CALLS}, and outcome: ok or the fault.`,
    labels: ['role', 'outcome'],
  },
  loam_model_call_duration_seconds: { type: 'histogram', help: `Seconds a call took ${OF_CALLS}.`, labels: ['role'], buckets: ANSWERS },
  loam_model_tokens_total: { type: 'counter', help: `Tokens ${OF_CALLS}, and direction.`, labels: ['role', 'direction'] },
  loam_model_neurons_total: { type: 'counter', help: `Neurons ${OF_CALLS}, by the price table.`, labels: ['role'] },
  loam_cache_lookups_total: {
    type: 'counter',
    help: 'Lookups in the cache of keys and corpora of an isolate, by outcome: hit or miss.',
    labels: ['cache', 'outcome'],
  },
  loam_queue_wait_seconds: {
    type: 'histogram',
    help: 'Seconds that messages waited on the outbound queue, and model calls of runners for a slot.',
    labels: ['queue'],
    buckets: WAITS,
  },
  loam_spans_total: { type: 'counter', help: 'Spans of traces, by outcome: exported or dropped.', labels: ['outcome'] },
  loam_series_dropped_total: { type: 'counter', help: 'Series left out because there were too many.', labels: [] },
} as const satisfies { readonly [name: string]: Family }

/** Read from the objects of corpora on request. */
export const ofCorpora = {
  loam_documents: { type: 'gauge', help: 'Documents of a corpus.', labels: ['corpus'] },
  loam_chunks: { type: 'gauge', help: 'Chunks of a corpus.', labels: ['corpus'] },
  loam_corpus_version: { type: 'gauge', help: 'The version of a corpus.', labels: ['corpus'] },
  loam_jobs: { type: 'gauge', help: 'Jobs by state; finished ones are kept for 30 days.', labels: ['corpus', 'state'] },
  loam_oldest_job_seconds: { type: 'gauge', help: 'Age of the oldest unfinished job; 0: there is none.', labels: ['corpus'] },
  loam_tasks: { type: 'gauge', help: 'Open tasks for models, counted up to 10,000.', labels: ['corpus'] },
  loam_outbox_rows: { type: 'gauge', help: 'Rows of the outbox not sent to a sink yet.', labels: ['corpus'] },
  loam_versions_behind: { type: 'gauge', help: 'How many versions D1 is behind.', labels: ['corpus'] },
  loam_index_lag_seconds: {
    type: 'gauge',
    help: 'Seconds for which the index has not shown what it was sent; 0: it is up to date.',
    labels: ['corpus'],
  },
  loam_quarantined_documents: {
    type: 'gauge',
    help: 'Documents that a model could not fully read, counted up to 1,000.',
    labels: ['corpus'],
  },
  loam_storage_bytes: { type: 'gauge', help: 'Bytes of the corpus’s own storage.', labels: ['corpus'] },
  loam_budget: { type: 'gauge', help: 'The budget of a corpus; absent: it has none in that unit.', labels: ['corpus', 'unit'] },
  loam_budget_left: {
    type: 'gauge',
    help: 'What is left of the budget, minus what is reserved for calls in progress.',
    labels: ['corpus', 'unit'],
  },
  loam_alerts: { type: 'gauge', help: 'Alerts that are currently raised.', labels: ['corpus'] },
  loam_corpus_model_calls_total: {
    type: 'counter',
    help: 'Model calls by stage, since the corpus was created.',
    labels: ['corpus', 'stage'],
  },
  loam_corpus_model_tokens_total: {
    type: 'counter',
    help: 'Tokens by stage and direction, since the corpus was created.',
    labels: ['corpus', 'stage', 'direction'],
  },
  loam_kept_answers_total: {
    type: 'counter',
    help: 'Questions looked up among the kept answers of a corpus, by outcome: hit or miss.',
    labels: ['corpus', 'outcome'],
  },
  loam_kept_answers_saved_tokens_total: {
    type: 'counter',
    help: 'Tokens saved by kept answers, by direction.',
    labels: ['corpus', 'direction'],
  },
  loam_corpus_model_neurons_total: {
    type: 'counter',
    help: 'Neurons by stage, since the corpus was created.',
    labels: ['corpus', 'stage'],
  },
} as const satisfies { readonly [name: string]: Family }

export const ofDeployment = {
  loam_build_info: { type: 'gauge', help: 'The release; always 1.', labels: ['version'] },
  loam_corpora: { type: 'gauge', help: 'Corpora that the key may see, counted up to 1,000.', labels: [] },
  loam_corpora_shown: { type: 'gauge', help: 'Corpora that have series here.', labels: [] },
  loam_corpora_silent: { type: 'gauge', help: 'Corpora that could not be reached.', labels: [] },
  loam_counting_since_seconds: {
    type: 'gauge',
    help: 'The Unix time since which the counters without a corpus have counted. An isolate reports every ten seconds, so the latest figures may be missing. 0: METRICS is off.',
    labels: [],
  },
} as const satisfies { readonly [name: string]: Family }

export const families: { readonly [name: string]: Family } = { ...ofDeployment, ...counted, ...ofCorpora }
export type CountedFamily = keyof typeof counted
