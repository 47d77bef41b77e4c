/** Two projects: pure code runs in Node; what touches the platform runs in workerd. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['./vitest.node.config.ts', './vitest.worker.config.ts', './vitest.text.config.ts'],
    // A queue or an alarm may still be at work when the last test of a file has ended; its worker is then told to stop while it loads a module.
    onUnhandledError: (error) => error.name !== 'EnvironmentTeardownError',
  },
})
