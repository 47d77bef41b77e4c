/**
 * The client: `new Loam({ url, key }).corpus('manuals').query({ query: '…' })`. Runs wherever `fetch` does; needs nothing of the server.
 */
import { CorpusClient } from './corpus'
import { eventsOf, type SeveralAnswerEvent } from './events'
import { type CallOperation, callOperations, type FetchOperation, fetchOperations } from './operations'
import { type Call, createSender, type Options, type Send } from './send'
import type * as t from './types'

export { type BackupBegin, type BackupPart, backupBegin, backupParts, linesOf } from './backup-parts'
export { collected, walked } from './call'
export type { ConversationsClient } from './conversations'
export { CorpusClient } from './corpus'
export type { EndpointsClient } from './endpoints'
export { type FailedCall, type Fault, LoamError } from './error'
export type { AnswerEvent, SeveralAnswerEvent } from './events'
export type { FiltersClient } from './filters'
export type { HooksClient } from './hooks'
export type { NamesClient } from './names'
export type { QueryLogClient } from './query-log'
export { persistent, type Repeats } from './repeats'
export type { Call, Options } from './send'
export type { SourcesClient } from './sources'
export type * from './types'
export { isUnderWay, type Waiting } from './waiting'

export class Loam {
  readonly #options: Options
  readonly #send: Send
  readonly #fetch: FetchOperation
  readonly #call: CallOperation

  constructor(options: Options) {
    this.#options = options
    this.#send = createSender(options)
    this.#fetch = fetchOperations(this.#send, {})
    this.#call = callOperations(this.#fetch)
  }

  /** The same service, asked on behalf of somebody: it returns what these principals may read. */
  as(principals: readonly string[]): Loam {
    return new Loam({ ...this.#options, as: principals })
  }

  /** Any call, for what has no method here. The path is encoded already. */
  request(method: string, path: string, call?: Call): Promise<Response> {
    return this.#send(method, path, call)
  }
  corpus(name: string): CorpusClient {
    return new CorpusClient(this.#send, name)
  }
  /** `deleted`: also those that are deleted and not yet removed; shown to admin keys. */
  corpora({ deleted = false, ...paging }: t.Paging & { readonly deleted?: boolean } = {}): Promise<t.Page<t.Corpus>> {
    const query = { ...paging, ...(deleted ? { deleted: 'true' } : {}) }
    return this.#call('listCorpora', { query })
  }
  /** Evidence from several corpora, best first. */
  search(search: t.SeveralSearch, call: Pick<Call, 'signal'> = {}): Promise<t.SeveralSearchResult> {
    return this.#call('searchCorpora', { body: search, ...call })
  }
  /** An answer from several corpora. */
  query(question: t.SeveralQuestion, call: Pick<Call, 'signal'> = {}): Promise<t.SeveralQueryResult> {
    return this.#call('queryCorpora', { body: question, ...call })
  }
  /** The same as it is written. */
  async *ask(question: t.SeveralQuestion, call: Pick<Call, 'signal'> = {}): AsyncGenerator<SeveralAnswerEvent, void, void> {
    yield* eventsOf<t.SeveralEvent>(await this.#fetch('queryCorpora', { body: { ...question, stream: true }, ...call }))
  }
  mintKey(key: t.NewKey): Promise<t.MintedKey> {
    return this.#call('mintKey', { body: key })
  }
  keys(paging: t.Paging = {}): Promise<t.Page<t.Key>> {
    return this.#call('listKeys', { query: { ...paging } })
  }
  /** Corpora as OpenAI's clients see them, and the models that run. */
  models(): Promise<t.ModelList> {
    return this.#call('listModels')
  }
  /** What this key may do. */
  ownKey(): Promise<t.OwnKey> {
    return this.#call('getOwnKey')
  }
  /** A new secret; the old one stays valid for `overlap` seconds, a day by default. */
  rotateKey(id: string, rotation: t.KeyRotation = {}): Promise<t.MintedKey> {
    return this.#call('rotateKey', { path: { key: id }, body: rotation })
  }
  /** What it may use in a day, replacing earlier limits; null: no limit. */
  limitKey(id: string, limits: t.KeyLimits | null): Promise<t.Key> {
    return this.#call('limitKey', { path: { key: id }, body: { limits } })
  }
  /** What this key has used today; for an admin key, also what others have used. */
  keyUsage(paging: t.Paging = {}): Promise<t.KeysUsage> {
    return this.#call('getKeyUsage', { query: { ...paging } })
  }
  /** What was spent, grouped by any of corpus, key, day and stage: `costs`, of a page of corpora. Days of UTC; 30 of them by default. */
  costs(by: readonly ('corpus' | 'key' | 'day' | 'stage')[], where: t.CostRange = {}): Promise<t.KeysUsage> {
    return this.#call('getKeyUsage', { query: { by: by.join(','), ...where } })
  }
  revokeKey(id: string): Promise<void> {
    return this.#call('revokeKey', { path: { key: id } })
  }
  /** How far secrets have been sealed again under another master key. */
  masterKey(): Promise<t.MasterKey> {
    return this.#call('getMasterKey')
  }
  /** Seals a further page of them again. */
  reseal(): Promise<t.MasterKey> {
    return this.#call('reseal')
  }
  /** Who created, rotated and revoked keys, and created and deleted corpora. */
  audit(paging: t.Paging = {}): Promise<t.Page<t.DeploymentEntry>> {
    return this.#call('getDeploymentAudit', { query: { ...paging } })
  }
  /** Rejects with `unavailable` while a database does not answer. */
  readiness(): Promise<t.Readiness> {
    return this.#call('readiness')
  }

  health(): Promise<t.Health> {
    return this.#call('health')
  }
  /** Prometheus's text format. `corpora`: of how many there are series; `corpus`: only of this one. */
  async metrics(of: { readonly corpora?: number; readonly corpus?: string } = {}): Promise<string> {
    return (await this.#fetch('getMetrics', { query: { ...of } })).text()
  }
}
