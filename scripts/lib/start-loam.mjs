/** Starts the product and its stand-ins in workerd, with everything it stores inside one state folder. */
import { randomBytes } from 'node:crypto'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { bundled, standIns } from './bundled.mjs'
import { adminKey } from './guard.mjs'
import { apart, assetsOptions, miniflareOptions, readToml } from './local-config.mjs'
import { settle as chooseModels } from './local-models.mjs'
import { pendingMigrations } from './migrations.mjs'
import { buildPage } from './page.mjs'
import { portIsFree } from './ports.mjs'
import { runtime } from './runtime.mjs'
import { forgetsOlderKeys } from './sealed-anew.mjs'
import { root as home } from './setup.mjs'
import { openState } from './state.mjs'

const WITHIN = 'local/platform/main.ts' // the product within the platform's limits
const SETTLING = 200 // ms without a change before the product is built again (LOAM_WATCH=1)
const WATCHED = ['src', 'durable-objects', 'local/workerd', 'local/platform']

// A killed process is noticed sooner than in production (src/env.ts explains these).
const RECOVERY = { ALARM_SECONDS: '5', LEASE_SECONDS: '60' }
// In production these cost calls to an object; here they are free.
const SEEING = { METRICS: 'on' }
// Without this switch a local Loam keeps to the per-minute call limits of an account.
const UNLIMITED = { MODEL_RATES: 'text=1000000 embedding=1000000 rerank=1000000' }
// A text model on this machine may think for minutes, and a round must outlast its calls.
const SLOW = { LEASE_SECONDS: '540', MODEL_SECONDS: '210', SLOT_SECONDS: '220' }

/** @param {{port?: number, state?: string, quiet?: boolean, env?: NodeJS.ProcessEnv, vars?: object, root?: string, entry?: string}} [options] */
export async function startLoam({ port, state: folder, quiet = false, env = process.env, vars = {}, root = home, entry = WITHIN } = {}) {
  const say = quiet ? () => {} : (text) => console.log(text)
  const wanted = port ?? Number(env.PORT ?? 8787)
  const listen = env.LOAM_LISTEN || '127.0.0.1'
  const names = (env.LOAM_HOSTS ?? '').split(/[\s,]+/).filter(Boolean)
  const front = { listen, names, secret: randomBytes(32).toString('base64url') } // of this run: the runtime is reached only through the front
  const state = openState(root, folder ?? env.LOAM_STATE ?? '.loam', {
    newKey: env.LOAM_NEW_MASTER_KEY === '1',
    rotate: env.LOAM_ROTATE_MASTER_KEY === '1',
  })
  const opened = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  opened.push(async () => state.close())
  try {
    await state.left()
    if (wanted && !(await portIsFree(wanted))) throw new Error(`Port ${wanted} is taken. Choose another: PORT=8788 npm start`)
    say('Building the page, preparing the databases and starting the local runtime …')
    const running = runtime({ root, state }) // starts while the rest is being prepared
    opened.push(running.stop)
    state.announce({ host: running.pid })
    const production = readToml(join(root, 'wrangler.toml'))
    const [models] = await Promise.all([
      chooseModels({ env, say, root, folder: state.folder }).then((models) => {
        opened.push(models.stop)
        state.keepModel(models.embedding, models.previous)
        return models
      }),
      migrated({ root, state, production, running }),
      buildPage(root, production),
    ])
    const unlimited = env.LOCAL_AI_RATES === 'off'
    const secrets = {
      ADMIN_KEY: adminKey({ listen, given: env.ADMIN_KEY || undefined, own: state.adminKey }),
      MASTER_KEY: state.masterKey,
      ...(state.olderKeys ? { MASTER_KEY_PREVIOUS: state.olderKeys } : {}),
      FRONT_SECRET: front.secret,
    }
    const made = () =>
      options({
        root,
        entry,
        production,
        port: wanted,
        front,
        inspect: Number(env.LOAM_INSPECT ?? 0),
        memory: env.LOCAL_MEMORY ?? '',
        persist: persistOf(state),
        product: {
          ...models.product,
          ...RECOVERY,
          ...SEEING,
          ...(models.product.TEXT_MODEL ? SLOW : {}),
          ...(unlimited ? UNLIMITED : {}),
          ...secrets,
          OUTBOUND_TARGETS: env.OUTBOUND_TARGETS ?? '',
          ...vars,
        },
        beside: {
          ...models.standIns,
          AI_RATES: env.LOCAL_AI_RATES ?? '',
          TEXT_WINDOW: models.product.TEXT_WINDOW ?? '',
          MODEL_SECONDS: SLOW.MODEL_SECONDS,
          VECTORIZE_DELAY_MS: env.LOCAL_VECTORIZE_DELAY_MS ?? '10000',
        },
      })
    const url = await running.ask('serve', made()).catch((error) => {
      throw new Error(`Loam did not start: ${error.message}\n${running.tail()}`)
    })
    if (env.LOAM_WATCH === '1') opened.push(watching(root, () => running.ask('serve', made()), say))
    state.announce({ host: running.pid, url })
    if (state.olderKeys) opened.push(forgetsOlderKeys({ state, url, key: secrets.ADMIN_KEY, say }))
    say(banner(url, secrets.ADMIN_KEY, models, state.folder))
    return { url, key: secrets.ADMIN_KEY, state: state.folder, stop, ended: running.ended, memory: () => running.ask('memory') }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The folder that `wrangler dev --persist-to <state>/data` uses for the same data. */
const persistOf = (state) => state.path('data', 'v3')

/** Bundled once, so that editing a file does not restart a runtime in the middle of its work (with LOAM_WATCH=1 it does). */
function options({ root, entry, production, port, front, inspect, memory, persist, product, beside }) {
  const loam = {
    name: production.name,
    modules: [{ type: 'ESModule', path: 'index.js', contents: bundled(join(root, entry), { isReadable: inspect > 0 }) }],
    ...miniflareOptions(production, { vars: product }),
    ...assetsOptions(production, { root }),
  }
  const { objects, edge } = apart(loam)
  const shared = { defaultPersistRoot: persist }
  return {
    port,
    memory,
    ...front,
    // The objects come first, so that nothing has to wait for them. A profiler (chrome://inspect, bench/lib/profile.ts) finds them at its port, everything else at the next.
    runtimes: [
      { ...shared, workers: [objects], ...(inspect ? { inspectorPort: inspect } : {}) },
      { ...shared, workers: [edge, standIns(root, beside)], ...(inspect ? { inspectorPort: inspect + 1 } : {}) },
    ],
    crons: production.triggers?.crons ?? [],
  }
}

async function migrated({ root, state, production, running }) {
  const pending = pendingMigrations({ root, state, production })
  if (!pending) return
  const { d1Databases: databases } = miniflareOptions(production, { vars: {} })
  await running.ask('migrate', { databases, persist: persistOf(state), migrations: pending.migrations })
  pending.done()
}

/** Rebuilds and restarts after an edit; a build that fails leaves the old one running. */
function watching(root, serve, say) {
  let timer
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const failed = await Promise.resolve()
        .then(serve)
        .then(
          () => undefined,
          (error) => error,
        )
      say(failed ? `Not restarted: ${failed.message}` : 'Restarted after an edit.')
    }, SETTLING)
  }
  const watchers = WATCHED.map((folder) => watch(join(root, folder), { recursive: true }, again))
  return async () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

function banner(url, key, models, folder) {
  const writers = models.texts.map(({ role, id }) => (role === 'text' ? id : `${id} for ${role}`)).join(', ')
  const words = writers || 'none: answers are extracts (npm start -- --text-model <name>; npm run models lists them)'
  return `
  Loam is running   ${url}
  admin key         ${key}
  embeddings        ${models.embedding.model}, ${models.embedding.dimensions} dimensions${models.previous ? `; older corpora: ${models.previous.model}` : ''}
  text model        ${words}
  state and logs    ${folder}

  curl ${url}/v1/corpora -H 'authorization: Bearer ${key}'
`
}
