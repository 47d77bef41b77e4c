/**
 * The client: `new Loam({ url, key }).corpus('manuals').query({ query: '…' })`. Runs wherever `fetch` does; needs nothing of the server.
 */
import { CorpusClient } from './corpus'
import { type Call, type Options, type Send, sender } from './send'
import type * as t from './types'

export { collected, walked } from './call'
export { CorpusClient } from './corpus'
export type { EndpointsClient } from './endpoints'
export { type Fault, LoamError } from './error'
export type { AnswerEvent } from './events'
export type { HooksClient } from './hooks'
export type { NamesClient } from './names'
export { persistent, type Repeats } from './repeats'
export type { Call, Options } from './send'
export type { SourcesClient } from './sources'
export type * from './types'
export type { Waiting } from './waiting'

export class Loam {
  readonly #options: Options
  readonly #send: Send

  constructor(options: Options) {
    this.#options = options
    this.#send = sender(options)
  }

  /** The same service, asked for somebody: he is given what these principals may read. */
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
  /** `deleted`: those, too, that are deleted and not yet cleared away; an admin key is shown them. */
  async corpora({ deleted = false, ...paging }: t.Paging & { readonly deleted?: boolean } = {}): Promise<t.Page<t.Corpus>> {
    const query = { ...paging, ...(deleted ? { deleted: 'true' } : {}) }
    return (await this.#send('GET', '/v1/corpora', { query })).json() as Promise<t.Page<t.Corpus>>
  }
  async mintKey(key: t.NewKey): Promise<t.MintedKey> {
    return (await this.#send('POST', '/v1/keys', { body: key })).json() as Promise<t.MintedKey>
  }
  async keys(paging: t.Paging = {}): Promise<t.Page<t.Key>> {
    return (await this.#send('GET', '/v1/keys', { query: { ...paging } })).json() as Promise<t.Page<t.Key>>
  }
  /** A new secret; the old one is good for `overlap` seconds, a day unless told. */
  async rotateKey(id: string, rotation: t.KeyRotation = {}): Promise<t.MintedKey> {
    return (await this.#send('POST', `/v1/keys/${encodeURIComponent(id)}:rotate`, { body: rotation })).json() as Promise<t.MintedKey>
  }
  /** What it may use in a day, in place of what was said before; null: as much as it likes. */
  async limitKey(id: string, limits: t.KeyLimits | null): Promise<t.Key> {
    return (await this.#send('PATCH', `/v1/keys/${encodeURIComponent(id)}`, { body: { limits } })).json() as Promise<t.Key>
  }
  /** What this key has used of its day; for an admin key, what others have, too. */
  async keyUsage(paging: t.Paging = {}): Promise<t.KeysUsage> {
    return (await this.#send('GET', '/v1/usage', { query: { ...paging } })).json() as Promise<t.KeysUsage>
  }
  async revokeKey(id: string): Promise<void> {
    await this.#send('DELETE', `/v1/keys/${encodeURIComponent(id)}`)
  }
  /** How far secrets have been sealed anew under another master key. */
  async masterKey(): Promise<t.MasterKey> {
    return (await this.#send('GET', '/v1/master-key')).json() as Promise<t.MasterKey>
  }
  /** Seals a further page of them anew. */
  async reseal(): Promise<t.MasterKey> {
    return (await this.#send('POST', '/v1/master-key:reseal')).json() as Promise<t.MasterKey>
  }
  /** Who made, rotated and revoked keys, and made and deleted corpora. */
  async audit(paging: t.Paging = {}): Promise<t.Page<t.DeploymentEntry>> {
    return (await this.#send('GET', '/v1/audit', { query: { ...paging } })).json() as Promise<t.Page<t.DeploymentEntry>>
  }
  async health(): Promise<{ readonly status: 'ok'; readonly version: string }> {
    return (await this.#send('GET', '/healthz')).json() as Promise<{ readonly status: 'ok'; readonly version: string }>
  }
}
