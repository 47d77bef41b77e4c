/**
 * `npm run operations`: writes src/contract/operations.ts, the list of what the API can do for those who may not import the server (the client,
 * the command line, the page), from the declarations of the routes. A test compares the two.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const to = join(root, 'src/contract/operations.ts')

const HEAD = `/**
 * What the API can do, by operation id: method, path, query parameters, and one line of help. Made by \`npm run operations\` from the routes
 * (src/http/routes/), for those who may not import the server; do not edit it.
 */
`

const built = buildSync({
  absWorkingDir: root,
  stdin: {
    contents: `export { listed } from './src/http/openapi/listed'\nexport { operations } from './src/http/routes'`,
    resolveDir: root,
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  write: false,
})
const file = join(root, 'node_modules/.operations.mjs')
writeFileSync(file, built.outputFiles[0]?.text ?? '')
const { listed, operations } = await import(file)
const lines = Object.entries(listed(operations)).map(([id, one]) => `  ${id}: ${JSON.stringify(one)},`)
const list = ['// biome-ignore format: a line for each', 'export const operations = {', ...lines, '} as const'].join('\n')
writeFileSync(to, `${HEAD}\n${list}\n\nexport type OperationId = keyof typeof operations\n`)
