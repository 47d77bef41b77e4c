/** Every command of the documentation is run as it stands there, by a shell, against a Loam started for it, with the package as it is packed. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoam } from '../../../scripts/lib/start-loam.mjs'
import { Loam } from '../../../src/client/client'
import { docx, pdf } from '../cli/files'
import { installPacked } from './package'
import { commandsIn, snippets } from './snippets'

const PATIENCE = 120_000 // ms for the commands of one page
const NOWHERE = 'http://127.0.0.1:9' // nothing outside is asked
const CLOUD = 'https://loam.<something>.workers.dev'

/** What is not run here, and why; each stands in the documentation. */
const APART: readonly (readonly [begins: string, why: string])[] = [
  ['npm start &', 'test/node/readme.test.ts starts it'],
  ['loam start &', 'it is what the commands here are run against'],
  ['npm start ', 'a second Loam on the port of the first; `npm start` by test/node/local/start.test.ts'],
  ['npm start -- --text-model', 'it fetches a model of a gigabyte'],
  ['npm run setup', 'it installs the packages that run this test'],
  ['npm run deploy', 'it takes an account; test/node/deploy/deploy.test.ts runs it against a stand-in for Cloudflare'],
  ['npx loam deploy', 'it takes an account and a clone; test/node/deploy/deploy.test.ts'],
  ['npm run verify:cloud', 'it takes a deployment; test/node/deploy/verify.test.ts runs it against a Loam of this machine'],
  ['npx wrangler', 'it takes an account'],
  ['git pull && npm run deploy', 'it takes an account'],
  ['ADMIN_KEY=… npm run deploy', 'it takes an account; test/node/deploy/deploy.test.ts'],
  ['rm wrangler.deploy.json', 'what a deployment has written'],
  ['loam restore --to', 'only Cloudflare remembers earlier states; test/node/deletion/recovery.test.ts runs it against a stand-in'],
  ['rclone copy', 'it takes a bucket, and rclone'],
  ['loam sources add r2://', 'it takes a bucket; test/node/deploy/buckets.test.ts'],
  ['loam sources add https://s3.', 'it takes a bucket; test/node/deploy/buckets.test.ts'],
  ['loam sources add https://github.com', 'it would ask GitHub'],
  ['loam sources add https://www.notion.so', 'it would ask Notion'],
  ['loam sources add https://slack.com', 'it would ask Slack'],
  ['loam ingest council.mp3', 'it takes a model that transcribes recordings; test/node/deletion/recordings.test.ts'],
  ['loam ingest pond.jpg', 'it takes a model that describes pictures; test/node/reading/'],
  [
    'loam hooks send "$URL" event.json --secret secret.txt  ',
    'its address is of another kind than that of the next line; test/node/cli/commands.test.ts',
  ],
  ['pip install', 'weeks of nobody’s time: how the encoder was made, by hand'],
  ['python ', 'as above'],
]

const folder = mkdtempSync(join(tmpdir(), 'loam-documented-'))
let hook = '' // an address that takes events signed as above
let running: { readonly url: string; readonly key: string; stop(): Promise<void> }

const SECRET = 'a secret of the documentation'
const SIGNATURE = { header: 'x-signature', prefix: 'sha256=' }

/** What the commands speak of. */
const FILES: { readonly [name: string]: string | Uint8Array } = {
  'notes/heron.md': '# The heron\n\nThe grey heron waits without moving. It eats fish, frogs and voles.\n',
  'talks.pdf': pdf,
  'sightings.csv': 'text,place\nTwo herons stood at the mill.,mill\n',
  'docs/faq.md': '# Refunds\n\nThe office manager may approve a refund of up to 200 euros.\n',
  'pay/heads.md': 'A head of department earns 91,000 euros.\n',
  'faq.csv': 'question,answer\nWho pays late fees?,Late fees are paid by the tenant.\n',
  'tickets.txt': 'someone took my card\n',
  'plan.docx': docx,
  'event.json': '{"id": "leave", "text": "Everyone has thirty days of leave."}',
  'secret.txt': SECRET,
  'form.json': JSON.stringify(SIGNATURE),
  'rag_storage/kv_store_full_docs.json': JSON.stringify({ 'doc-1': { content: 'Two families own the mill.', file_path: 'mill.txt' } }),
}

beforeAll(async () => {
  const env = { ...process.env, PORT: '0', LOAM_STATE: join(folder, 'state'), LOCAL_MODEL_URL: 'hash', OUTBOUND_TARGETS: 'anywhere' }
  const [started] = await Promise.all([startLoam({ quiet: true, env }), installPacked(folder)])
  running = started
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail\n') // a refusal is a failure
  const loam = new Loam({ url: running.url, key: running.key })
  const names = { birds: [], town: [], manuals: [], ferries: [], handbook: ['gorag'], grown: ['erarag', 'cluerag', 'ketrag'] }
  for (const [name, strategies] of Object.entries(names)) await loam.corpus(name).create({ strategies })
  await loam.corpus('large').create({ partitions: 3 })
  for (const name of ['large', 'grown']) await loam.corpus(name).put('mill', 'Two families own the mill.')
  const ferries = loam.corpus('ferries')
  for (const year of [2022, 2023]) {
    const { job } = await ferries.put(`prices-${year}.md`, {
      text: `The ferry costs ${year - 1990} thalers.`,
      published_at: `${year}-01-01`,
    })
    await ferries.waitForJob(job ?? '')
  }
  hook = (await loam.corpus('handbook').hooks.create({ preset: 'hmac', signature: SIGNATURE, secret: SECRET })).url
  await loam.corpus('handbook').putLabel('lost card', { examples: ['I lost my card', 'My card was stolen'] })
}, 2 * PATIENCE)

afterAll(async () => {
  await running?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const shell = snippets.filter(({ kind }) => /^(sh|bash|shell|console)\b/.test(kind))
const apartBy = (command: string) => APART.filter(([begins]) => command.startsWith(begins)).sort(([a], [b]) => b.length - a.length)[0]

describe('the commands of the documentation', () => {
  const byPage = Map.groupBy(shell, ({ page }) => page)
  it.each([...byPage.keys()])('[L970] %s', { timeout: PATIENCE }, async (page) => {
    const cwd = join(folder, page.replaceAll('/', '-'))
    for (const [name, content] of Object.entries(FILES)) {
      mkdirSync(join(cwd, name, '..'), { recursive: true })
      writeFileSync(join(cwd, name), content)
    }
    const commands = (byPage.get(page) ?? []).flatMap(commandsIn).filter((one) => !apartBy(one))
    if (commands.length === 0) return
    const script = commands
      .join('\n')
      .replaceAll('http://127.0.0.1:8787', running.url)
      .replaceAll('local-development-key', running.key)
      .replaceAll(CLOUD, running.url)
      .replaceAll('<ADMIN_KEY>', running.key)
      .replaceAll('https://example.org', NOWHERE)
    const env = {
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
      HOME: cwd,
      CURL_HOME: folder,
      XDG_CONFIG_HOME: join(cwd, '.config'), // what `loam init` remembers is the page's own
      npm_config_offline: 'true',
      ...{ URL: running.url, LOAM: running.url, LOAM_URL: running.url },
      ...{ KEY: running.key, LOAM_KEY: running.key },
      ...(page === 'docs/time.md' ? { CORPUS: 'ferries', LOAM_CORPUS: 'ferries' } : {}),
      ...(page === 'docs/entities.md' ? { LOAM_CORPUS: 'ferries' } : {}),
      ...(page === 'docs/webhooks.md' ? { URL: hook, SECRET } : {}),
      ...(page === 'docs/sources.md' ? { LOAM_CORPUS: 'handbook' } : {}),
    }
    const ran = promisify(execFile)('bash', ['-eux', '-o', 'pipefail', '-c', script], { cwd, env, timeout: PATIENCE, maxBuffer: 1e8 })
    const said = await ran.then(
      () => 'done',
      (error: { readonly stdout: string; readonly stderr: string }) => `${error.stderr}\n${error.stdout}`.slice(-1500),
    )
    expect(said).toBe('done')
  })

  it('[L970] what is not run here is in the documentation, and stands here with the reason', () => {
    const all = shell.flatMap(commandsIn)
    const stale = APART.filter((one) => !all.some((command) => apartBy(command) === one)).map(([begins]) => begins)
    expect(stale).toEqual([])
  })
})
