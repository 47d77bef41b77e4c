/** Before each file: the D1 schema, no false clocks, modules fetched in one step; and a file ends when all that it has begun has ended. */
import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, vi } from 'vitest'
import { quiet } from './quiet'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
for (const database of [env.DATA_0, env.DEDICATED_0, env.DEDICATED_1]) await applyD1Migrations(database, env.TEST_MIGRATIONS)

// The tests share one isolate with the objects they test: a timer that an object sets on a false clock fires in the test's
// context, where the object may not touch its storage, or never, and its alarm then hangs together with the runner.
vi.useFakeTimers = () => {
  throw new Error('no false clocks inside workerd: hand the code under test its own')
}

// For every file the pool wraps the way modules are fetched once more, and each layer is a request to an object. The first is enough.
const shared = globalThis as unknown as {
  readonly __vitest_mocker__: { readonly moduleRunner: { readonly transport: { invoke: unknown } } }
  fetchModule?: unknown
}
const { transport } = shared.__vitest_mocker__.moduleRunner
shared.fetchModule ??= transport.invoke
transport.invoke = shared.fetchModule

afterAll(quiet)
