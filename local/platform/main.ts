/**
 * The product within the limits of the platform, which workerd alone does not enforce. Tests inside workerd and `npm start` run this;
 * src/worker.ts itself is deployed.
 */

import type { Env } from '../../src/env'
import product, { Corpus, Governor, Ingest, KeyUsage, Metrics, Replica } from '../../src/worker'
import { limitedQueue } from '../workerd/queue'
import { limitedWorkflow } from '../workerd/workflow'
import { type Apart, withEdge } from './beyond-edge'
import { limitedD1 } from './d1'
import { Edge } from './edge'
import { cameByTheFront, type Fronted } from './front'
import { eachInvoked, invoked } from './invocation'
import { countedNamespace, withJurisdictions } from './namespace'
import { counted } from './service'

// Tells the reader of V8's garbage-collection trace which isolate is the product's (scripts/lib/memory.mjs).
;(globalThis as { gc?: () => void }).gc?.()

const known = new WeakMap<object, Env>()

/** The bindings as the platform provides them. */
export function limited(bound: Env & Apart): Env {
  const found = known.get(bound)
  if (found) return found
  const env = withEdge(bound)
  const databases = Object.entries(env).filter(([name]) => name === 'DB' || /^(?:DATA|DEDICATED)_/.test(name))
  const indexes = Object.entries(env).filter(([name]) => name.startsWith('INDEX_'))
  const within = {
    ...env,
    ...Object.fromEntries(databases.map(([name, binding]) => [name, limitedD1(binding as D1Database, name)])),
    ...Object.fromEntries(indexes.map(([name, binding]) => [name, counted(binding as object, { connects: true })])),
    AI: counted(env.AI, { connects: true }),
    VECTORIZE: counted(env.VECTORIZE as object, { connects: true }),
    ...(env.VECTORIZE_PREVIOUS ? { VECTORIZE_PREVIOUS: counted(env.VECTORIZE_PREVIOUS as object, { connects: true }) } : {}),
    OUTBOUND: counted(limitedQueue(env.OUTBOUND), { connects: true }),
    INGEST: counted(limitedWorkflow(env.INGEST), { connects: false }),
    CORPUS: withJurisdictions(env.CORPUS),
    REPLICA: withJurisdictions(env.REPLICA),
    GOVERNOR: countedNamespace(env.GOVERNOR),
    KEY_USAGE: countedNamespace(env.KEY_USAGE),
    METRICS_OBJECT: countedNamespace(env.METRICS_OBJECT),
  }
  known.set(bound, within)
  return within
}

/** In the objects' process, which serves no clients: can it reach the other one? */
async function connectedStatus(edge: NonNullable<Apart['EDGE']>): Promise<Response> {
  const isConnected = await edge.ping().then(
    () => true,
    () => false,
  )
  return new Response(null, { status: isConnected ? 204 : 503 })
}

eachInvoked(Corpus)
eachInvoked(Replica)
eachInvoked(Ingest)

class LimitedCorpus extends Corpus {
  constructor(context: DurableObjectState, env: Env) {
    super(context, limited(env))
  }
}

class LimitedReplica extends Replica {
  constructor(context: DurableObjectState, env: Env) {
    super(context, limited(env))
  }
}

class LimitedIngest extends Ingest {
  constructor(context: ExecutionContext, env: Env) {
    super(context, limited(env))
  }
}

export { Edge, Governor, KeyUsage, LimitedCorpus as Corpus, LimitedIngest as Ingest, LimitedReplica as Replica, Metrics }

export default {
  fetch: (request, env, context) => {
    if (env.EDGE) return connectedStatus(env.EDGE)
    return cameByTheFront(request, env) ? invoked(() => product.fetch(request, limited(env), context)) : new Response(null, { status: 403 })
  },
  queue: (batch, env) => invoked(() => product.queue(batch, limited(env))),
  scheduled: (controller, env) => invoked(() => product.scheduled(controller, limited(env))),
} satisfies ExportedHandler<Env & Fronted & Apart>
