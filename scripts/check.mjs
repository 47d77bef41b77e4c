/**
 * `npm run check`: types (the wall around the core first), lint and format, and all but the slowest pure tests. Each prints its time; it
 * takes a minute on two cores, and some 40 s more the first time, when no type information is cached yet. `-- --no-tests` leaves the tests
 * out, for those who have just run them.
 */
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup } from './lib/setup.mjs'
import { types } from './lib/types.mjs'

const USAGE = `npm run check                    types, lint, format and the pure tests, but the longest, which \`npm test\` runs
npm run check -- --no-tests      without the tests`
const { values } = ownArguments({ usage: USAGE, options: { 'no-tests': { type: 'boolean' } } })
await ensureSetup()
const { capture } = await import('./lib/commands.mjs')

/** They grow whole corpora, or measure and weigh with one: more than two thirds of all the time that pure tests take. */
const LONGEST = [
  'access/access',
  'algorithms/c-hnsw',
  'archrag/backlog',
  'archrag/communities',
  'archrag/local',
  'archrag/slips',
  'auto/auto',
  'auto/reranking',
  'builders/links',
  'builders/senses',
  'erarag/tree',
  'flows/call-bounds',
  'reader/confidence',
  'support/check',
].map((name) => `test/core/${name}.test.ts`)
const pure = ['run', '--project', 'core', '--maxWorkers=100%', ...LONGEST.flatMap((file) => ['--exclude', file]), 'test/core']

const steps = [
  ['core types', 'tsc', types('src/core', 'core')],
  ['worker types', 'tsc', types('tsconfig.worker.json', 'worker')],
  ['node types', 'tsc', types('tsconfig.node.json', 'node')],
  ['page types', 'tsc', types('ui', 'page')],
  ['lint, format', 'biome', ['check', '--diagnostic-level=error', '.']],
  ...(values['no-tests'] ? [] : [['pure tests', 'vitest', pure]]),
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

/** Two at a time: most machines have two cores, and the first failures appear first. */
const queue = [...steps]
const lane = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await step(next)
}
await Promise.all([lane(), lane()])
if (!values['no-tests']) console.log(`left to \`npm test\`: ${LONGEST.length} files of pure tests`)
console.log(`${failed ? `${failed} of ${steps.length} failed` : 'all good'}, ${((Date.now() - began) / 1000).toFixed(1)} s`)
process.exit(failed ? 1 : 0)
