/**
 * All projects of tests. `npm test` runs `core`, `node`, `alone` and `apart` (in Node), `worker` and `text` (inside workerd). `browser` needs a running Loam and a
 * browser, and is there when scripts/test-browser.mjs has said where they are.
 */
import { defineConfig, defineProject } from 'vitest/config'
import { project, retry, workers } from './test/worker/project.mjs'

const patience = 180_000 // ms; the longest test takes 15 s on two idle cores, and several times that on two busy ones
/** The young generation of 32 MB instead of 16: an object's graph outlives fewer collections, and whatever grows corpora takes a tenth less. */
const execArgv = ['--max-semi-space-size=32']
const inNode = { environment: 'node', maxWorkers: workers, execArgv, retry, testTimeout: patience, hookTimeout: patience } as const

/** Pure code. It keeps nothing, so a worker's files share the modules they import: to read those anew for each took a quarter of the time. */
const core = defineProject({ test: { ...inNode, name: 'core', include: ['test/core/**/*.test.ts'], isolate: false } })

/** Whole deployments that die: their class of the platform, their clock and their timers are replaced, for all of these files alike. */
const DYING = ['test/node/deletion/**/*.test.ts']
const alone = defineProject({ test: { ...inNode, name: 'alone', include: DYING, isolate: false } })

/** Files that replace modules or the list of strategies, or start what leaves something behind: each in a process of its own. */
const APART = ['test/node/deploy/**/*.test.ts', 'test/node/hooks/reseal.test.ts', 'test/node/strategies.test.ts']
const apart = defineProject({ test: { ...inNode, name: 'apart', include: APART } })

/** What runs beside the product (scripts, Miniflare), and the product in Node. Its files share modules too. */
const node = defineProject({
  test: { ...inNode, name: 'node', include: ['test/node/**/*.test.ts'], exclude: [...DYING, ...APART], isolate: false },
})

/** The product as `npm start` runs it, without a text model. */
const worker = project('worker', { include: ['test/worker/**/*.test.ts'], exclude: ['**/*.text.test.ts'] })

/** The same with a text model (`Control.script([…])` says what it replies) and a reranker. */
const text = project(
  'text',
  { include: ['test/worker/**/*.text.test.ts'], exclude: [] },
  { TEXT_MODEL: 'scripted', RERANKER_MODEL: 'scored' },
)

const browser = defineProject({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: 60_000 } }, // what a page shows comes when it comes; a second is short on a busy machine
    maxWorkers: 3, // each waits for its page or for Loam half of the time; all share one Loam, so a file's corpora have names of its own
    isolate: false, // and a worker's files one browser
    retry,
  },
})

export default defineConfig({
  test: {
    projects: process.env.LOAM_SCREENSHOTS ? [browser] : [alone, apart, core, node, worker, text],
    // A queue or an alarm may still be at work when the last test of a file has ended; its worker is then told to stop while it loads a module.
    onUnhandledError: (error) => error.name !== 'EnvironmentTeardownError',
  },
})
