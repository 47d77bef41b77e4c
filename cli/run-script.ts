/** The project's own scripts, which `npm start` and `npm run deploy` run too. They find Node 22 and set themselves up. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Environment } from './command'
import { Failure } from './failure'

/** Its exit code. Signals of the terminal reach it directly; this process waits for it to end. */
export async function runScript(name: string, args: readonly string[] = [], env: Environment = {}): Promise<number> {
  const path = fileURLToPath(new URL(`../scripts/${name}`, import.meta.url)) // from dist/ as from cli/
  if (!existsSync(path)) throw new Failure('this command needs a clone of the repository (docs/cli.md); the npm package has the others')
  const { spawn } = await import('node:child_process') // slow to load, and seldom wanted
  const child = spawn(process.execPath, [path, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
