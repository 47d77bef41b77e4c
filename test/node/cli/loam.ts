/** The command as people run it: a process of its own, without a terminal. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const CLONE = join(import.meta.dirname, '../../../cli/loam.mjs')
const COMPILED = join(CLONE, '../../node_modules/.cache/compiled') // it is started hundreds of times, an eighth cheaper
const PATIENCE = 90_000 // ms for one command

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly said: string
}

export interface How {
  /** What is run. Default: the command of this clone. */
  readonly entry?: string
  readonly cwd?: string
  readonly env?: { readonly [name: string]: string }
  readonly input?: string
  /** Ended by this signal as soon as this is on standard error. */
  readonly interrupt?: { readonly at: RegExp; readonly signal: NodeJS.Signals }
}

export function loam(args: readonly string[], { entry = CLONE, cwd, env = {}, input, interrupt }: How = {}): Promise<Ran> {
  // Nothing of the person who runs the tests: no address, key or remembered settings.
  const own = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: COMPILED,
    XDG_CONFIG_HOME: join(cwd ?? import.meta.dirname, 'no-config'),
    ...env,
  }
  const child = spawn(process.execPath, [entry, ...args], { cwd, env: own })
  let [out, said, told] = ['', '', false]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (told || !interrupt?.at.test(said)) return
    told = true
    child.kill(interrupt.signal)
  })
  child.stdin.end(input ?? '')
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`loam ${args.join(' ')} has not ended; it said: ${said.slice(-500)}`))
    }, PATIENCE)
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ code, out, said })
    })
  })
}
