/**
 * Tests inside workerd: the product as wrangler.toml configures it, with the stand-ins (hash embedder, no network) in place of
 * AI and Vectorize. Small vectors keep it fast. One runtime serves all files, so every test names its own corpus.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { standIns } from './scripts/lib/bundled.mjs'
import { miniflareOptions, readToml, STAND_INS } from './scripts/lib/local-config.mjs'

const root = import.meta.dirname
const DIMENSIONS = '64'

const vars = {
  EMBEDDING_MODEL: 'hash',
  EMBEDDING_DIMENSIONS: DIMENSIONS,
  EMBEDDING_WINDOW: '128',
  TEXT_MODEL: '', // the project `text` has one, scripted through Control
  RERANKER_MODEL: '',
  ADMIN_KEY: 'local-development-key',
  MASTER_KEY: 'tests-only-tests-only-tests-only',
}

/** One project: which files, and what its product is configured with beyond the above. */
export const project = (name: string, files: { readonly include: string[]; readonly exclude: string[] }, more: Partial<typeof vars>) =>
  defineConfig({
    plugins: [
      cloudflareTest(async () => {
        const options = miniflareOptions(readToml(path.join(root, 'wrangler.toml')), { vars: { ...vars, ...more } })
        const migrations = existsSync(path.join(root, 'migrations')) ? await readD1Migrations(path.join(root, 'migrations')) : []
        const main = ['src/worker.ts', 'test/worker/main.ts'].find((file) => existsSync(path.join(root, file)))
        const product = main === 'src/worker.ts' ? options : { ...options, durableObjects: {}, workflows: {}, queueConsumers: {} }
        return {
          main: `./${main}`,
          miniflare: {
            ...product,
            bindings: { ...options.bindings, TEST_MIGRATIONS: migrations },
            serviceBindings: { ...options.serviceBindings, CONTROL: { name: STAND_INS, entrypoint: 'Control' } },
            workers: [standIns(root, { EMBEDDING_DIMENSIONS: DIMENSIONS, RERANKER_URL: 'hash', RECORD: '1' })],
          },
        }
      }),
    ],
    test: { name, ...files, setupFiles: ['./test/worker/setup.ts'], maxWorkers: 1, isolate: false },
  })

export default project('worker', { include: ['test/worker/**/*.test.ts'], exclude: ['**/*.text.test.ts'] }, {})
