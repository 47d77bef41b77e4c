/** A service for the command line to talk to: takes documents by id and content, as the real one does, and does what a test tells it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  /** What follows the path. */
  readonly search: string
  readonly key: string | undefined
  readonly repeat: string | undefined
  /** If-Match. */
  readonly only?: string | undefined
  /** Loam-As. */
  readonly as?: string | undefined
  readonly body: unknown
}

export type Reply = { readonly status?: number; readonly body: unknown; readonly headers?: { readonly [name: string]: string } } | 'closed'

export interface Service {
  readonly url: string
  readonly asked: Asked[]
  readonly documents: Map<string, string>
  /** Says something else to the next calls of a path, in order. */
  next(path: string, ...replies: Reply[]): void
  usd: number
  refuses: string | undefined
  jobStatus: string
  stop(): Promise<void>
}

export async function service(): Promise<Service> {
  const replies = new Map<string, Reply[]>()
  const it: Omit<Service, 'url' | 'next' | 'stop'> = {
    asked: [],
    documents: new Map(),
    usd: 0,
    refuses: undefined,
    jobStatus: 'succeeded',
  }
  const server = createServer(async (request, response) => {
    const asked = await readOf(request)
    it.asked.push(asked)
    const told = replies.get(asked.path)?.shift()
    if (told === 'closed') return void request.socket.destroy()
    answer(response, told ?? usual(it, asked))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(it, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (path: string, ...more: Reply[]) => void replies.set(path, [...(replies.get(path) ?? []), ...more]),
    stop: () => closed(server),
  })
}

async function readOf(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  const { method = '', url = '', headers } = request
  const json = headers['content-type'] === 'application/json'
  return {
    method,
    as: headers['loam-as']?.toString(),
    path: url.split('?')[0] ?? '',
    search: url.split('?')[1] ?? '',
    key: headers.authorization?.replace('Bearer ', ''),
    repeat: headers['idempotency-key']?.toString(),
    only: headers['if-match'],
    body: json ? JSON.parse(text) : text,
  }
}

function answer(response: ServerResponse, { status = 200, body, headers = {} }: Exclude<Reply, 'closed'>): void {
  const [type, text] = typeof body === 'string' ? ['application/x-ndjson', body] : ['application/json', JSON.stringify(body)]
  response.writeHead(status, { 'content-type': type, ...headers }).end(text)
}

const usage = { in: 0, out: 0, embedded: 7 }

function usual(it: Omit<Service, 'url' | 'next' | 'stop'>, { path, body }: Asked): Exclude<Reply, 'closed'> {
  const [, , , , action] = path.split('/')
  if (path === '/v1/corpora') return { body: { data: [{ corpus: 'one' }], next_cursor: null } }
  if (action === undefined)
    return { body: { corpus: 'one', status: 'settled', counts: { documents: it.documents.size }, strategies: ['erarag', 'ketrag'] } }
  if (action === 'documents') return { body: { data: [...it.documents.keys()].map((document) => ({ document })), next_cursor: null } }
  if (action === 'documents:batch') return batch(it, body as { upserts: { id: string; text: string }[] })
  if (action === 'estimate') return { body: estimate(it.usd) }
  if (action === 'jobs') return { body: { job: 'j_1', status: it.jobStatus, progress: { done: 1, total: 1 }, usage } }
  return { status: 404, body: { code: 'not_found', detail: 'Nothing is here.' } }
}

function batch(it: Omit<Service, 'url' | 'next' | 'stop'>, { upserts }: { upserts: { id: string; text: string }[] }) {
  if (upserts.some(({ id }) => id === it.refuses)) return { status: 422, body: { code: 'invalid', detail: 'No.' } }
  const documents = upserts.map(({ id, text }) => {
    const same = it.documents.get(id) === text
    it.documents.set(id, text)
    return { document: id, status: same ? 'unchanged' : 'queued' }
  })
  const changed = documents.some(({ status }) => status === 'queued')
  return changed ? { status: 202, body: { job: 'j_1', documents } } : { body: { status: 'unchanged', documents } }
}

function estimate(usd: number) {
  const cost = (n: number) => ({ usd: n, bounds: { min: { usd: n / 2 }, max: { usd: n * 2 } } })
  return { tokens: 100, strategies: {}, corpus: cost(usd * 6) }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
