/**
 * `npm run operations`: writes src/contract/operations.ts and src/contract/strategies.json from the server's declarations: the lists of API
 * operations and of strategies for code that may not import the server (the client, the command line, the page). A test compares them.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const to = join(root, 'src/contract/operations.ts')

const HEAD = `/**
 * What the API can do, by operation id. Made by \`npm run operations\` from the routes (src/http/routes/), for those who may not import the server; do
 * not edit it.
 */
`

const built = buildSync({
  absWorkingDir: root,
  stdin: {
    contents: `export { listed } from './src/http/openapi/listed'\nexport { operations } from './src/http/routes'\nexport { listing } from './src/core/strategies/listing'\nexport { declarations } from './src/core/strategies'`,
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
const { declarations, listed, listing, operations } = await import(file)
const table = (name, doc, rows) => {
  const lines = Object.entries(rows).map(([id, one]) => `  ${id}: ${JSON.stringify(one)},`)
  return [`/** ${doc} */`, '// biome-ignore format: a line for each', `export const ${name} = {`, ...lines, '} as const'].join('\n')
}
const { calls, descriptions } = listed(operations)
const list = [
  HEAD,
  table('operations', 'What a call needs: method, path, and the names of its query parameters.', calls),
  '',
  'export type OperationId = keyof typeof operations',
  '',
  table('descriptions', 'Its description: a line of help, and the group it belongs to.', descriptions),
]
writeFileSync(to, `${list.join('\n')}\n`)

const strategies = listing(declarations).map((one) => `  ${JSON.stringify(one)}`)
writeFileSync(join(root, 'src/contract/strategies.json'), `[\n${strategies.join(',\n')}\n]\n`)
