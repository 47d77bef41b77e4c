/** Tests in Node: the pure core, and what runs beside the product (scripts, encoder, Miniflare). */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'core',
    include: ['test/core/**/*.test.ts', 'test/node/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000, // ms; property tests on a busy machine
  },
})
