/** Tests in Node: the pure core, and what runs beside the product (scripts, encoder, Miniflare). */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'core',
    include: ['test/core/**/*.test.ts', 'test/node/**/*.test.ts'],
    environment: 'node',
    maxWorkers: '100%', // all cores; by default one stays idle, which of two is half
    sequence: { groupOrder: 1 }, // projects with another number of workers run before
    // ms; the longest takes 15 s on two idle cores, and several times that on two busy ones
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
