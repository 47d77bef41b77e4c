/** The package as `npm pack` makes it, unpacked where somebody who installed it has it: beside nothing else. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buildCli } from '../../../scripts/build-cli.mjs'
import { buildClient } from '../../../scripts/build-client.mjs'
import { root } from './snippets'

/** Packs into `folder/packed` and installs into `folder/node_modules`. Its dependencies are the Worker's: what is packed has its own inside, and gets no others here. */
export async function installPacked(folder: string): Promise<{ readonly files: readonly string[] }> {
  const source = join(folder, 'packed')
  mkdirSync(join(source, 'cli'), { recursive: true })
  for (const name of ['package.json', 'README.md', 'LICENSE', 'cli/loam.mjs']) cpSync(join(root, name), join(source, name))
  await buildCli(join(source, 'dist')) // as `prepack` does, into a folder of its own: others run what is in dist/ meanwhile
  buildClient(join(source, 'dist/client.js'))
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--offline'], { cwd: source, encoding: 'utf8' })
  const [made] = JSON.parse(packed) as readonly [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }]
  const installed = join(folder, 'node_modules/loam')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(source, made.filename), '-C', installed, '--strip-components=1'])
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { readonly bin: { readonly [name: string]: string } }
  mkdirSync(join(folder, 'node_modules/.bin'))
  for (const [name, path] of Object.entries(bin)) {
    chmodSync(join(installed, path), 0o755)
    symlinkSync(join('../loam', path), join(folder, 'node_modules/.bin', name))
  }
  return { files: made.files.map(({ path }) => path) }
}
