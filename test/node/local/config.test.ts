/** The local configuration is the production one with two bindings replaced. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localConfig, miniflareOptions, readToml, standInsConfig } from '../../../scripts/lib/local-config.mjs'

const root = join(import.meta.dirname, '../../..')
const production = readToml(join(root, 'wrangler.toml'))

it('[L30] AI and Vectorize become services of the same names; every other binding stays as it is', () => {
  const { main, vars, services, assets, d1_databases, ...rest } = localConfig(production, { root: '/r', vars: { TEXT_MODEL: '' } })
  const { ai, vectorize, build, limits, observability, main: _m, vars: given, assets: _a, d1_databases: _d, ...kept } = production
  expect(services).toEqual([
    { binding: ai.binding, service: 'stand-ins', entrypoint: 'AiStandIn' },
    { binding: vectorize[0].binding, service: 'stand-ins', entrypoint: 'VectorizeStandIn' },
  ])
  expect(rest).toEqual(kept)
  expect(vars).toEqual({ ...given, TEXT_MODEL: '' })
  expect([main, assets.directory, d1_databases[0].migrations_dir]).toEqual(['/r/src/worker.ts', '/r/ui/dist', '/r/migrations'])
  expect([build, limits, observability].every(Boolean)).toBe(true) // of production; none of them is of use here
})

it('[L31] the production configuration itself is not changed by deriving', () => {
  const before = JSON.stringify(production)
  localConfig(production, { root, vars: {} })
  miniflareOptions(production, { vars: {} })
  expect(JSON.stringify(production)).toBe(before)
})

it('[L32] tests inside workerd get every binding of the product', () => {
  const options = miniflareOptions(production, { vars: { ADMIN_KEY: 'k' } })
  expect(options).toMatchObject({
    durableObjects: { CORPUS: { className: 'Corpus', useSQLite: true } },
    workflows: { INGEST: { name: 'loam-ingest', className: 'Ingest' } },
    queueProducers: { OUTBOUND: { queueName: 'loam-outbound' } },
    queueConsumers: { 'loam-outbound': { maxRetries: 20, deadLetterQueue: 'loam-outbound-dead' } },
    serviceBindings: { AI: { entrypoint: 'AiStandIn' }, VECTORIZE: { entrypoint: 'VectorizeStandIn' } },
    bindings: { ADMIN_KEY: 'k', EMBEDDING_WINDOW: '512' },
  })
  expect(Object.keys(options.d1Databases)).toEqual(['DB'])
  expect(Object.keys(options.ratelimits)).toEqual(['PUBLIC_LIMIT'])
})

it('[L33] the stand-ins keep their configuration except for what is said', () => {
  const given = readToml(join(root, 'local/wrangler.toml'))
  const made = standInsConfig(given, { root: '/r', vars: { EMBEDDINGS_URL: 'http://e' } })
  expect(made).toEqual({ ...given, main: '/r/local/workerd/main.ts', vars: { ...given.vars, EMBEDDINGS_URL: 'http://e' } })
})
