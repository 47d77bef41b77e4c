/**
 * One verification in progress: the client with every request timed, and what was created and must be removed. It creates corpora with
 * names of its own and touches no others.
 */
import { type CorpusClient, Loam, LoamError } from '../../src/client/client'

const PATIENCE = 150_000 // ms for one job
const LOOK = 500 // ms between two checks where there is no long poll

export interface Told {
  readonly url: string
  readonly key: string
  readonly fetch?: (request: Request) => Promise<Response>
  readonly signal?: AbortSignal
}

export class World {
  readonly admin: Loam
  /** Milliseconds by kind of request, as the caller waits for them. */
  readonly times = new Map<string, number[]>()
  readonly url: string
  readonly local: boolean
  readonly signal: AbortSignal
  #name = `verify-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
  readonly #key: string
  readonly #fetch: (request: Request) => Promise<Response>
  #made = { corpora: new Set<string>(), keys: new Set<string>() }

  constructor({ url, key, fetch = (request) => globalThis.fetch(request), signal }: Told) {
    this.url = url.replace(/\/+$/, '')
    this.local = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
    this.signal = signal ?? new AbortController().signal
    this.#key = key
    this.#fetch = fetch
    this.admin = this.as(key)
  }

  /** Takes over what another world has created, so that it is removed here. */
  takeOver(other: World): void {
    this.#name = other.#name
    this.#made = other.#made
  }

  as(key: string | undefined): Loam {
    return new Loam({ url: this.url, ...(key === undefined ? {} : { key }), fetch: (request) => this.#timed(request) })
  }
  /** A request that no client makes. */
  send(
    method: string,
    path: string,
    init: { readonly body?: string; readonly headers?: Record<string, string>; readonly key?: string } = {},
  ) {
    const headers = { ...(init.key === undefined ? {} : { authorization: `Bearer ${init.key}` }), ...init.headers }
    return this.#timed(new Request(`${this.url}${path}`, { method, headers, ...(init.body === undefined ? {} : { body: init.body }) }))
  }
  asAdmin(method: string, path: string, body: unknown): Promise<Response> {
    return this.send(method, path, { key: this.#key, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  }

  /** Where documents are added, found, answered and forgotten. */
  get corpus(): CorpusClient {
    return this.admin.corpus(this.#name)
  }
  /** Where limits are tested. */
  get edge(): CorpusClient {
    return this.admin.corpus(`${this.#name}-edge`)
  }
  async create(corpus: CorpusClient, config: Parameters<CorpusClient['create']>[0]): Promise<void> {
    this.#made.corpora.add(corpus.name)
    await corpus.create(config)
  }
  /** A key for one corpus. */
  async mint(scopes: readonly ('read' | 'write')[]): Promise<Loam> {
    const { id, key } = await this.admin.mintKey({ name: this.#name, scopes: [...scopes], corpora: [this.#name] })
    this.#made.keys.add(id)
    return this.as(key)
  }

  async done(corpus: CorpusClient, job: string | undefined): ReturnType<CorpusClient['waitForJob']> {
    if (job === undefined) throw new Error('no job was started')
    return corpus.waitForJob(job, { timeoutMs: PATIENCE, signal: this.signal })
  }
  /** The first check that succeeds, within the time. */
  async until(what: string, ms: number, look: () => Promise<boolean>): Promise<number> {
    const began = Date.now()
    for (;;) {
      if (await look()) return Date.now() - began
      this.signal.throwIfAborted()
      if (Date.now() - began > ms) throw new Error(`not within ${ms / 1000} s: ${what}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK))
    }
  }
  /** The code of the problem that a call returns. */
  async refused(call: Promise<unknown>): Promise<string> {
    try {
      await call
    } catch (error) {
      if (error instanceof LoamError) return error.code
      throw error
    }
    return 'accepted'
  }

  /** Removes what was created, whatever has happened; what could not be removed is named. */
  async clear(): Promise<readonly string[]> {
    const left: string[] = []
    const gone = (error: unknown): boolean => error instanceof LoamError && error.status === 404
    const remove = async (name: string, call: () => Promise<unknown>): Promise<void> => {
      await call().catch((error: unknown) => (gone(error) ? undefined : left.push(name)))
    }
    for (const name of this.#made.corpora) {
      await remove(`the corpus ${name}`, async () => {
        const corpus = this.admin.corpus(name)
        await this.done(corpus, (await corpus.drop()).job)
        if ((await this.refused(corpus.info())) !== 'corpus_not_found') throw new Error('it is still there')
      })
    }
    for (const id of this.#made.keys) await remove(`the key ${id}`, () => this.admin.revokeKey(id))
    return left
  }

  async #timed(request: Request): Promise<Response> {
    const began = performance.now()
    const signal = AbortSignal.any([request.signal, this.signal])
    try {
      return await this.#fetch(new Request(request, { signal }))
    } finally {
      const kind = kindOf(request)
      this.times.set(kind, [...(this.times.get(kind) ?? []), performance.now() - began])
    }
  }
}

/** `GET /v1/corpora/a/documents/b?x` → `GET documents`. */
function kindOf({ method, url }: Request): string {
  const [, , first = '', second, third] = new URL(url).pathname.split('/')
  if (first !== 'corpora') return `${method} ${first}`
  return `${method} ${third ?? (second?.includes(':') ? second.slice(second.indexOf(':')) : 'corpus')}`
}
