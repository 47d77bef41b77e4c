/** One corpus, as a client sees it. Every call rejects with a `LoamError`. */
import { type AlertsClient, alertsOf } from './alerts'
import { walked } from './call'
import { type ConversationsClient, conversationsOf } from './conversations'
import { type DecisionsClient, decisionsOf } from './decisions'
import { type EndpointsClient, endpointsOf } from './endpoints'
import { type AnswerEvent, eventsOf } from './events'
import { type FiltersClient, filtersOf } from './filters'
import { type HooksClient, hooksOf } from './hooks'
import { KeptCorpus } from './kept-corpus'
import { type NamesClient, namesOf } from './names'
import { type CallCorpus, callOperations, type FetchOperation, fetchOperations } from './operations'
import { changeProbes } from './probes'
import { type QueryLogClient, queryLogOf } from './query-log'
import type { Call, Send } from './send'
import { type SourcesClient, sourcesOf } from './sources'
import type * as t from './types'
import type { Upload } from './upload'
import { jobEnded, looks, type Waiting } from './waiting'

const LAYERED = { segments: 'listSegments', communities: 'listCommunities' } as const

export class CorpusClient extends KeptCorpus {
  readonly #fetch: FetchOperation<'corpus'>
  readonly #call: CallCorpus
  readonly sources: SourcesClient
  /** Webhooks in. */
  readonly hooks: HooksClient
  /** Webhooks out. */
  readonly endpoints: EndpointsClient
  /** Which entities are one thing under two names. */
  readonly names: NamesClient
  /** Saved ones. */
  readonly filters: FiltersClient
  /** What people decide about entities and relations. */
  readonly decisions: DecisionsClient
  /** Which states endpoints are notified of. */
  readonly alerts: AlertsClient
  /** Kept for this key, if a question asked for it (`store`). */
  readonly conversations: ConversationsClient
  /** Questions that were asked, and feedback on their answers. */
  readonly queryLog: QueryLogClient

  constructor(send: Send, name: string) {
    const fetch = fetchOperations(send, { corpus: name })
    const call = callOperations(fetch)
    super(name, fetch, call)
    this.#fetch = fetch
    this.#call = call
    this.sources = sourcesOf(this.#call)
    this.hooks = hooksOf(this.#call)
    this.endpoints = endpointsOf(this.#call)
    this.names = namesOf(this.#call)
    this.filters = filtersOf(this.#call)
    this.decisions = decisionsOf(this.#call)
    this.alerts = alertsOf(this.#call)
    this.conversations = conversationsOf(this.#call, this.#fetch)
    this.queryLog = queryLogOf(this.#call)
  }

  /** Creates the corpus, or changes what is named. */
  create(config: t.NewCorpus = {}): Promise<t.Corpus> {
    return this.#call('putCorpus', { body: config })
  }
  info(call: Pick<Call, 'signal'> = {}): Promise<t.Corpus> {
    return this.#call('getCorpus', call)
  }
  /** `atOnce`: without the time in which it could be undeleted; also of one that is deleted already. */
  drop({ atOnce = false }: { readonly atOnce?: boolean } = {}): Promise<t.Deleted> {
    return this.#call('deleteCorpus', atOnce ? { query: { at_once: 'true' } } : {})
  }
  /** As it was when it was dropped; rejects with `conflict` or `corpus_not_found` when it is too late. */
  undelete(): Promise<t.Undeleted> {
    return this.#call('undeleteCorpus')
  }

  put(id: string, document: t.NewDocument | string): Promise<t.Put> {
    return this.#call('putDocument', { path: { document: id }, body: typeof document === 'string' ? { text: document } : document })
  }
  /** A file as it is: a page, a PDF, Markdown or text, by its media type. */
  upload(id: string, content: Blob | Uint8Array | string, { type, ...query }: Upload): Promise<t.Put> {
    return this.#call('putDocument', { path: { document: id }, body: content, type, query })
  }
  add(document: t.NewDocument): Promise<t.Put> {
    return this.#call('addDocument', { body: document })
  }
  batch(batch: t.NewBatch, call: Pick<Call, 'signal'> = {}): Promise<t.Batch> {
    return this.#call('batchDocuments', { body: batch, ...call })
  }
  /** JSON lines, as `export` gives them or of your own; an archive or a graph of another program. */
  import(lines: string | Uint8Array | Blob, { type = 'application/x-ndjson', ...query }: t.ImportedAs = {}): Promise<t.Imported> {
    return this.#call('importCorpus', { body: lines, type, query })
  }
  document(id: string): Promise<t.Document> {
    return this.#call('getDocument', { path: { document: id } })
  }
  /** A page of its chunks: their texts and places, what read them, what they mention. */
  chunks(id: string, paging: t.Paging = {}): Promise<t.DocumentChunks> {
    return this.#call('listChunks', { path: { document: id }, query: { ...paging } })
  }
  /** With what a model said of it: types and descriptions, each with its chunk. */
  entity(id: string): Promise<t.EntityDetails> {
    return this.#call('getEntity', { path: { entity: id } })
  }
  /** Replaces a chunk's text; empty: removes it. The returned job indexes the document again. */
  correctChunk(document: string, chunk: string, correction: t.ChunkCorrection): Promise<t.CorrectedChunk> {
    return this.#call('correctChunk', { path: { document, chunk }, body: correction })
  }
  /** What new versions changed, the latest first: of one document or of all; `since`: a time of ISO 8601. */
  changes({ document, ...where }: t.Paging & { readonly document?: string; readonly since?: string } = {}): Promise<t.Changes> {
    return document === undefined
      ? this.#call('listChanges', { query: { ...where } })
      : this.#call('listDocumentChanges', { path: { document }, query: { ...where } })
  }
  /** Who may read it, from the version on that is returned. */
  setAccess(id: string, access: readonly string[]): Promise<t.Patched> {
    return this.#call('patchDocument', { path: { document: id }, body: { access } })
  }
  /** Null: detected from its text. The returned job indexes it again; none if it already has that language. */
  setLanguage(id: string, language: string | null): Promise<t.Patched> {
    return this.#call('patchDocument', { path: { document: id }, body: { language } })
  }
  /** `false`: it takes no part in questions from the version on that is returned, and is kept. */
  setActive(id: string, active: boolean): Promise<t.Patched> {
    return this.#call('patchDocument', { path: { document: id }, body: { active } })
  }
  remove(id: string): Promise<t.Accepted> {
    return this.#call('deleteDocument', { path: { document: id } })
  }
  /** `prefix`: only documents whose ids begin with it. */
  page(paging: t.Paging & { readonly prefix?: string } = {}): Promise<t.Page<t.Document>> {
    return this.#call('listDocuments', { query: { ...paging } })
  }
  /** All documents, page by page. */
  documents(): AsyncGenerator<t.Document, void, void> {
    return walked((paging) => this.page(paging))
  }

  job(id: string, wait = 0, call: Pick<Call, 'signal'> = {}): Promise<t.Job> {
    return this.#call('getJob', { path: { job: id }, query: { wait }, ...call })
  }
  jobs(paging: t.Paging = {}): Promise<t.Page<t.Job>> {
    return this.#call('listJobs', { query: { ...paging } })
  }
  cancel(job: string): Promise<t.Job> {
    return this.#call('cancelJob', { path: { job } })
  }
  retry(job: string): Promise<t.Job> {
    return this.#call('retryJob', { path: { job } })
  }
  /** The job when it has succeeded; rejects with the code `job_failed`, `job_cancelled`, `job_paused_budget` or `timeout`. */
  waitForJob(id: string, waiting: Waiting = {}): Promise<t.Job> {
    return jobEnded((wait, signal) => this.job(id, wait, { signal }), waiting)
  }
  /** The job at each check, until it has ended in any way; a check waits at most `seconds`. */
  watchJob(
    id: string,
    { seconds, signal }: { readonly seconds: number; readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<t.Job> {
    return looks(
      (wait) => this.job(id, wait, { signal }),
      () => seconds,
    )
  }

  search(search: t.Search, call: Pick<Call, 'signal'> = {}): Promise<t.SearchResult> {
    return this.#call('search', { body: search, ...call })
  }
  query(question: t.Question, call: Pick<Call, 'signal'> = {}): Promise<t.QueryResult> {
    return this.#call('query', { body: question, ...call })
  }
  /** The answer as it is written. */
  async *ask(question: t.Question, call: Pick<Call, 'signal'> = {}): AsyncGenerator<AnswerEvent, void, void> {
    yield* eventsOf(await this.#fetch('query', { body: { ...question, stream: true }, ...call }))
  }
  compare(comparison: t.Comparison): Promise<t.CompareResult> {
    return this.#call('compare', { body: comparison })
  }
  estimate(documents: t.ToEstimate): Promise<t.Estimate> {
    return this.#call('estimateDocuments', { body: documents })
  }

  putLabel(label: string, content: t.NewLabel = {}): Promise<t.Label> {
    return this.#call('putLabel', { path: { label }, body: content })
  }
  labels(paging: t.Paging = {}): Promise<t.Page<t.Label>> {
    return this.#call('listLabels', { query: { ...paging } })
  }
  removeLabel(label: string): Promise<unknown> {
    return this.#call('deleteLabel', { path: { label } })
  }
  classify(text: t.ToClassify): Promise<t.Classified> {
    return this.#call('classify', { body: text })
  }
  unlearn(id: string): Promise<unknown> {
    return this.#call('unlearn', { path: { learned: id } })
  }
  /** Undoes all that was learned at or after a time of ISO 8601. */
  unlearnSince(since: string): Promise<unknown> {
    return this.#call('unlearnSince', { query: { since } })
  }

  graph(from: { readonly node?: string; readonly depth?: number; readonly limit?: number } = {}): Promise<t.Neighbourhood> {
    return this.#call('getGraph', { query: { ...from } })
  }
  /** `sort: 'mentions'`: those that the most chunks mention first. */
  entities(where: t.Paging & { readonly q?: string; readonly sort?: 'id' | 'mentions' } = {}): Promise<t.Nodes> {
    return this.#call('listEntities', { query: { ...where } })
  }
  /** Summaries of EraRAG's tree, or communities of ArchRAG: how many each layer has. */
  layers(of: 'segments' | 'communities'): Promise<t.Layers> {
    return this.#call(LAYERED[of])
  }
  layer(of: 'segments' | 'communities', layer: number, paging: t.Paging = {}): Promise<t.Nodes> {
    return this.#call(LAYERED[of], { query: { layer, ...paging } })
  }
  /** Of every commit, oldest first; `after`: only of later versions; `partition`: in a corpus in partitions, only of this one. */
  receipts(where: t.Paging & { readonly after?: number; readonly partition?: number } = {}): Promise<t.Page<t.CommitReceipt>> {
    return this.#call('listReceipts', { query: { ...where } })
  }
  /** Who did what to it, newest first; `since`: a time of ISO 8601. */
  audit(where: t.Paging & { readonly since?: string } = {}): Promise<t.Page<t.AuditEntry>> {
    return this.#call('getAudit', { query: { ...where } })
  }
  /** What it has cost: sums, and a page of documents. */
  usage(paging: t.Paging = {}): Promise<t.CorpusUsage> {
    return this.#call('getUsage', { query: { ...paging } })
  }
  health(): Promise<t.CorpusHealth> {
    return this.#call('getHealth')
  }
  probes(): Promise<t.Probes> {
    return this.#call('getProbes')
  }
  /** Replaces all that were pinned. `ifMatch`: the `revision` that was read; rejects with `precondition_failed` if others have been pinned since. */
  pinProbes(probes: t.NewProbes, { ifMatch }: { readonly ifMatch?: string } = {}): Promise<t.Pinned> {
    if (ifMatch === undefined) return this.#call('putProbes', { body: probes })
    // Named, so that its own repeat is not refused for what it has itself pinned.
    const headers = { 'if-match': `"${ifMatch}"`, 'idempotency-key': crypto.randomUUID() }
    return this.#call('putProbes', { body: probes, headers })
  }
  /** Pins what `change` makes of what is pinned; it is asked again where others were pinned meanwhile. */
  changeProbes(change: (now: t.Probes) => t.NewProbes): Promise<t.Pinned> {
    return changeProbes({ read: () => this.probes(), pin: (probes, ifMatch) => this.pinProbes(probes, { ifMatch }) }, change)
  }
}
