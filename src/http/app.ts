/** The HTTP app: what is done to every request, and the groups of routes. The caller decides what is behind the ports. */
import { type ExecutionContext, Hono } from 'hono'
import type { Door } from '../contract/audit'
import type { Tracer } from '../ports/tracing'
import { identify } from './access'
import { createCaches } from './caches'
import type { Http } from './context'
import { countAnswer, countRefusal } from './count-request'
import { exchangeToken, mountOAuth, narrowToGrant } from './doors/oauth'
import { problemOf } from './failures'
import { sayStanding } from './key-limits'
import { noRoute } from './no-route'
import { problemResponse, statusOf } from './problem'
import { mount } from './route'
import { operations, routes } from './routes'
import { chatProblem, speaksChat } from './routes/openai'
import { endSpan } from './traced-request'
import { tracedWorld } from './traced-world'
import type { Turn } from './turn'
import type { Wired } from './wired'

const PAGE = 'loam-page' // a header by which the web page identifies itself
const REQUEST_ID = /^[\w.:-]{1,128}$/

export function createApp<Env extends object>(wire: (env: Env, context: ExecutionContext) => Wired) {
  const app = new Hono<Http>()
  const caches = createCaches()
  const through = new WeakMap<Request, { readonly door: Door; readonly tracer: Tracer | undefined; readonly turn: Turn | undefined }>() // for requests made by other interfaces

  app.use(async (c, next) => {
    const sent = c.req.header('x-request-id')
    const requestId = sent && REQUEST_ID.test(sent) ? sent : crypto.randomUUID()
    c.set('requestId', requestId)
    c.set('caches', caches)
    c.set('operations', operations)
    c.set('isInside', through.has(c.req.raw))
    const outer = through.get(c.req.raw)
    const door = outer?.door ?? (c.req.header(PAGE) === undefined ? 'http' : 'page')
    c.set('door', door)
    c.set('turn', outer?.turn)
    c.set('inside', async (request) => {
      through.set(request, { door: speaksChat(c.req.path) ? 'openai' : 'mcp', tracer, turn: c.get('turn') })
      return app.fetch(request, c.env, c.executionCtx)
    })
    const wired = wire(c.env as Env, c.executionCtx)
    const { tracing } = wired
    const tracer = outer ? outer.tracer?.inner() : tracing?.begin(c.req.raw.headers)
    const world = tracer ? tracedWorld(wired, tracer) : wired
    c.set('world', world)
    c.set('untraced', wired)
    c.set('tracer', tracer)
    const from = world.meters ? world.now() : 0
    await next()
    c.header('x-request-id', requestId)
    sayStanding(c)
    // Answers are read only as their declared type, and are cached only where they say so.
    c.header('x-content-type-options', 'nosniff')
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    if (world.meters) countAnswer(c, world.meters, from)
    if (tracer && tracing) endSpan(c, tracer, tracing)
  })
  // Senders of webhooks have no keys and need none.
  mount(
    app,
    routes.filter(({ operation }) => operation.access === 'signed'),
  )
  app.use('/v1/*', identify)
  app.use('/metrics', identify)
  app.use('/mcp', exchangeToken)
  app.use('/mcp', identify)
  app.use('/mcp', narrowToGrant)
  mountOAuth(app)
  mount(
    app,
    routes.filter(({ operation }) => operation.access !== 'signed'),
  )
  app.notFound((c) => {
    const problem = noRoute(c.req.method, new URL(c.req.url).pathname)
    return (speaksChat(c.req.path) ? chatProblem : problemResponse)(problem, c.get('requestId'))
  })
  app.onError((error, c) => {
    const problem = problemOf(error)
    const requestId = c.get('requestId') ?? 'unknown'
    countRefusal(c, problem.code)
    if (statusOf(problem.code) >= 500) report(error, problem.code, requestId)
    return speaksChat(c.req.path) ? chatProblem(problem, requestId) : problemResponse(problem, requestId)
  })
  return app
}

/** One line of JSON. Only names and places in our code: a message may quote a document. */
function report(error: unknown, code: string, requestId: string): void {
  const { name, stack }: { name?: unknown; stack?: unknown } = typeof error === 'object' && error !== null ? error : {}
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => line.startsWith('    at ')) : []
  const at = frames.slice(0, 4).map((line) => line.trim())
  console.error(
    JSON.stringify({ event: 'request_failed', code, request_id: requestId, error: typeof name === 'string' ? name : 'unknown', at }),
  )
}
