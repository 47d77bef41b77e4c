/** Tests of the page in a real browser. Not among the projects of `npm test`: they need a browser and a running Loam (scripts/test-browser.mjs). */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } }, // what a page shows comes when it comes; a second is short on a busy machine
    fileParallelism: false,
  },
})
