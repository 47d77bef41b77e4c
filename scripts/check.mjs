/**
 * `npm run check`: types (the wall around the core first), lint and format, pure tests. Each with its time; under a minute.
 * `-- --no-tests` leaves the tests out, for those who have just run them.
 */
import { ensureSetup } from './lib/setup.mjs'

await ensureSetup()
const { capture } = await import('./lib/commands.mjs')

const steps = [
  ['core types', 'tsc', ['-p', 'src/core']],
  ['worker types', 'tsc', ['-p', 'tsconfig.worker.json']],
  ['node types', 'tsc', ['-p', 'tsconfig.node.json']],
  ['page types', 'tsc', ['-p', 'ui']],
  ['its tests', 'tsc', ['-p', 'test/browser']],
  ['lint, format', 'biome', ['check', '--diagnostic-level=error', '.']],
  ...(process.argv.includes('--no-tests')
    ? []
    : [['pure tests', 'vitest', ['run', '--project', 'core', '--maxWorkers=100%', 'test/core']]]),
]

const began = Date.now()
let failed = 0

async function step([name, tool, args]) {
  const { code, all, ms } = await capture(tool, args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(14)} ${(ms / 1000).toFixed(1).padStart(5)} s`)
  if (code === 0) return
  failed += 1
  console.log(all.trimEnd())
}

/** Two at a time: most machines have two cores, and the first failures come first. */
const queue = [...steps]
const lane = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await step(next)
}
await Promise.all([lane(), lane()])
console.log(`${failed ? `${failed} of ${steps.length} failed` : 'all good'}, ${((Date.now() - began) / 1000).toFixed(1)} s`)
process.exit(failed ? 1 : 0)
