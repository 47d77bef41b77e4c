/**
 * The client as one module without dependencies (dist/client.js) and its types (dist/types), for `import { Loam } from 'loam/client'`. With
 * a path, only the module, written there.
 */
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { ownArguments } from './lib/arguments.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** @param {string} outfile */
export function buildClient(outfile = join(root, 'dist/client.js')) {
  return buildSync({
    absWorkingDir: root,
    entryPoints: ['src/client/client.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    outfile,
    metafile: true,
  })
}

function emitTypes() {
  const options = ['--ignoreConfig', '--emitDeclarationOnly', '--declaration', '--outDir', 'dist/types', '--rootDir', 'src']
  const language = [
    '--target',
    'es2023',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--strict',
    '--skipLibCheck',
    '--lib',
    'es2024,dom',
  ]
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), 'src/client/client.ts', ...options, ...language], {
    cwd: root,
    stdio: 'inherit',
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const usage = 'npm run build:client [-- <file>]      builds the client and its types into dist/, or the client alone into a file'
  const [aside] = ownArguments({ usage, words: 1 }).positionals
  buildClient(aside)
  if (!aside) emitTypes()
}
