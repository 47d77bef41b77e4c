#!/usr/bin/env node
/** The command `loam`: dist/cli.js, compiled first if it is missing or older than its sources. */
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modifiedAt = (path) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs

if (!isFresh()) {
  const { spawnSync } = await import('node:child_process') // slow to load, and seldom wanted
  const { status } = spawnSync(process.execPath, [`${root}scripts/build-cli.mjs`], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1) // why is on standard error
}
await import('../dist/cli.js')

/** An installed package may contain no sources. */
function isFresh() {
  if (modifiedAt('cli/main.ts') === undefined) return true
  const built = modifiedAt('dist/cli.js')
  return built !== undefined && sources().every((path) => (modifiedAt(path) ?? Number.POSITIVE_INFINITY) <= built)
}

function sources() {
  try {
    return JSON.parse(readFileSync(`${root}dist/cli.json`, 'utf8'))
  } catch {
    return ['dist/cli.json'] // it is missing
  }
}
