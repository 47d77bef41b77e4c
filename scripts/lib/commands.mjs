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

/**
 * Prints to the terminal; returns the exit code. With `minutes`, a run that takes longer is ended with all its children, and counts as
 * failed.
 */
export function run(tool, args, { minutes } = {}) {
  const child = spawn(join(root, 'node_modules/.bin', tool), args, { cwd: root, env, stdio: 'inherit', detached: minutes !== undefined })
  const end = (signal) => (minutes === undefined ? child.kill(signal) : process.kill(-child.pid, signal))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(signal))
  const watch =
    minutes &&
    setTimeout(() => {
      console.error(`${tool} did not end within ${minutes} minutes and was stopped.`)
      end('SIGKILL')
    }, minutes * 60_000)
  return new Promise((resolve) =>
    child.on('exit', (code) => {
      clearTimeout(watch)
      resolve(code ?? 1)
    }),
  )
}

/**
 * Without printing.
 * @param {string} tool @param {readonly string[]} args
 * @param {{cwd?: string, env?: Record<string, string | undefined>}} [how] `env`: in addition to this process's own
 * @returns {Promise<{code: number, out: string, all: string, ms: number}>}
 */
export function capture(tool, args, { cwd = root, env: more = {} } = {}) {
  const began = Date.now()
  const child = spawn(join(root, 'node_modules/.bin', tool), args, { cwd, env: { ...env, FORCE_COLOR: '0', ...more } })
  let [out, all] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
    all += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    all += text
  })
  child.stdin.on('error', () => {}).end()
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1, out, all, ms: Date.now() - began })))
}
