/** `npm run migrations` writes what has changed in the schemas to `migrations/`. Never edited by hand. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/adapters/catalogue/schema.ts', './src/adapters/read-model/schema.ts'],
  out: './migrations',
})
