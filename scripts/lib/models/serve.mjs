/** The process that runs models on this machine (local/models/main.ts), from its owner's side. */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'

const GRACE = 5_000 // ms between asking it to end and killing it

/**
 * @typedef {{ id: string, kind: 'text' | 'embedding', path: string, window?: number }} ModelFile
 * @typedef {{ id: string, window: number, dimensions?: number }} RunningModel
 * @param {{ root: string, folder: string, library: string, models: ModelFile[], threads?: number, sequences?: number, say?: (text: string) => void }} options `folder`: for its program and log
 * @returns {Promise<{ url: string, key: string, pid: number, models: RunningModel[], stop: () => Promise<void> }>}
 */
export async function serveModels({
  root,
  folder,
  library,
  models,
  threads = Math.max(1, availableParallelism() - 1),
  sequences,
  say = () => {},
}) {
  const program = join(folder, 'models.mjs')
  const log = join(folder, 'logs/models.log')
  mkdirSync(dirname(log), { recursive: true })
  writeFileSync(program, bundled(root))
  const output = openSync(log, 'a')
  const key = randomBytes(32).toString('base64url')
  const child = fork(program, [], { cwd: root, execArgv: [], stdio: ['ignore', output, output, 'ipc'] })
  closeSync(output)
  let isStopping = false
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    isStopping = true
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE)
    if (child.connected) child.disconnect()
    await ended
    clearTimeout(timer)
  }
  try {
    const { url, models: running } = await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.once('message', ({ ready, failed }) => (ready ? resolve(ready) : reject(new Error(failed))))
      ended.then(() => reject(new Error(`the process ended; its log is ${log}`)))
      child.send({ library, threads, ...(sequences ? { sequences } : {}), key, models })
    })
    ended.then(() => isStopping || say(`The process that runs the models has ended (log: ${log}). Start Loam again.`))
    return { url, key, pid: child.pid, models: running, stop }
  } catch (error) {
    await stop()
    throw new Error(`The models did not start: ${error.message}`)
  }
}

function bundled(root) {
  const built = buildSync({
    entryPoints: [join(root, 'local/models/main.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'error',
  })
  return built.outputFiles[0].text
}
