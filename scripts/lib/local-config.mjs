/**
 * The local configuration, derived from wrangler.toml so that it cannot drift from production, as options for Miniflare. Only what a
 * machine without an account lacks is replaced: `ai` and `vectorize` become service bindings of the same name to the stand-ins.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'

export const STAND_INS = 'stand-ins'
/**
 * What is true wherever the stand-ins are bound: they are called over RPC, which carries no AbortSignal, and describe no pictures; they
 * answer the calls that production sends to a server; local storage refuses less.
 */
const BESIDE_STAND_INS = {
  AI_SIGNAL: 'off',
  STRICT_STORAGE: 'on',
  CONVERSION: 'off',
  VISION_MODEL: '',
  TRANSCRIPTION_MODEL: '',
  MODEL_SERVER_URL: '',
}
const PREVIOUS = { VECTORIZE_PREVIOUS: { name: STAND_INS, entrypoint: 'PreviousVectorizeStandIn' } }
const ENTRYPOINTS = { ai: 'AiStandIn', vectorize: 'VectorizeStandIn' }

/** @param {string} path @returns {Record<string, any>} */
export function readToml(path) {
  return parse(readFileSync(path, 'utf8'))
}

/** The bindings that replace `ai` and `vectorize`, under the product's names for them. */
function replacements(production) {
  const bindings = [
    ...(production.ai ? [[production.ai.binding, ENTRYPOINTS.ai]] : []),
    ...(production.vectorize ?? []).map((index) => [index.binding, ENTRYPOINTS.vectorize]),
  ]
  return Object.fromEntries(
    bindings.map(([binding, entrypoint]) => [binding, DEDICATED.test(binding) ? dedicatedIndex(binding) : { name: STAND_INS, entrypoint }]),
  )
}

const DEDICATED = /^INDEX_(?:[A-Z]+_)?\d+(?:_PREVIOUS)?$/

/** The index of a corpus that shares none: the stand-in keeps it under the name of its binding. */
export const dedicatedIndex = (binding) => ({
  name: STAND_INS,
  entrypoint: binding.endsWith('_PREVIOUS') ? PREVIOUS.VECTORIZE_PREVIOUS.entrypoint : ENTRYPOINTS.vectorize,
  props: { index: binding },
})

export const LOG_BINDING = 'REPLICATION'

/** The buckets that sources may follow: all but the replicas' log. */
export const sourceBuckets = ({ r2_buckets: buckets = [] }) => buckets.filter(({ binding }) => binding !== LOG_BINDING)

/** Names by binding. Locally corpora may have replicas, whether or not production allows them. */
function bucketsOf({ r2_buckets: buckets = [] }) {
  return { [LOG_BINDING]: 'loam-replication', ...Object.fromEntries(buckets.map(({ binding, bucket_name: name }) => [binding, name])) }
}

/** Tells the Worker which binding is which bucket: a binding does not say so itself. */
export function withBuckets(config) {
  const named = sourceBuckets(config).map(({ binding, bucket_name: name }) => `${binding}=${name}`)
  return named.length > 0 ? { ...config, vars: { ...config.vars, BUCKETS: named.join(' ') } } : config
}

/** The product's bindings, for `npm start` and for tests that run inside workerd. */
export function miniflareOptions(production, { vars }) {
  const sqlite = new Set((production.migrations ?? []).flatMap((step) => step.new_sqlite_classes ?? []))
  const objects = (production.durable_objects?.bindings ?? []).map(({ name, class_name: className }) => [
    name,
    { className, useSQLite: sqlite.has(className) },
  ])
  const consumers = (production.queues?.consumers ?? []).map((consumer) => [
    consumer.queue,
    {
      maxBatchSize: consumer.max_batch_size,
      maxBatchTimeout: consumer.max_batch_timeout,
      maxRetries: consumer.max_retries,
      deadLetterQueue: consumer.dead_letter_queue,
    },
  ])
  return {
    compatibilityDate: production.compatibility_date,
    compatibilityFlags: production.compatibility_flags,
    r2Buckets: bucketsOf(production),
    bindings: { ...withBuckets(production).vars, ...BESIDE_STAND_INS, ...vars },
    durableObjects: Object.fromEntries(objects),
    d1Databases: databasesOf(production),
    kvNamespaces: namespacesOf(production),
    workflows: Object.fromEntries(
      (production.workflows ?? []).map((flow) => [flow.binding, { name: flow.name, className: flow.class_name }]),
    ),
    queueProducers: Object.fromEntries(
      (production.queues?.producers ?? []).map((producer) => [producer.binding, { queueName: producer.queue }]),
    ),
    queueConsumers: Object.fromEntries(consumers),
    ratelimits: Object.fromEntries((production.ratelimits ?? []).map(({ name, ...limit }) => [name, limit])),
    serviceBindings: { ...replacements(production), ...(vars.EMBEDDING_MODEL_PREVIOUS ? PREVIOUS : {}) },
  }
}

/**
 * The product in two processes, each with its own thread: its objects keep its name, and with it their stored data; everything else is in
 * the other process. Each reaches the other by name (Miniflare's registry). Bindings that only one of them has are called there by the
 * other (local/platform/edge.ts).
 * @param {ReturnType<typeof miniflareOptions> & { name: string, modules: object[] }} whole
 */
export function apart(whole) {
  const { name, modules, compatibilityDate, compatibilityFlags, bindings, durableObjects, d1Databases, r2Buckets, serviceBindings } = whole
  const edge = `${name}-edge`
  return {
    objects: {
      ...{ name, modules, compatibilityDate, compatibilityFlags, durableObjects },
      r2Buckets: { [LOG_BINDING]: r2Buckets[LOG_BINDING] }, // only the objects read and write it
      bindings: { ...bindings, EDGE_DATABASES: Object.keys(d1Databases) },
      serviceBindings: { ...serviceBindings, EDGE: { name: edge, entrypoint: 'Edge' } },
    },
    edge: {
      ...whole,
      name: edge,
      durableObjects: Object.fromEntries(
        Object.entries(durableObjects).map(([binding, { className, useSQLite }]) => [binding, { className, useSQLite, scriptName: name }]),
      ),
    },
  }
}

/** Ids by binding. Until the databases exist, all have the same placeholder: the first keeps it, the others use their names. */
function databasesOf({ d1_databases: databases = [] }) {
  const [first] = databases
  const idOf = (one) => (one !== first && one.database_id === first.database_id ? one.database_name : one.database_id)
  return Object.fromEntries(databases.map((one) => [one.binding, idOf(one)]))
}

/** Ids by binding. Locally MCP clients sign in by OAuth, whether or not production has it. */
function namespacesOf({ kv_namespaces: bound = [] }) {
  return { OAUTH_KV: 'oauth', ...Object.fromEntries(bound.map(({ binding, id }) => [binding, id])) }
}

/** Where static files are, and which paths the Worker answers before files are looked up (`!` marks an exception). */
export function assetsOptions(production, { root }) {
  const { directory, binding, run_worker_first: first, html_handling, not_found_handling } = production.assets ?? {}
  if (!directory) return {}
  const rules = Array.isArray(first) ? first : []
  const routing = rules.length
    ? {
        static_routing: {
          user_worker: rules.filter((rule) => !rule.startsWith('!')),
          asset_worker: rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)),
        },
      }
    : { invoke_user_worker_ahead_of_assets: first === true }
  const { compatibility_date, compatibility_flags } = production
  return {
    assets: {
      directory: join(root, directory),
      binding,
      routerConfig: { has_user_worker: true, ...routing },
      assetConfig: { html_handling, not_found_handling, compatibility_date, compatibility_flags },
    },
  }
}
