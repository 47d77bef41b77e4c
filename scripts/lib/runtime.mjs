/** `wrangler dev` as a child: what it needs before, how it is started, and how it is really ended (workerd is a grandchild). */
import { fork, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './ports.mjs'

const TAIL = 40 // lines of the log shown when the start fails

/** No metrics, no look-ups, no login, and no meeting other processes through the shared registry. */
const quietly = (state) => ({
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG_PATH: state.path('logs'),
  WRANGLER_REGISTRY_PATH: state.path('registry'),
  MINIFLARE_REGISTRY_PATH: state.path('registry'),
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
})

const wranglerOf = (root) => join(root, 'node_modules/wrangler/bin/wrangler.js')

export async function buildPage(root, production) {
  const directory = production.assets?.directory
  if (directory && !existsSync(join(root, directory)))
    await finished(spawn(process.execPath, [join(root, 'scripts/build-ui.mjs')]), 'the page')
}

/** Applies new D1 migrations to this state. Takes seconds, so it is skipped while the migrations are those applied last. */
export async function applyMigrations({ root, state, config, production }) {
  for (const database of production.d1_databases ?? []) {
    const folder = join(root, database.migrations_dir)
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sql')) : []
    const hash = createHash('sha256')
    for (const file of files.sort()) hash.update(file).update(readFileSync(join(folder, file)))
    const stamp = state.path('migrated')
    const digest = hash.digest('hex')
    if (!files.length || (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest)) continue
    const command = ['d1', 'migrations', 'apply', database.binding, '--local', '-c', config, '--persist-to', state.path('data')]
    await finished(
      spawn(process.execPath, [wranglerOf(root), ...command], { env: { ...quietly(state), CI: '1' }, cwd: root }),
      'migrations',
    )
    writeFileSync(stamp, digest)
  }
}

export async function runtime({ root, state, configs, url, say }) {
  const { port } = new URL(url)
  const files = configs.flatMap((config) => ['-c', config])
  const listen = ['--ip', '127.0.0.1', '--port', port, '--inspector-port', String(await freePort())]
  const rest = ['--local', '--persist-to', state.path('data'), '--show-interactive-dev-session=false', '--log-level', 'warn']
  const child = fork(join(root, 'scripts/lib/keeper.mjs'), [wranglerOf(root), 'dev', ...files, ...listen, ...rest], {
    cwd: root,
    env: quietly(state),
    detached: true, // its own process group, which ends as a whole
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines = []
  const log = createWriteStream(state.path('logs', 'runtime.log'), { flags: 'a' })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log.write(text)
      lines.push(...text.split('\n').filter(Boolean))
      lines.splice(0, lines.length - TAIL)
      if (text.includes('[ERROR]')) say(text.trimEnd())
    })
  }
  const ended = new Promise((resolve) => {
    child.once('exit', () => {
      log.end()
      resolve()
    })
  })
  const stop = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  return { stop, ended, tail: () => lines.join('\n') }
}

function finished(child, what) {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${what} failed\n${said}`))))
  })
}
