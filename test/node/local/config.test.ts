/** The local configuration is the production one with two bindings replaced. */
import { join } from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { expect, it } from 'vitest'
import { type Remote, withEdge } from '../../../local/platform/beyond-edge'
import { bundled, standIns } from '../../../scripts/lib/bundled.mjs'
import { apart, assetsOptions, miniflareOptions, readToml } from '../../../scripts/lib/local-config.mjs'

const root = join(import.meta.dirname, '../../..')
const production = readToml(join(root, 'wrangler.toml'))

it('[L30] AI and Vectorize become services of the same names; every other binding stays as it is', () => {
  const { serviceBindings, compatibilityDate, compatibilityFlags, bindings, ...rest } = miniflareOptions(production, {
    vars: { TEXT_MODEL: '' },
  })
  expect(serviceBindings).toEqual({
    [production.ai.binding]: { name: 'stand-ins', entrypoint: 'AiStandIn' },
    [production.vectorize[0].binding]: { name: 'stand-ins', entrypoint: 'VectorizeStandIn' },
  })
  expect([compatibilityDate, compatibilityFlags]).toEqual([production.compatibility_date, production.compatibility_flags])
  expect(bindings).toEqual({
    ...production.vars,
    AI_SIGNAL: 'off',
    STRICT_STORAGE: 'on',
    CONVERSION: 'off',
    VISION_MODEL: '',
    TRANSCRIPTION_MODEL: '',
    MODEL_SERVER_URL: '',
    TEXT_MODEL: '',
  })
  const names = ['durable_objects', 'd1_databases', 'workflows', 'queues', 'ratelimits']
  const others = [
    'name',
    'main',
    'compatibility_date',
    'compatibility_flags',
    'keep_names',
    'minify',
    'upload_source_maps',
    'vars',
    'ai',
    'vectorize',
    'migrations',
    'triggers',
    'assets',
  ]
  const account = ['build', 'limits', 'observability', 'secrets'] // of use only there
  expect(Object.keys(production).sort()).toEqual([...names, ...others, ...account].sort()) // a new section needs an answer here
  expect(rest.r2Buckets).toEqual({ REPLICATION: 'loam-replication' }) // a deployment that follows a bucket names it; replicas there may always be here
  expect(rest.kvNamespaces).toEqual({ OAUTH_KV: 'oauth' }) // optional on an account, always there locally
  expect(Object.keys(rest).sort()).toEqual(
    ['d1Databases', 'durableObjects', 'kvNamespaces', 'queueConsumers', 'queueProducers', 'r2Buckets', 'ratelimits', 'workflows'].sort(),
  )
})

it('[L30] the production configuration itself is not changed by deriving', () => {
  const before = JSON.stringify(production)
  miniflareOptions(production, { vars: {} })
  assetsOptions(production, { root })
  expect(JSON.stringify(production)).toBe(before)
})

it('[L30] tests inside workerd get every binding of the product', () => {
  const options = miniflareOptions(production, { vars: { ADMIN_KEY: 'k' } })
  expect(options).toMatchObject({
    durableObjects: { CORPUS: { className: 'Corpus', useSQLite: true } },
    workflows: { INGEST: { name: 'loam-ingest', className: 'Ingest' } },
    queueProducers: { OUTBOUND: { queueName: 'loam-outbound' } },
    queueConsumers: { 'loam-outbound': { maxRetries: 20, deadLetterQueue: 'loam-outbound-dead' } },
    serviceBindings: { AI: { entrypoint: 'AiStandIn' }, VECTORIZE: { entrypoint: 'VectorizeStandIn' } },
    bindings: { ADMIN_KEY: 'k', EMBEDDING_WINDOW: '512' },
  })
  expect(Object.keys(options.d1Databases)).toEqual(['DB', 'DATA_0'])
  expect(new Set(Object.values(options.d1Databases)).size).toBe(2)
  expect(Object.keys(options.ratelimits)).toEqual(['PUBLIC_LIMIT', 'KEY_LIMIT'])
})

it('[L30] the stand-ins keep their configuration except for what is said', () => {
  const given = readToml(join(root, 'local/wrangler.toml'))
  const { name, bindings, durableObjects } = standIns(root, { EMBEDDINGS_URL: 'http://e' })
  expect([name, bindings]).toEqual([given.name, { ...given.vars, EMBEDDINGS_URL: 'http://e' }])
  expect(durableObjects).toEqual({ VECTORS: { className: 'VectorStore', useSQLite: true } })
})

it('[L30] the Worker answers first exactly where production says so, and files are served elsewhere', () => {
  const assets = { directory: 'out', binding: 'FILES', run_worker_first: ['/v1/*', '!/v1/static/*'] }
  expect(assetsOptions({ assets }, { root: '/r' }).assets).toMatchObject({
    directory: '/r/out',
    binding: 'FILES',
    routerConfig: { has_user_worker: true, static_routing: { user_worker: ['/v1/*'], asset_worker: ['/v1/static/*'] } },
  })
  expect(assetsOptions({ assets: { ...assets, run_worker_first: true } }, { root: '/r' }).assets?.routerConfig).toEqual({
    has_user_worker: true,
    invoke_user_worker_ahead_of_assets: true,
  })
  expect(assetsOptions({}, { root })).toEqual({})
})

it('[L430] objects run beside all else, under the name they are stored by, with every binding they had', () => {
  const options = miniflareOptions(production, { vars: { ADMIN_KEY: 'k' } })
  const { objects, edge } = apart({ name: 'loam', modules: [], ...options })
  expect(objects).toMatchObject({
    name: 'loam',
    durableObjects: options.durableObjects,
    serviceBindings: { ...options.serviceBindings, EDGE: { name: 'loam-edge', entrypoint: 'Edge' } },
    bindings: { ...options.bindings, EDGE_DATABASES: ['DB', 'DATA_0'] },
  })
  expect(Object.keys(objects)).not.toContain('d1Databases')
  const { name, durableObjects, ...same } = edge
  expect([name, same]).toEqual(['loam-edge', { modules: [], ...options, durableObjects: undefined }])
  expect(durableObjects.CORPUS).toEqual({ className: 'Corpus', useSQLite: true, scriptName: 'loam' })
  expect(Object.keys(durableObjects)).toEqual(Object.keys(options.durableObjects))
})

it('[L430] an object calls databases, queue and Workflow of the other process as its own', async () => {
  const calls: unknown[] = []
  const answered =
    (name: string, answer?: unknown) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args])
      return answer
    }
  const remote: Remote = {
    ping: answered('ping'),
    d1: answered('d1', { a: 1 }),
    d1Batch: answered('d1Batch', []),
    d1Exec: answered('d1Exec'),
    send: answered('send'),
    start: answered('start'),
  }
  const env = withEdge({ EDGE: remote, EDGE_DATABASES: ['DB', 'DATA_0'] } as never) as unknown as {
    readonly [name: string]: D1Database
  } & { readonly OUTBOUND: { sendBatch(messages: unknown): unknown }; readonly INGEST: { create(instance: unknown): unknown } }
  const { DB, DATA_0: data, OUTBOUND, INGEST } = env
  if (!DB || !data) throw new Error('no database')
  expect(await DB.prepare('SELECT ?').bind(1).first('a')).toBe(1)
  await DB.prepare('SELECT 2').all()
  await data.batch([data.prepare('SELECT ?').bind(3), data.prepare('SELECT 4')])
  await OUTBOUND.sendBatch([{ body: 'x' }])
  await INGEST.create({ id: 'i', params: { uid: 'u' } })
  expect(calls).toEqual([
    ['d1', 'DB', 'first', { query: 'SELECT ?', values: [1] }],
    ['d1', 'DB', 'all', { query: 'SELECT 2', values: [] }],
    [
      'd1Batch',
      'DATA_0',
      [
        { query: 'SELECT ?', values: [3] },
        { query: 'SELECT 4', values: [] },
      ],
    ],
    ['send', [{ body: 'x' }]],
    ['start', { id: 'i', params: { uid: 'u' } }],
  ])
  expect(withEdge({ CORPUS: 1 } as never)).toEqual({ CORPUS: 1 })
})

it('[L1944] the script is short, here as there, and readable for a profiler', () => {
  expect(production).toMatchObject({ minify: true, upload_source_maps: true })
  expect(bundled(join(root, 'local/platform/main.ts')).length).toBeLessThan(5.5e6)
  const small = join(root, 'src/isolate-memory.ts')
  const isNamed = (script: string): boolean => script.includes('\nvar IsolateMemory = class')
  expect([bundled(small), bundled(small, { isReadable: true })].map(isNamed)).toEqual([false, true])
})
