/** The D1 schema, before each file; no false clocks; and a file ends when all that it has begun has ended. */
import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, vi } from 'vitest'
import { quiet } from './quiet'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
await applyD1Migrations(env.DATA_0, env.TEST_MIGRATIONS)

// The tests share one isolate with the objects they test: a timer that an object sets on a false clock fires in the test's
// context, where the object may not touch its storage, or never, and its alarm then hangs together with the runner.
vi.useFakeTimers = () => {
  throw new Error('no false clocks inside workerd: hand the code under test its own')
}

afterAll(quiet)
