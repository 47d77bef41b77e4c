/** What a deployment needs in the account, read from wrangler.toml: data, in the order of creation. Makes no calls. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readToml, sourceBuckets, withBuckets } from './local-config.mjs'

/** Search filters use these; a metadata index sees only vectors written after it, so it is created with the index. */
const METADATA = [
  { property: 'kind', type: 'string' },
  { property: 'layer', type: 'number' },
]
const PLACEHOLDER = /^00000000-0000-0000-0000-/ // ids in wrangler.toml until the databases exist
const RESTRICTED = /^(?:DATA|DEDICATED)_([A-Z]+)_\d+$/ // binding of a database in a jurisdiction, such as DATA_EU_0
const PURPOSE = {
  ADMIN_KEY: 'the key that creates all others',
  MASTER_KEY: 'seals webhook secrets; only --rotate-master-key replaces it',
}
const CONTENTS = [
  ['DB', 'which corpora and keys exist'],
  ['DEDICATED_', 'the graph of one corpus alone, for lists and exports'],
]
const OUTBOUND = 'loam-outbound' // the queue that the Worker listens to
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/**
 * @param {string} root where wrangler.toml is
 * @param {{domain?: string, sampling?: string}} [options] as given on the command line
 * @returns {readonly Record<string, any>[]} steps with a `kind` and what that kind needs
 */
export function plan(root, options = {}) {
  const config = configured(root, options)
  const queues = new Set([
    ...(config.queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [dead, queue].filter(Boolean)),
    ...(config.queues?.producers ?? []).map(({ queue }) => queue),
  ])
  return [
    ...(config.d1_databases ?? []).map(({ database_name: name, binding, database_id: id }) => ({
      kind: 'd1',
      name,
      binding,
      ...(RESTRICTED.test(binding) ? { jurisdiction: RESTRICTED.exec(binding)[1].toLowerCase() } : {}),
      ...(id && !PLACEHOLDER.test(id) ? { id } : {}),
    })),
    ...(config.vectorize ?? []).flatMap(({ index_name: name, binding }) => [
      { kind: 'vectorize', name, dimensions: dimensionsOf(config, binding), metric: 'cosine' },
      ...METADATA.map((index) => ({ kind: 'metadata-index', name, ...index })),
    ]),
    ...[...queues].map((name) => ({ kind: 'queue', name })),
    ...bucketsOf(config).flatMap(({ bucket_name: name, binding }) => [
      { kind: 'bucket', name, binding },
      ...(sourceBuckets(config).some((one) => one.binding === binding) ? [{ kind: 'notification', name, queue: OUTBOUND }] : []),
    ]),
    ...(config.d1_databases ?? []).map((database) => ({
      kind: 'migrations',
      name: database.database_name,
      binding: database.binding,
      count: migrationsIn(join(root, database.migrations_dir ?? 'migrations')),
    })),
    ...(config.secrets?.required ?? []).map((name) => ({ kind: 'secret', name, why: PURPOSE[name] ?? 'required by wrangler.toml' })),
    {
      kind: 'worker',
      name: config.name,
      objects: (config.durable_objects?.bindings ?? []).map((binding) => binding.class_name),
      workflows: (config.workflows ?? []).map((flow) => flow.name),
      crons: config.triggers?.crons ?? [],
      roles: {
        embedding: config.vars.EMBEDDING_MODEL,
        dimensions: Number(config.vars.EMBEDDING_DIMENSIONS),
        text: config.vars.TEXT_MODEL,
        reranker: config.vars.RERANKER_MODEL,
        prices: config.vars.MODEL_PRICES,
      },
      sampling: config.observability?.head_sampling_rate ?? 1,
    },
    ...domainsOf(config).map((name) => ({ kind: 'domain', name })),
  ]
}

const bucketsOf = (config) => config.r2_buckets ?? []

/** Each index has the dimensions of its model. */
const dimensionsOf = ({ vars }, binding) =>
  Number(binding.endsWith('_PREVIOUS') ? vars.EMBEDDING_DIMENSIONS_PREVIOUS : vars.EMBEDDING_DIMENSIONS)

/**
 * wrangler.toml with the options applied. The workers.dev address stays on in addition to a domain, so that its clients keep working.
 * @returns {Record<string, any>}
 */
export function configured(root, { domain, sampling } = {}) {
  const config = withBuckets(readToml(join(root, 'wrangler.toml')))
  if (domain !== undefined && !HOST.test(domain)) throw new Error(`--domain takes a host name such as docs.example.com, not “${domain}”.`)
  const rate = Number(sampling)
  if (sampling !== undefined && !(sampling !== '' && rate >= 0 && rate <= 1))
    throw new Error(`--sampling takes the share of requests that are logged, from 0 to 1, not “${sampling}”.`)
  const routes = [...(config.routes ?? []), ...(domain ? [{ pattern: domain, custom_domain: true }] : [])]
  return {
    ...config,
    ...(routes.length > 0 ? { routes, workers_dev: config.workers_dev ?? true } : {}),
    ...(sampling === undefined ? {} : { observability: { ...config.observability, head_sampling_rate: rate } }),
  }
}

/** Host names that should be the Worker's own. */
export const domainsOf = (config) => [
  ...new Set((config.routes ?? []).flatMap(({ pattern, custom_domain: own }) => (own ? [pattern] : []))),
]

function migrationsIn(folder) {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.sql')).length
  } catch {
    return 0
  }
}

/** One line per step. */
export function printed(steps) {
  return steps.map((step) => `${step.kind.padEnd(15)} ${sentence(step)}`).join('\n')
}

function sentence(step) {
  switch (step.kind) {
    case 'd1':
      return `${step.name}: ${CONTENTS.find(([binding]) => step.binding.startsWith(binding))?.[1] ?? 'the graphs of corpora, for lists and exports'} (bound as ${step.binding}${step.jurisdiction ? `, in the jurisdiction ${step.jurisdiction}` : ''}${step.id ? ', named in wrangler.toml' : ''})`
    case 'vectorize':
      return `${step.name}: ${step.dimensions} dimensions, ${step.metric}`
    case 'metadata-index':
      return `${step.name}: ${step.property} (${step.type}), before the first vector`
    case 'queue':
      return step.name
    case 'bucket':
      return `${step.name}: followed by sources (bound as ${step.binding})`
    case 'notification':
      return `${step.name}: tells the queue ${step.queue} which objects were added and deleted`
    case 'migrations':
      return `${step.name}: ${step.count}, applied unless they already are`
    case 'secret':
      return `${step.name}: ${step.why}; from the environment or made at random, kept if it is there`
    case 'domain':
      return `${step.name}: refused if it already leads elsewhere`
    default: {
      const { embedding, text, reranker } = step.roles
      return `${step.name}: objects ${list(step.objects)}; workflows ${list(step.workflows)}; cron ${list(step.crons)}; models ${list([embedding, text, reranker].filter(Boolean))}; ${step.sampling * 100} % of requests logged`
    }
  }
}

const list = (names) => names.join(', ') || 'none'
