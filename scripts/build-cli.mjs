/**
 * The command line as `dist/cli.js`, with everything it needs besides Node: what every command needs in that file, and the libraries that
 * read one kind of file in their own files next to it (`dist/cli-*.js`), loaded when such a file comes. `dist/cli.json` names its sources.
 */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './lib/setup.mjs'

const DIST = join(root, 'dist')
const PART = /^cli-.*\.js$/

/** @param {string} [dist] the folder it goes to */
export async function buildCli(dist = DIST) {
  await ensureInstalled({ toStart: true })
  const { build } = await import('esbuild')
  mkdirSync(dist, { recursive: true })
  const aside = mkdtempSync(join(dist, 'building-')) // another command may be reading the current files
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { cli: 'cli/main.ts' },
      chunkNames: 'cli-[name]-[hash]',
      outdir: aside,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // CommonJS libraries ask Node for its modules by `require`.
      banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'inline',
      metafile: true,
      logLevel: 'warning',
    })
    const sources = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
    writeFileSync(join(aside, 'cli.json'), JSON.stringify([...sources, 'package-lock.json']))
    place(aside, dist)
    return metafile
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** The entry comes last, so that every file it names exists; then parts that nothing names any more are deleted. */
function place(aside, dist) {
  const made = readdirSync(aside)
  for (const name of [...made.filter((one) => PART.test(one)), 'cli.json', 'cli.js']) renameSync(join(aside, name), join(dist, name))
  for (const name of readdirSync(dist)) if (PART.test(name) && !made.includes(name)) rmSync(join(dist, name), { force: true })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildCli()
