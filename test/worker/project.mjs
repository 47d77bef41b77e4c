/**
 * A vitest project inside workerd: the product as wrangler.toml configures it, with the stand-ins (hash embedder, no network) in
 * place of AI and Vectorize. Small vectors keep it fast. A runtime serves many files of a project, so every test names its own corpus.
 */
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { Response } from 'miniflare'
import { defineConfig } from 'vitest/config'
import { standIns } from '../../scripts/lib/bundled.mjs'
import { dedicatedIndex, miniflareOptions, readToml, STAND_INS } from '../../scripts/lib/local-config.mjs'
import { heapFlags } from '../../scripts/lib/memory.mjs'
import { vectorizeLimits } from '../../src/platform-limits.ts'
import { identity, internet } from './identity-provider.mjs'

/**
 * Files at a time, in every project alike, so that they run in one queue: two more than there are cores, since many wait for other processes. On two
 * cores `npm test` took 354 s with one more, 324 s with two.
 */
export const workers = availableParallelism() + 2

/** On a machine shared with strangers a beat is missed now and then. What passes only at the second try is marked so in the output, and is to be mended. */
export const retry = process.env.CI ? 1 : 0

const root = join(import.meta.dirname, '../..')
const DIMENSIONS = '64'
const PREVIOUS_DIMENSIONS = '32'

// The ceiling of an object's heap, and as much again for what shares the isolate with it here alone: the runner, and all tests' modules and objects,
// which are not evicted while it runs. 150 MB were live when every file had run; there are more files since, and a runtime with 228 ended without a word at
// the last of them. `npm start`, and the tests in Node that start it, keep to the platform's own.
const HEAP = 320 // MiB
process.env.MINIFLARE_WORKERD_V8_FLAGS ??= heapFlags(HEAP)

const vars = {
  EMBEDDING_MODEL: 'hash',
  EMBEDDING_DIMENSIONS: DIMENSIONS,
  EMBEDDING_WINDOW: '128',
  EMBEDDING_MODEL_PREVIOUS: 'hash-before',
  EMBEDDING_DIMENSIONS_PREVIOUS: PREVIOUS_DIMENSIONS,
  EMBEDDING_WINDOW_PREVIOUS: '128',
  TEXT_MODEL: '', // the project `text` has one, scripted through Control
  RERANKER_MODEL: '',
  ADMIN_KEY: 'local-development-key',
  MASTER_KEY: 'tests-only-tests-only-tests-only',
  ...identity.vars,
}

/** Two pairs of stores for corpora that share none; the second's index has a counterpart for the previous model. */
const DEDICATED = { databases: ['DEDICATED_0', 'DEDICATED_1'], indexes: ['INDEX_0', 'INDEX_1', 'INDEX_1_PREVIOUS'] }

/**
 * @param {string} name
 * @param {{include: string[], exclude: string[]}} files
 * @param {Partial<typeof vars>} more what this project's product is configured with beyond the above
 */
export const project = (name, files, more = {}) =>
  defineConfig({
    plugins: [
      cloudflareTest(async () => {
        const { serviceBindings, bindings, ...options } = miniflareOptions(readToml(join(root, 'wrangler.toml')), {
          vars: { ...vars, ...more },
        })
        const migrations = join(root, 'migrations')
        const TEST_MIGRATIONS = existsSync(migrations) ? await readD1Migrations(migrations) : []
        return {
          main: join(root, 'local/platform/main.ts'),
          miniflare: {
            ...options,
            d1Databases: { ...options.d1Databases, ...Object.fromEntries(DEDICATED.databases.map((name) => [name, name.toLowerCase()])) },
            outboundService: internet,
            bindings: { ...bindings, TEST_MIGRATIONS, ...identity.bindings },
            serviceBindings: {
              ...serviceBindings,
              ...Object.fromEntries(DEDICATED.indexes.map((name) => [name, dedicatedIndex(name)])),
              CONTROL: { name: STAND_INS, entrypoint: 'Control' },
              ASSETS: () => new Response(readFileSync(join(root, 'encoder/static.bin'))),
            },
            workers: [
              standIns(root, {
                EMBEDDING_DIMENSIONS: DIMENSIONS,
                EMBEDDING_MODEL_PREVIOUS: 'hash-before',
                EMBEDDING_DIMENSIONS_PREVIOUS: PREVIOUS_DIMENSIONS,
                RERANKER_URL: 'hash',
                RECORD: '1',
                VECTORIZE_DELAY_MS: String(vectorizeLimits.visibleAfterMs),
                VECTORIZE_CLOCK: 'virtual',
              }),
            ],
          },
        }
      }),
    ],
    test: {
      name,
      ...files,
      setupFiles: ['./test/worker/setup.ts'],
      maxWorkers: workers,
      retry,
      isolate: false,
      // The longest takes 15 s on two idle cores, and has taken 93 s on two busy ones.
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  })
