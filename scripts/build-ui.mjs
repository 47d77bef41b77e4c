/** Builds the web page into ui/dist, which the Worker serves at `/`, and copies the renderer of /docs and the encoder there. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyEncoder } from './copy-encoder.mjs'

await import(join(dirname(fileURLToPath(import.meta.url)), '../ui/build.mjs'))
await import('./copy-reference.mjs')
copyEncoder()
