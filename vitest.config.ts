/** Two projects: pure code runs in Node; what touches the platform runs in workerd. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { projects: ['./vitest.node.config.ts', './vitest.worker.config.ts', './vitest.text.config.ts'] },
})
