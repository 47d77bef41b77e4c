/** The real wrangler, in a process that stays (wrangler-host.mjs), for tests that call it a hundred times. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export interface Ended {
  readonly code: number
  readonly out: string
  readonly all: string
  readonly ms: number
}
interface How {
  readonly cwd?: string
  readonly env?: { readonly [name: string]: string | undefined }
}
const PATIENCE = 60_000 // ms for one command on a busy machine
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false', // not into the home folder of the user
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  FORCE_COLOR: '0',
  npm_config_registry: 'http://127.0.0.1:1', // where it would look for a newer version of itself
}
const USES = 20 // commands of one process: each leaves some 20 MB behind, a failing one 75

export class Wrangler {
  #host: ChildProcess | undefined
  #uses = 0

  readonly call = async (_tool: string, args: readonly string[], { cwd, env }: How = {}): Promise<Ended> => {
    const base = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CLOUDFLARE_|CI$|VITEST)/.test(name)))
    this.#host ??= fork(join(import.meta.dirname, 'wrangler-host.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const ended = await answered(this.#host, { args, cwd, env: { ...base, ...QUIET, ...env } })
    this.#uses += 1
    if (this.#uses >= USES) this.stop()
    return ended
  }
  stop(): void {
    this.#host?.kill('SIGKILL')
    this.#host = undefined
    this.#uses = 0
  }
}

function answered(host: ChildProcess, command: { readonly args: readonly string[] } & How): Promise<Ended> {
  const name = `wrangler ${command.args.join(' ')}`
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} has not ended`)), PATIENCE)
    const dead = (): void => reject(new Error(`its process has ended during ${name}`))
    host.once('exit', dead).once('message', (ended) => {
      clearTimeout(late)
      host.off('exit', dead)
      resolve(ended as Ended)
    })
    host.send(command)
  })
}
