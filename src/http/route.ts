/**
 * A route: its declaration (operation.ts) with its handler. What runs before a handler follows from the declaration, always in this
 * order: access, the body's turn, Idempotency-Key, the ids of the path, the body.
 */
import type { Hono, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { z } from 'zod'
import {
  checkScope,
  requireAdmin,
  requireCorpusMaker,
  requireDeploymentAdmin,
  requireKey,
  requireKeyItself,
  requireReader,
  requireScope,
  requireUnlimitedKey,
} from './access'
import { requireWholeSight } from './asker'
import { JSON_LIMIT, readJson } from './body'
import type { Ctx, Http } from './context'
import { repeatable } from './idempotency'
import type { Operation } from './operation'
import { namesInPath, pathParameters } from './parameters'
import { idOf } from './path'
import { takeTurn } from './reading-turn'
import { type AnyReply, type Reply, responseTo } from './reply'

type Guard = MiddlewareHandler<Http>

export interface Route {
  readonly operation: Operation
  readonly guards: { readonly before?: Guard } & DoorGuards
  handle(c: Ctx): Promise<Response>
}

interface Guards<O extends Operation> extends DoorGuards {
  /** Runs before the access check and may answer instead; undefined: continue. */
  readonly before?: (c: Ctx) => Promise<Reply<O> | undefined>
}

interface DoorGuards {
  /** Runs after the access check, before any of the body is read. */
  readonly behind?: Guard
}

/** What the handler is given: the body as its schema parsed it. */
type Sent<O extends Operation> = O extends { readonly body: { readonly readBy: 'handler' } }
  ? undefined
  : O extends { readonly body: { readonly schema: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined

type Handler<O extends Operation> = (c: Ctx, body: Sent<O>) => Reply<O> | Promise<Reply<O>>

/** `route({ … }).answer(async (c, body) => …)`: two calls, so that the declaration is known when the handler is checked against it. */
export function route<const O extends Operation>(operation: O) {
  return { answer: (handler: Handler<O>, guards: Guards<O> = {}): Route => bindHandler(operation, handler, guards) }
}

function bindHandler<O extends Operation>(operation: O, handler: Handler<O>, { before, ...guards }: Guards<O>): Route {
  const { schema, readBy, limit } = operation.body ?? {}
  const { scopeFor } = operation
  const ids = namesInPath(operation.path).filter((name) => pathParameters[name]?.isFree)
  return {
    operation,
    guards: { ...guards, ...(before ? { before: answerInPlace(before) } : {}) },
    handle: async (c) => {
      for (const name of ids) idOf(c, name) // a bad one is refused before the body is looked at
      const body = schema && readBy === undefined ? await readJson(c, schema, limit) : undefined
      if (scopeFor) checkScope(c, scopeFor(body as never))
      return responseTo(c, await handler(c, body as Sent<O>))
    },
  }
}

export function mount(app: Hono<Http>, routes: readonly Route[]): void {
  for (const { operation, guards, handle } of routes) {
    const { method, path, body } = operation
    const steps: Guard[] = [
      setOperation(operation),
      ...(guards.before ? [guards.before] : []),
      ...doorOf(operation),
      ...(guards.behind ? [guards.behind] : []),
      ...(body?.inTurn ? [takeTurn(body.inTurn, body.limit ?? JSON_LIMIT)] : []),
      ...(operation.repeatable ? [repeatable(body?.limit ?? JSON_LIMIT)] : []),
    ]
    app.on(method.toUpperCase(), [honoPath(path)], ...steps, (c: Ctx) => handle(c))
  }
}

/** Access checks, audit and validation learn from it what the request is. */
function setOperation(operation: Operation): Guard {
  return createMiddleware<Http>(async (c, next) => {
    c.set('operation', operation)
    await next()
  })
}

function answerInPlace(before: (c: Ctx) => Promise<AnyReply | undefined>): Guard {
  return createMiddleware<Http>(async (c, next) => {
    const reply = await before(c)
    return reply ? responseTo(c, reply) : next()
  })
}

function doorOf(operation: Operation): readonly Guard[] {
  const { needsWholeSight, needsUnlimitedKey } = operation
  return [...accessGuards(operation), ...(needsWholeSight ? [requireWholeSight] : []), ...(needsUnlimitedKey ? [requireUnlimitedKey] : [])]
}

function accessGuards({ access, needsKey, makesCorpus }: Operation): readonly Guard[] {
  if (makesCorpus) return [requireCorpusMaker]
  switch (access) {
    case 'open':
    case 'signed':
    case 'body':
      return []
    case 'key':
      return [requireKey]
    case 'reader':
      return [requireReader]
    case 'self':
      return [requireKeyItself]
    case 'admin':
      return [requireAdmin]
    case 'deployment':
      return [requireDeploymentAdmin]
    default:
      return [...(needsKey ? [requireKey] : []), requireScope(...access)]
  }
}

/**
 * `/v1/corpora/{corpus}:reindex` → `/v1/corpora/:corpus{[^/:]+:reindex}`, `/v1/keys/{key}` → `/v1/keys/:key`. Without an action after
 * it, a corpus's name or one of our ids is a segment without a colon.
 */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}(:[\w-]+)?(\/)?/g, (_, name: string, action = '', slash = '') => {
    const isWhole = action === '' && slash === '' && name === 'corpus'
    const pattern = action !== '' || isWhole || pathParameters[name]?.isPlain ? `{[^/:]+${action}}` : ''
    return `:${name}${pattern}${slash}`
  })
}
