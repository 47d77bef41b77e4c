/**
 * The process that owns the two workerd runtimes through Miniflare; it is told over IPC what to run. It leads its own process group and
 * ends it as a whole when its owner is gone, however the owner ended: a runtime without an owner would keep the port and write to the
 * state.
 */
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { front } from './front.mjs'
import { memoryFlags, memoryWatch, readingBy } from './memory.mjs'

const MINUTE = 60_000
const CONNECTING = 30_000 // ms
const LOOK = 5 // ms
const REGISTRY = join(process.env.TMPDIR ?? tmpdir(), `runtimes-${process.pid}`) // where each writes how to reach it
const ANY = new Set(['0.0.0.0', 'localhost'])

/** One Miniflare per runtime; the last of them answers requests. */
const running = []
let server
let timer
let target
let restarts = 0
const given = (process.env.MINIFLARE_WORKERD_V8_FLAGS ?? '').split(' ').filter(Boolean)
const watch = memoryWatch({ exceeded: end })

/** An isolate has outgrown the platform's limit: Miniflare restarts the runtime. */
function end({ process: pid, heap, buffers }) {
  const size = `${Math.round(heap / 1e6)} MB of heap and ${Math.round(buffers / 1e6)} MB of array buffers`
  console.error(`memory: the isolate exceeded its limit with ${size}; the runtime starts again (LOCAL_MEMORY=off: no limit)`)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has already ended
  }
}

/**
 * Applies new D1 migrations, recorded in the same tables that wrangler uses. This happens before the product runs, so that it never meets
 * an old schema.
 */
async function migrate({ databases, persist, migrations }) {
  const worker = { name: 'migrations', modules: true, script: 'export default {}', compatibilityDate: '2026-07-01' }
  const beside = new Miniflare({ ...worker, d1Databases: databases, defaultPersistRoot: persist, cf: false, telemetry: { enabled: false } })
  try {
    for (const [binding, files] of Object.entries(migrations)) {
      const db = await beside.getD1Database(binding)
      await db.exec(
        'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
      )
      const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
      const applied = new Set(results.map(({ name }) => name))
      for (const { name, statements } of files.filter((file) => !applied.has(file.name))) {
        const noted = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
        await db.batch([...statements.map((statement) => db.prepare(statement)), noted]) // one transaction
      }
    }
  } finally {
    await beside.dispose()
  }
}

/** `runtimes`: Miniflare's options for each, in starting order. Each finds the workers of the others by name. */
async function serve({ runtimes, crons, port, listen, names, secret, memory }) {
  if (memory !== 'off') process.env.MINIFLARE_WORKERD_V8_FLAGS = [...given, memoryFlags({ young: memory === 'all' })].join(' ')
  for (const [n, options] of runtimes.entries()) running[n] = await served(running[n], options, memory)
  target = await running.at(-1).ready
  for (const one of running.slice(0, -1)) await connected(one)
  server ??= await front(port, () => target, { listen, names, secret })
  clearInterval(timer)
  timer = setInterval(() => tick(crons), MINUTE)
  const { port: taken } = server.address()
  return `http://${isIP(listen) === 6 ? `[${listen}]` : ANY.has(listen) ? '127.0.0.1' : listen}:${taken}`
}

/** A runtime with these workers: the existing one, or a new one. */
async function served(before, options, memory) {
  const whole = {
    ...options,
    ...(memory === 'off' ? {} : { handleRuntimeStdio: readingBy(watch) }),
    host: '127.0.0.1',
    port: 0, // its own port; clients talk to front.mjs
    unsafeDevRegistryPath: REGISTRY,
    unsafeHandleRuntimeRestart: async () => {
      restarts++
      // After a crash Miniflare restarts from its derived options, in which the names of workers in other runtimes have been replaced.
      await miniflare.setOptions(whole)
      target = await running.at(-1).ready
    },
    cf: false,
    telemetry: { enabled: false },
    logRequests: false,
    log: new Log(LogLevel.WARN),
  }
  if (before) await before.setOptions(whole)
  const miniflare = before ?? new Miniflare(whole)
  await miniflare.ready
  return miniflare
}

/** It has been told where the later-started runtimes are. */
async function connected(miniflare) {
  for (const until = Date.now() + CONNECTING; ; await new Promise((resolve) => setTimeout(resolve, LOOK))) {
    const { status } = await miniflare.dispatchFetch('http://connected/')
    if (status === 204) return
    if (Date.now() > until) throw new Error('the two runtimes cannot find each other')
  }
}

/** Locally nothing fires the cron triggers; once a minute is enough for the schedule's work. */
async function tick(crons) {
  for (const cron of crons) {
    try {
      const worker = await running.at(-1).getWorker()
      await worker.scheduled({ cron, scheduledTime: new Date() })
    } catch (error) {
      console.error('scheduled', error) // the next minute tries again
    }
  }
}

async function stop() {
  clearInterval(timer)
  server?.closeAllConnections()
  await Promise.all(running.map((one) => one.dispose()))
  process.exit(0)
}

const perform = { migrate, serve, stop, memory: () => ({ ...watch.peak(), restarts }) }

process.on('message', async ({ kind, ...what }) => {
  try {
    process.send({ kind, answer: await perform[kind](what) })
  } catch (error) {
    process.send({ kind, failed: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
// Ctrl-C reaches every process of a terminal; the owner decides what it means. Errors outside a request are logged, not fatal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => console.error(event, error))
process.send({ kind: 'up' })
