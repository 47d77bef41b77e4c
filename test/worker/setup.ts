/** The D1 schema, before each file; and no false clocks. */
import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

// The tests share one isolate with the objects they test: a timer that an object sets on a false clock fires in the test's
// context, where the object may not touch its storage, or never, and its alarm then hangs together with the runner.
vi.useFakeTimers = () => {
  throw new Error('no false clocks inside workerd: hand the code under test its own')
}
