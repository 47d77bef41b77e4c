/** What a deployment needs in the account, read from wrangler.toml: data, in the order in which it is made. Asks nobody. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readToml } from './local-config.mjs'

/** Filters of search use these; a metadata index sees only vectors written after it, so it is made with the index. */
const METADATA = [
  { property: 'kind', type: 'string' },
  { property: 'layer', type: 'number' },
]
const NOBODY = '00000000-0000-0000-0000-000000000000' // stands in wrangler.toml until somebody has a database
const SECRETS = [
  { name: 'ADMIN_KEY', why: 'the key that mints all others' },
  { name: 'MASTER_KEY', why: 'seals webhook secrets; never change it' },
]

/** @returns {readonly Record<string, any>[]} steps with a `kind` and what that kind needs */
export function plan(root) {
  const config = readToml(join(root, 'wrangler.toml'))
  const queues = new Set([
    ...(config.queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [dead, queue].filter(Boolean)),
    ...(config.queues?.producers ?? []).map(({ queue }) => queue),
  ])
  return [
    ...(config.d1_databases ?? []).map(({ database_name: name, binding, database_id: id }) => ({
      kind: 'd1',
      name,
      binding,
      ...(id && id !== NOBODY ? { id } : {}),
    })),
    ...(config.vectorize ?? []).flatMap(({ index_name: name }) => [
      { kind: 'vectorize', name, dimensions: Number(config.vars.EMBEDDING_DIMENSIONS), metric: 'cosine' },
      ...METADATA.map((index) => ({ kind: 'metadata-index', name, ...index })),
    ]),
    ...[...queues].map((name) => ({ kind: 'queue', name })),
    ...(config.d1_databases ?? []).map((database) => ({
      kind: 'migrations',
      name: database.database_name,
      binding: database.binding,
      count: migrationsIn(join(root, database.migrations_dir)),
    })),
    ...SECRETS.map((secret) => ({ kind: 'secret', ...secret })),
    {
      kind: 'worker',
      name: config.name,
      objects: (config.durable_objects?.bindings ?? []).map((binding) => binding.class_name),
      workflows: (config.workflows ?? []).map((flow) => flow.name),
      crons: config.triggers?.crons ?? [],
      models: [config.vars.EMBEDDING_MODEL, config.vars.TEXT_MODEL, config.vars.RERANKER_MODEL].filter(Boolean),
    },
  ]
}

function migrationsIn(folder) {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.sql')).length
  } catch {
    return 0
  }
}

/** One line a step. */
export function printed(steps) {
  return steps.map((step) => `${step.kind.padEnd(15)} ${sentence(step)}`).join('\n')
}

function sentence(step) {
  switch (step.kind) {
    case 'd1':
      return `${step.name}: ${step.binding === 'DB' ? 'the catalogue' : 'what corpora are read from'} (bound as ${step.binding}${step.id ? ', named in wrangler.toml' : ''})`
    case 'vectorize':
      return `${step.name}: ${step.dimensions} dimensions, ${step.metric}`
    case 'metadata-index':
      return `${step.name}: ${step.property} (${step.type}), before the first vector`
    case 'queue':
      return step.name
    case 'migrations':
      return `${step.name}: ${step.count} to apply where they are not applied yet`
    case 'secret':
      return `${step.name}: ${step.why}; generated or asked for, never printed but once`
    default:
      return `${step.name}: objects ${list(step.objects)}; workflows ${list(step.workflows)}; cron ${list(step.crons)}; models ${list(step.models)}`
  }
}

const list = (names) => names.join(', ') || 'none'
