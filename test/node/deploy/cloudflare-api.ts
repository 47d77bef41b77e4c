/**
 * The Cloudflare API, as far as `wrangler` calls it during a deployment, kept in memory: what is made stays, what is there already is
 * refused with the API's own code. Paths, bodies and the fields that are read come from wrangler's source (SOURCE); codes marked LIVE were
 * quoted by people from production; the rest of an answer is left out because nothing reads it.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { type Refusal, type Request, refusal, Scripts } from './cloudflare-scripts'

/** What goes wrong: a refusal, the connection cut before or after the work is done, or nothing. */
export type Fault = (request: Request) => Refusal | 'cut' | 'cut after' | undefined

interface Queue {
  readonly queue_id: string
  readonly queue_name: string
  readonly consumers: { readonly consumer_id: string; readonly script: string; readonly type: 'worker' }[]
}
interface Index {
  readonly name: string
  readonly config: { readonly dimensions: number; readonly metric: string }
  readonly metadata: { readonly propertyName: string; readonly indexType: string }[]
  vectors: number
}

export const forbidden = refusal(403, 10000, 'Authentication error')
const ACCOUNT = /^\/accounts\/([^/]+)(\/.*)$/

export class CloudflareApi {
  readonly accounts = [{ id: 'a1', name: 'Somebody' }]
  readonly databases = new Map<string, { readonly uuid: string; readonly name: string; readonly sql: DatabaseSync }>()
  /** Jurisdictions of databases that were made in one. */
  readonly placed = new Map<string, string>()
  readonly indexes = new Map<string, Index>()
  readonly queues = new Map<string, Queue>()
  readonly workflows = new Map<string, string>() // which Worker has it
  readonly scripts = new Scripts()
  fault: Fault = () => undefined
  /** Every request that may change something, in order. */
  changes: string[] = []
  #made = 0
  readonly #server = createServer((request, response) => {
    void this.#serve(request).then((reply) => {
      if (reply === 'cut') {
        request.socket.destroy()
        return
      }
      response.statusCode = reply.status
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply.body))
    })
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  stop(): void {
    this.#server.close().closeAllConnections()
    for (const { sql } of this.databases.values()) sql.close()
  }

  async #serve(incoming: IncomingMessage): Promise<'cut' | { readonly status: number; readonly body: unknown }> {
    let body = ''
    for await (const part of incoming.setEncoding('latin1')) body += part
    const url = new URL(incoming.url ?? '/', 'http://api')
    const [, account, path] = ACCOUNT.exec(url.pathname) ?? [undefined, undefined, url.pathname]
    const request = { method: incoming.method ?? 'GET', path: path ?? '/', query: url.searchParams, body }
    if (incoming.headers.authorization !== 'Bearer good' && !request.path.includes('/assets/upload'))
      return answer(refusal(401, 1000, 'Invalid API Token'))
    const known = account === undefined || this.accounts.some(({ id }) => id === account)
    const fault = known ? this.fault(request) : forbidden
    if (fault === 'cut') return 'cut'
    if (typeof fault === 'object') return answer(fault)
    if (request.method !== 'GET' && !/\/query$|\/changeset$/.test(request.path)) this.changes.push(`${request.method} ${request.path}`)
    const result = this.#route(request)
    return fault === 'cut after' ? 'cut' : answer(result)
  }

  #route(request: Request): unknown {
    const parts = request.path.split('/').slice(1)
    switch (parts[0]) {
      case 'user':
        return parts[1] === 'tokens' ? { id: 't1', status: 'active' } : { email: 'somebody@example.com' }
      case 'accounts':
        return this.accounts
      case 'memberships':
        return this.accounts.map((account) => ({ id: `m-${account.id}`, account, roles: [] }))
      case 'd1':
        return this.#d1(request, parts)
      case 'vectorize':
        return this.#vectorize(request, parts)
      case 'queues':
        return this.#queue(request, parts)
      case 'workflows':
        return this.#workflow(request, parts[1] ?? '', parts[2])
      default:
        return this.scripts.route(request, parts)
    }
  }

  /** SOURCE: 7502 is a name that is taken; a migration is one `query`, run here by a real SQLite. */
  #d1({ method, query, body }: Request, [, , id, action]: readonly string[]): unknown {
    const listed = [...this.databases.values()].map(({ uuid, name }) => ({ uuid, name }))
    if (id === undefined && method === 'GET') {
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 100)]
      return listed.slice((page - 1) * size, page * size)
    }
    if (id === undefined) {
      const { name, jurisdiction } = JSON.parse(body) as { readonly name: string; readonly jurisdiction?: string }
      if (jurisdiction) this.placed.set(name, jurisdiction)
      if (listed.some((one) => one.name === name)) return refusal(400, 7502, `A database named ${name} already exists`)
      return { uuid: this.addDatabase(name), name }
    }
    const found = [...this.databases.values()].find((one) => one.uuid === id || one.name === decodeURIComponent(id))
    if (!found) return refusal(404, 7404, 'The database could not be found')
    if (action !== 'query') return { uuid: found.uuid, name: found.name }
    const { sql } = JSON.parse(body) as { readonly sql: string }
    const reads = /^\s*(SELECT|PRAGMA)/i.test(sql)
    if (!reads) found.sql.exec(sql)
    const results = reads ? found.sql.prepare(sql).all() : []
    return [{ results, success: true, meta: { duration: 1 } }]
  }
  addDatabase(name: string): string {
    const uuid = `00000000-0000-4000-8000-${String(++this.#made).padStart(12, '0')}`
    this.databases.set(uuid, { uuid, name, sql: new DatabaseSync(':memory:') })
    return uuid
  }

  /** LIVE: 3002 is a name that is taken; a second metadata index of one property is accepted. */
  #vectorize({ method, body }: Request, [, , , name, what, action]: readonly string[]): unknown {
    if (name === undefined && method === 'GET') return [...this.indexes.values()].map(({ name, config }) => ({ name, config }))
    if (name === undefined) {
      const index = JSON.parse(body) as Index
      if (this.indexes.has(index.name)) return refusal(400, 3002, 'vectorize.index.duplicate_name')
      this.indexes.set(index.name, { name: index.name, config: index.config, metadata: [], vectors: 0 })
      return { name: index.name, config: index.config }
    }
    const index = this.indexes.get(name)
    if (!index) return refusal(404, 3000, 'vectorize.index.not_found')
    if (what === 'info') return { dimensions: index.config.dimensions, vectorCount: index.vectors }
    if (what === undefined) return { name, config: index.config }
    if (action === 'list') return { metadataIndexes: index.metadata }
    index.metadata.push(JSON.parse(body) as Index['metadata'][number])
    return { mutationId: 'mutation' }
  }

  /** LIVE: 11004 is a consumer of another Worker. 11009, a name that is taken, is quoted nowhere we could read. */
  #queue({ method, query, body }: Request, [, id, what]: readonly string[]): unknown {
    const all = [...this.queues.values()]
    if (id === undefined && method === 'GET') {
      const names = query.getAll('name')
      return all
        .filter(({ queue_name }) => names.length === 0 || names.includes(queue_name))
        .map((queue) => ({ ...queue, producers: [], producers_total_count: 0, consumers_total_count: queue.consumers.length }))
    }
    const sent = JSON.parse(body || '{}') as { readonly queue_name: string; readonly script_name: string }
    if (id === undefined) {
      if (all.some((queue) => queue.queue_name === sent.queue_name)) return refusal(400, 11009, 'Queue name is already taken')
      return this.addQueue(sent.queue_name)
    }
    const queue = all.find((one) => one.queue_id === id)
    if (!queue) return refusal(404, 11000, 'queue not found')
    if (what === 'consumers' && method === 'POST') {
      if (queue.consumers.length > 0) return refusal(400, 11004, 'workers.api.error.consumer_exists')
      queue.consumers.push({ consumer_id: `c-${id}`, script: sent.script_name, type: 'worker' })
    }
    return {}
  }
  addQueue(name: string): Queue {
    const queue: Queue = { queue_id: name, queue_name: name, consumers: [] }
    this.queues.set(name, queue)
    return queue
  }

  /** SOURCE: 10200 is no such workflow. */
  #workflow({ method, body }: Request, name: string, what: string | undefined): unknown {
    if (method === 'PUT') this.workflows.set(name, (JSON.parse(body) as { readonly script_name: string }).script_name)
    const script_name = this.workflows.get(name)
    if (script_name === undefined) return refusal(404, 10200, 'workflow not found')
    return what === 'versions' ? [{ id: 'v1' }] : { name, id: 'w1', script_name, class_name: 'Ingest' }
  }
}

function answer(result: unknown): { readonly status: number; readonly body: unknown } {
  if (isRefusal(result)) {
    const { code, message } = result
    return { status: result.status, body: { success: false, errors: [{ code, message }], messages: [], result: null } }
  }
  return {
    status: 200,
    body: { success: true, errors: [], messages: [], result, result_info: { page: 1, per_page: 1000, total_count: 1 } },
  }
}

const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'status' in result && 'code' in result && 'message' in result
