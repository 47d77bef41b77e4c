/** One corpus, as a client sees it. Every call rejects with a `LoamError`. */
import { LoamError } from './error'
import { type AnswerEvent, eventsOf } from './events'
import type { Call, Send } from './send'
import type * as t from './types'

const LOOK = 30 // seconds one request waits for a job
const PATIENCE = 600_000 // ms

export interface Waiting {
  /** Default: ten minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Told at each look. */
  readonly onProgress?: (job: t.Job) => void
}

export class CorpusClient {
  readonly #send: Send
  readonly #base: string

  constructor(
    send: Send,
    readonly name: string,
  ) {
    this.#send = send
    this.#base = `/v1/corpora/${encodeURIComponent(name)}`
  }

  /** Makes the corpus, or changes what is named. */
  create(config: t.NewCorpus = {}): Promise<t.Corpus> {
    return this.#call('PUT', '', { body: config })
  }
  info(): Promise<t.Corpus> {
    return this.#call('GET', '')
  }
  drop(): Promise<t.Accepted> {
    return this.#call('DELETE', '')
  }

  put(id: string, document: t.NewDocument | string): Promise<t.Put> {
    return this.#call('PUT', `/documents/${encodeURIComponent(id)}`, { body: typeof document === 'string' ? { text: document } : document })
  }
  add(document: t.NewDocument): Promise<t.Put> {
    return this.#call('POST', '/documents', { body: document })
  }
  batch(batch: t.NewBatch): Promise<t.Batch> {
    return this.#call('POST', '/documents:batch', { body: batch })
  }
  /** JSON lines, as `export` gives them. */
  import(lines: string | Uint8Array | Blob): Promise<t.Imported> {
    return this.#call('POST', ':import', { body: lines, type: 'application/x-ndjson' })
  }
  document(id: string): Promise<t.Document> {
    return this.#call('GET', `/documents/${encodeURIComponent(id)}`)
  }
  remove(id: string): Promise<t.Accepted> {
    return this.#call('DELETE', `/documents/${encodeURIComponent(id)}`)
  }
  page(paging: t.Paging = {}): Promise<t.Page<t.Document>> {
    return this.#call('GET', '/documents', { query: { ...paging } })
  }
  /** All documents, page by page. */
  async *documents(): AsyncGenerator<t.Document, void, void> {
    for (let cursor: string | undefined; ; ) {
      const { data, next_cursor } = await this.page({ cursor })
      yield* data
      if (next_cursor === null) return
      cursor = next_cursor
    }
  }

  job(id: string, wait = 0): Promise<t.Job> {
    return this.#call('GET', `/jobs/${encodeURIComponent(id)}`, { query: { wait } })
  }
  jobs(paging: t.Paging = {}): Promise<t.Page<t.Job>> {
    return this.#call('GET', '/jobs', { query: { ...paging } })
  }
  /** The job when it has succeeded; rejects with the code `job_failed`, `job_cancelled`, `job_paused_budget` or `timeout`. */
  async waitForJob(id: string, { timeoutMs = PATIENCE, signal, onProgress }: Waiting = {}): Promise<t.Job> {
    const until = Date.now() + timeoutMs
    for (;;) {
      const left = Math.max(0, until - Date.now())
      const wait = Math.min(LOOK, Math.ceil(left / 1000))
      const job: t.Job = await this.#call('GET', `/jobs/${encodeURIComponent(id)}`, { query: { wait }, signal })
      onProgress?.(job)
      if (job.status === 'succeeded') return job
      if (job.status !== 'queued' && job.status !== 'running') throw new LoamError(`job_${job.status}`, `The job has ${job.status}.`)
      if (left === 0) throw new LoamError('timeout', 'The job has not ended in time.')
    }
  }

  search(search: t.Search, call: Pick<Call, 'signal'> = {}): Promise<t.SearchResult> {
    return this.#call('POST', '/search', { body: search, ...call })
  }
  query(question: t.Question, call: Pick<Call, 'signal'> = {}): Promise<t.QueryResult> {
    return this.#call('POST', '/query', { body: question, ...call })
  }
  /** The answer as it is written. */
  async *ask(question: t.Question, call: Pick<Call, 'signal'> = {}): AsyncGenerator<AnswerEvent, void, void> {
    yield* eventsOf(await this.#send('POST', `${this.#base}/query`, { body: { ...question, stream: true }, ...call }))
  }
  compare(comparison: t.Comparison): Promise<t.CompareResult> {
    return this.#call('POST', '/compare', { body: comparison })
  }
  estimate(documents: t.ToEstimate): Promise<t.Estimate> {
    return this.#call('POST', '/estimate', { body: documents })
  }

  putLabel(label: string, content: t.NewLabel = {}): Promise<t.Label> {
    return this.#call('PUT', `/labels/${encodeURIComponent(label)}`, { body: content })
  }
  labels(paging: t.Paging = {}): Promise<t.Page<t.Label>> {
    return this.#call('GET', '/labels', { query: { ...paging } })
  }
  removeLabel(label: string): Promise<unknown> {
    return this.#call('DELETE', `/labels/${encodeURIComponent(label)}`)
  }
  classify(text: t.ToClassify): Promise<t.Classified> {
    return this.#call('POST', '/classify', { body: text })
  }
  unlearn(id: string): Promise<unknown> {
    return this.#call('DELETE', `/learned/${encodeURIComponent(id)}`)
  }
  /** Undoes all that was learned at or after a time of ISO 8601. */
  unlearnSince(since: string): Promise<unknown> {
    return this.#call('DELETE', '/learned', { query: { since } })
  }

  graph(from: { readonly node?: string; readonly depth?: number; readonly limit?: number } = {}): Promise<t.Neighbourhood> {
    return this.#call('GET', '/graph', { query: { ...from } })
  }
  entities(where: t.Paging & { readonly q?: string } = {}): Promise<t.Nodes> {
    return this.#call('GET', '/entities', { query: { ...where } })
  }
  /** The body of the answer is the export, streamed. */
  export(format: 'jsonl' | 'graphml' = 'jsonl'): Promise<Response> {
    return this.#send('GET', `${this.#base}/export`, { query: { format } })
  }
  /** Whole-corpus work; a job. */
  upkeep(action: 'reindex' | 'consolidate' | 'rebuild'): Promise<t.Accepted> {
    return this.#call('POST', `:${action}`, { body: {} })
  }

  async #call<T>(method: string, path: string, call: Call = {}): Promise<T> {
    const response = await this.#send(method, this.#base + path, call)
    return response.json() as Promise<T>
  }
}
