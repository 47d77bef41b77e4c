/**
 * The local configurations, derived from wrangler.toml so that they cannot drift from production. Only what a machine
 * without an account lacks is replaced: `ai` and `vectorize` become service bindings of the same name to the stand-ins.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'

export const STAND_INS = 'stand-ins'
const ENTRYPOINTS = { ai: 'AiStandIn', vectorize: 'VectorizeStandIn' }

/** @param {string} path @returns {Record<string, any>} */
export function readToml(path) {
  return parse(readFileSync(path, 'utf8'))
}

/** The bindings that replace `ai` and `vectorize`, under whatever names the product gave them. */
function replacements(production) {
  const bindings = [
    ...(production.ai ? [[production.ai.binding, ENTRYPOINTS.ai]] : []),
    ...(production.vectorize ?? []).map((index) => [index.binding, ENTRYPOINTS.vectorize]),
  ]
  return bindings.map(([binding, entrypoint]) => ({ binding, service: STAND_INS, entrypoint }))
}

/** A `wrangler dev` configuration of the product; paths are absolute because the file lives in the state folder. */
export function localConfig(production, { root, vars }) {
  const { ai: _ai, vectorize: _vectorize, build: _build, limits: _limits, observability: _observability, ...kept } = production
  return {
    ...kept,
    main: join(root, production.main),
    vars: { ...production.vars, ...vars },
    services: [...(production.services ?? []), ...replacements(production)],
    d1_databases: (production.d1_databases ?? []).map((database) => ({ ...database, migrations_dir: join(root, database.migrations_dir) })),
    ...(production.assets ? { assets: { ...production.assets, directory: join(root, production.assets.directory) } } : {}),
  }
}

/** The same for the stand-ins' own configuration. */
export function standInsConfig(standIns, { root, vars }) {
  return { ...standIns, main: join(root, 'local', standIns.main), vars: { ...standIns.vars, ...vars } }
}

/** The product's bindings as Miniflare options, for tests that run inside workerd. */
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
    bindings: { ...production.vars, ...vars },
    durableObjects: Object.fromEntries(objects),
    d1Databases: Object.fromEntries((production.d1_databases ?? []).map((database) => [database.binding, database.database_id])),
    workflows: Object.fromEntries(
      (production.workflows ?? []).map((flow) => [flow.binding, { name: flow.name, className: flow.class_name }]),
    ),
    queueProducers: Object.fromEntries(
      (production.queues?.producers ?? []).map((producer) => [producer.binding, { queueName: producer.queue }]),
    ),
    queueConsumers: Object.fromEntries(consumers),
    ratelimits: Object.fromEntries((production.ratelimits ?? []).map(({ name, ...limit }) => [name, limit])),
    serviceBindings: Object.fromEntries(
      replacements(production).map(({ binding, service, entrypoint }) => [binding, { name: service, entrypoint }]),
    ),
  }
}
