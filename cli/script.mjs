/** The project's own scripts, which `npm start` and `npm run deploy` run too. They find Node 22 and set themselves up. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Its exit code. Signals of the terminal reach it by themselves; this process waits for it to end. */
export function script(name, args = [], env = {}) {
  const path = fileURLToPath(new URL(`../scripts/${name}`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
