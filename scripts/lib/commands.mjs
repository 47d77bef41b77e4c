/** Runs the project's own tools (node_modules/.bin) under this Node. */
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { root } from './setup.mjs'

/** No metrics, no version look-ups; the tools' own children find this Node first. */
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** In the terminal; the exit code. */
export function run(tool, args) {
  const child = spawn(join(root, 'node_modules/.bin', tool), args, { cwd: root, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

/**
 * Quietly. `input` is what it reads from its standard input: secrets go that way, never on a command line.
 * @returns {Promise<{code: number, out: string, all: string, ms: number}>}
 */
export function capture(tool, args, { input } = {}) {
  const began = Date.now()
  const child = spawn(join(root, 'node_modules/.bin', tool), args, { cwd: root, env: { ...env, FORCE_COLOR: '0' } })
  let [out, all] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
    all += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    all += text
  })
  child.stdin.on('error', () => {}).end(input ?? '')
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1, out, all, ms: Date.now() - began })))
}
