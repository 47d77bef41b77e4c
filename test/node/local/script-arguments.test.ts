/** What the scripts in package.json say of themselves, and to arguments they do not know. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const SCRIPTS = ['start', 'demo', 'models', 'check', 'bench', 'pictures', 'deploy', 'setup', 'verify-cloud', 'build-client']
const PASS_ON = ['test', 'test-browser'] // vitest answers what they do not know

function run(script: string, ...args: string[]): { readonly code: number | null; readonly out: string; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, `scripts/${script}.mjs`), ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000, // one that starts something would never end
  })
  return { code: status, out: stdout, said: stderr }
}

it('[L1891] no script of package.json takes arguments without being asked here', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> }
  const files = Object.values(scripts).flatMap((line) => [...line.matchAll(/scripts\/([\w-]+)\.mjs/g)].map(([, name = '']) => name))
  const unasked = [...new Set(files)].filter((name) => ![...SCRIPTS, ...PASS_ON].includes(name))
  const taking = unasked.filter((name) =>
    /process\.argv\.slice|ownArguments|helpIfAsked/.test(readFileSync(join(root, `scripts/${name}.mjs`), 'utf8')),
  )
  expect(taking).toEqual([])
})

it('[L1891] every script that takes arguments answers --help with its usage, and starts nothing', { timeout: 60_000 }, () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const script of [...SCRIPTS, ...PASS_ON]) {
    const { code, out } = run(script, '--help')
    const [, name = ''] = /^npm (?:run )?([\w:]+)/.exec(out) ?? []
    expect([script, code, scripts[name]]).toEqual([script, 0, `node scripts/${script}.mjs`])
  }
})

it('[L1891] what a script does not know is refused in a sentence, with its usage and exit code 2', { timeout: 60_000 }, () => {
  for (const script of SCRIPTS.filter((one) => one !== 'bench')) {
    const { code, said } = run(script, '--nonsense')
    expect([script, code, said.startsWith("Unknown option '--nonsense'.\n\nnpm "), said.includes('    at ')]).toEqual([
      script,
      2,
      true,
      false,
    ])
  }
  const { code, said } = run('bench', 'nonsense')
  expect([code, said.startsWith('There is no bench nonsense.\n\nnpm run bench')]).toEqual([2, true])
})
