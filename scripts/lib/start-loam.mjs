/** Starts the product in `wrangler dev` with its stand-ins and the sentence encoder, everything it keeps inside one state folder. */
import { setTimeout as sleep } from 'node:timers/promises'
import { bundled } from './bundled.mjs'
import { localConfig, readToml, standInsConfig } from './local-config.mjs'
import { settle as chooseModels } from './local-models.mjs'
import { freePort, portIsFree } from './ports.mjs'
import { applyMigrations, buildPage, runtime } from './runtime.mjs'
import { root as home } from './setup.mjs'
import { openState } from './state.mjs'

const KEY = 'local-development-key' // never of use beyond 127.0.0.1
const PATIENCE = 90_000 // ms until /healthz answers; 3 s is usual
const MINUTE = 60_000

// A killed process is noticed sooner than in production, where nobody watches (src/env.ts says what these are).
const RECOVERY = { ALARM_SECONDS: '5', LEASE_SECONDS: '60' }

export async function startLoam({ port, state: folder, quiet = false, env = process.env, vars = {}, root = home } = {}) {
  const say = quiet ? () => {} : (text) => console.log(text)
  const wanted = port ?? Number(env.PORT ?? 8787)
  if (wanted && !(await portIsFree(wanted))) throw new Error(`Port ${wanted} is taken. Choose another: PORT=8788 npm start`)
  const state = openState(root, folder ?? env.LOAM_STATE ?? '.loam')
  const opened = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  opened.push(async () => state.close())
  try {
    const models = await chooseModels({ root, env, say, cache: state.path('cache') })
    opened.push(models.stop)
    state.keepModel(models.embedding)
    const url = `http://127.0.0.1:${wanted || (await freePort())}`
    const secrets = { ADMIN_KEY: env.ADMIN_KEY ?? KEY, MASTER_KEY: state.masterKey }
    const production = readToml(`${root}/wrangler.toml`)
    const delay = { VECTORIZE_DELAY_MS: env.LOCAL_VECTORIZE_DELAY_MS ?? '0' }
    const product = localConfig(production, { root, vars: { ...models.product, ...RECOVERY, ...secrets, ...vars } })
    const standIns = standInsConfig(readToml(`${root}/local/wrangler.toml`), { root, vars: { ...models.standIns, ...delay } })
    const fixed = env.LOAM_WATCH === '1' ? (_name, made) => made : (name, made) => frozen(state, name, made)
    const config = state.write('wrangler.json', fixed('loam', product))
    const beside = state.write('stand-ins.json', fixed('stand-ins', standIns))
    await buildPage(root, production)
    await applyMigrations({ root, state, config, production })
    const running = await runtime({ root, state, configs: [config, beside], url, say })
    opened.push(running.stop)
    await answering(`${url}/healthz`, running)
    opened.push(schedule(url, production))
    state.announce(url)
    say(banner(url, secrets.ADMIN_KEY, models, state.folder))
    return { url, key: secrets.ADMIN_KEY, state: state.folder, stop, ended: running.ended }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Bundled once, so that editing a file does not restart a runtime in the middle of its work (LOAM_WATCH=1: it does). */
function frozen(state, name, config) {
  return { ...config, main: state.module(name, bundled(config.main)), no_bundle: true }
}

async function answering(url, running) {
  const until = Date.now() + PATIENCE
  let over = false
  running.ended.then(() => {
    over = true
  })
  while (!over && Date.now() < until) {
    const reply = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await reply?.body?.cancel()
    if (reply?.ok) return
    await sleep(100)
  }
  throw new Error(`Loam did not start.\n${running.tail()}`)
}

/** Locally nobody fires the cron triggers; a minute is often enough for what the schedule does. */
function schedule(url, production) {
  const crons = production.triggers?.crons ?? []
  const timer = setInterval(() => {
    for (const cron of crons) fetch(`${url}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`).catch(() => {})
  }, MINUTE)
  return async () => clearInterval(timer)
}

function banner(url, key, models, folder) {
  const words = models.product.TEXT_MODEL || 'none: answers are extracts (LOCAL_MODEL_URL and LOCAL_TEXT_MODEL name one)'
  return `
  Loam is running   ${url}
  admin key         ${key}
  embeddings        ${models.embedding.model}, ${models.embedding.dimensions} dimensions
  text model        ${words}
  state             ${folder}

  curl ${url}/v1/corpora -H 'authorization: Bearer ${key}'
`
}
