/**
 * What every source file of the repository imports, by oxc's parser (through rolldown, which vitest brings): types and `import('…')` in
 * types included. Relative paths are resolved to files of the repository; the rest are libraries.
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { globSync } from 'tinyglobby'

export interface SourceFile {
  /** From the repository's root. */
  readonly path: string
  /** Files of the repository. */
  readonly files: readonly string[]
  /** As they are written: `zod`, `node:fs`, `@noble/hashes/sha2.js`. */
  readonly libraries: readonly string[]
}

const SOURCES = ['src', 'durable-objects', 'local', 'cli', 'ui/src', 'bench', 'scripts', 'test'].map(
  (folder) => `${folder}/**/*.{ts,tsx,mts,mjs}`,
)

export function readImports(root: string): readonly SourceFile[] {
  return globSync(SOURCES, { cwd: root, ignore: ['**/node_modules/**', '**/*.d.ts'] })
    .sort()
    .map((path) => sourceFile(root, path))
}

function sourceFile(root: string, path: string): SourceFile {
  const specifiers = importsOf(path, readFileSync(join(root, path), 'utf8'))
  const isRelative = (specifier: string) => specifier.startsWith('.')
  return {
    path,
    files: specifiers.filter(isRelative).map((specifier) => resolved(root, path, specifier)),
    libraries: specifiers.filter((specifier) => !isRelative(specifier)),
  }
}

/** Specifiers of static, dynamic and type imports, and of re-exports; each once, in their order. */
export function importsOf(path: string, source: string): readonly string[] {
  const { program, module, errors } = parseSync(path, source)
  if (errors.length) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const found = new Set<string>()
  for (const { moduleRequest } of module.staticImports) found.add(moduleRequest.value)
  for (const { entries } of module.staticExports) for (const { moduleRequest } of entries) if (moduleRequest) found.add(moduleRequest.value)
  const note = (argument: { readonly type: string; readonly value?: unknown }) => {
    if (argument.type === 'Literal' && typeof argument.value === 'string') found.add(argument.value)
  }
  new Visitor({
    ImportExpression: (node) => note(node.source),
    TSImportType: (node) => note(node.source),
  }).visit(program)
  return [...found]
}

/** The file a relative specifier means; the path as it is written (`./a.css?raw`, a folder's asset) where no source file answers to it. */
function resolved(root: string, from: string, specifier: string): string {
  const path = normalize(join(dirname(from), specifier))
  const candidates = ['', '.ts', '.tsx', '.mts', '/index.ts', '/index.tsx'].map((ending) => path + ending)
  return candidates.find((candidate) => isFile(join(root, candidate))) ?? path
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()
