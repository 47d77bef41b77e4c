import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'core', include: ['test/core/**/*.test.ts', 'test/node/**/*.test.ts'], environment: 'node' },
})
