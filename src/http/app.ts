/** The HTTP face: what is done to every request, and the groups of routes. Who stands behind the ports is the caller's to say. */
import { type ExecutionContext, Hono } from 'hono'
import type { Door } from '../contract/audit'
import { identify } from './access'
import { createCaches } from './caches'
import type { Http, Wired } from './context'
import { problemOf } from './failures'
import { problemResponse, statusOf } from './problem'
import { askRoutes } from './routes/ask'
import { auditRoutes } from './routes/audit'
import { corporaRoutes } from './routes/corpora'
import { deletionRoutes } from './routes/deletion'
import { docsRoutes } from './routes/docs'
import { documentRoutes } from './routes/documents'
import { endpointRoutes } from './routes/endpoints'
import { estimateRoutes } from './routes/estimate'
import { exportRoutes } from './routes/export'
import { gateRoutes } from './routes/gate'
import { graphRoutes } from './routes/graph'
import { hookRoutes, inboundRoutes } from './routes/hooks'
import { importRoutes } from './routes/import'
import { jobRoutes } from './routes/jobs'
import { keyRoutes } from './routes/keys'
import { labelRoutes } from './routes/labels'
import { maintenanceRoutes } from './routes/maintenance'
import { masterKeyRoutes } from './routes/master-key'
import { mcpRoutes } from './routes/mcp'
import { nameRoutes } from './routes/names'
import { chatProblem, openaiRoutes, speaksChat } from './routes/openai'
import { openapiRoutes } from './routes/openapi'
import { receiptRoutes } from './routes/receipts'
import { sourceRoutes } from './routes/sources'
import { usageRoutes } from './routes/usage'

const PAGE = 'loam-page' // a header by which the web page says what it is
const REQUEST_ID = /^[\w.:-]{1,128}$/

export function createApp<Env extends object>(wire: (env: Env, context: ExecutionContext) => Wired) {
  const app = new Hono<Http>()
  const caches = createCaches()
  const through = new WeakMap<Request, Door>() // of requests that other doors have made

  app.use(async (c, next) => {
    const sent = c.req.header('x-request-id')
    const requestId = sent && REQUEST_ID.test(sent) ? sent : crypto.randomUUID()
    c.set('requestId', requestId)
    c.set('caches', caches)
    c.set('isInside', through.has(c.req.raw))
    const door = through.get(c.req.raw) ?? (c.req.header(PAGE) === undefined ? 'http' : 'page')
    c.set('door', door)
    c.set('inside', async (request) => {
      through.set(request, speaksChat(c.req.path) ? 'openai' : 'mcp')
      return app.fetch(request, c.env, c.executionCtx)
    })
    c.set('world', wire(c.env as Env, c.executionCtx))
    await next()
    c.header('x-request-id', requestId)
    // What is answered is read as what it says it is, and is kept by nobody who is not told to.
    c.header('x-content-type-options', 'nosniff')
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
  })
  app.get('/healthz', (c) => c.json({ status: 'ok', version: c.get('world').version }))
  app.route('/', inboundRoutes)
  app.use('/v1/*', identify)
  app.use('/mcp', identify)
  for (const routes of [
    keyRoutes,
    masterKeyRoutes,
    deletionRoutes,
    corporaRoutes,
    documentRoutes,
    jobRoutes,
    receiptRoutes,
    auditRoutes,
    gateRoutes,
    askRoutes,
    labelRoutes,
    graphRoutes,
    nameRoutes,
    maintenanceRoutes,
    estimateRoutes,
    usageRoutes,
    exportRoutes,
    importRoutes,
    hookRoutes,
    endpointRoutes,
    sourceRoutes,
    openaiRoutes,
    mcpRoutes,
    openapiRoutes,
    docsRoutes,
  ]) {
    app.route('/', routes)
  }
  app.notFound((c) => problemResponse({ code: 'not_found', detail: 'There is nothing here.', more: {} }, c.get('requestId')))
  app.onError((error, c) => {
    const problem = problemOf(error)
    const requestId = c.get('requestId') ?? 'unknown'
    if (statusOf(problem.code) >= 500) report(error, problem.code, requestId)
    return speaksChat(c.req.path) ? chatProblem(problem, requestId) : problemResponse(problem, requestId)
  })
  return app
}

/** One line of JSON. Names and places in our code alone: a message may quote a document. */
function report(error: unknown, code: string, requestId: string): void {
  const { name, stack }: { name?: unknown; stack?: unknown } = typeof error === 'object' && error !== null ? error : {}
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => line.startsWith('    at ')) : []
  const at = frames.slice(0, 4).map((line) => line.trim())
  console.error(
    JSON.stringify({ event: 'request_failed', code, request_id: requestId, error: typeof name === 'string' ? name : 'unknown', at }),
  )
}
