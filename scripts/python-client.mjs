/**
 * Generates a Python client from /openapi.json with openapi-python-client (PyPI), which must be installed: `pip install
 * openapi-python-client`. `node scripts/python-client.mjs <folder>` writes the package `loam_client` into the folder, for the Loam at
 * LOAM_URL. Nothing of it is kept here.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Name a folder: node scripts/python-client.mjs <folder>')
  process.exit(2)
}
const url = process.env.LOAM_URL ?? 'http://127.0.0.1:8787'
const answer = await fetch(new URL('/openapi.json', url))
if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
const document = await answer.json()

// A body that may be JSON is generated only as JSON (a file goes into it as `content_base64`): for several kinds it would generate one function that fails.
const JSON_BODY = 'application/json'
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
for (const { requestBody } of operations) {
  if (requestBody?.content[JSON_BODY]) requestBody.content = { [JSON_BODY]: requestBody.content[JSON_BODY] }
}
// For an unknown kind it would leave the operation out: such a body is sent unchanged.
const types = operations.flatMap(({ requestBody }) => Object.keys(requestBody?.content ?? {})).filter((type) => type !== JSON_BODY)
const scratch = mkdtempSync(join(tmpdir(), 'loam-python-'))
try {
  const [described, config] = ['openapi.json', 'config.json'].map((name) => join(scratch, name))
  writeFileSync(described, JSON.stringify(document))
  const overrides = Object.fromEntries(types.map((type) => [type, 'application/octet-stream']))
  writeFileSync(config, JSON.stringify({ content_type_overrides: overrides }))
  const to = ['--meta', 'none', '--output-path', join(folder, 'loam_client'), '--overwrite']
  const made = spawnSync('openapi-python-client', ['generate', '--path', described, '--config', config, ...to], { stdio: 'inherit' })
  if (made.error) console.error('openapi-python-client is not installed: pip install openapi-python-client')
  process.exitCode = made.status ?? 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
