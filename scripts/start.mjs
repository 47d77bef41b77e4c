/**
 * `npm start`: sets everything up and serves Loam on this machine, without an account. As a library, `startLoam` does the same
 * for the demo and the benches. `-- --text-model <name or .gguf>`, `--embedding-model …`, `--extract-model …` and so on: models that run on this machine
 * (docs/models.md). `-- --json`: one line with the address and the key, once it runs.
 */
import { fileURLToPath } from 'node:url'
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup } from './lib/setup.mjs'

/**
 * @param {{port?: number, state?: string, quiet?: boolean, env?: Record<string, string | undefined>, vars?: Record<string, string>}} [options]
 *   `port` 0 takes a free one; `env` is read instead of the process's; `vars` override the product's.
 * @returns {Promise<{url: string, key: string, state: string, stop(): Promise<void>, ended: Promise<void>}>}
 */
export async function startLoam(options = {}) {
  const local = await import('./lib/start-loam.mjs')
  return local.startLoam(options)
}

const USAGE = `npm start                                       serves Loam on this machine
npm start -- --text-model <name or .gguf>       with a text model that runs on this machine (npm run models lists them)
npm start -- --embedding-model <name>           the same for embeddings; also --reranker-model, --previous-embedding-model, and for single
                                                roles --extract-model, --summarise-model, --describe-model, --answer-model, --classify-model, --judge-model
npm start -- --accept-licence                   accepts the licence of a model that requires it
npm start -- --json                             prints one line with the address and the key

PORT=8788, LOAM_STATE=<folder>, LOAM_LISTEN=<address>, LOAM_WATCH=1 and others: docs/configuration.md`

/** Options that name models, as the variables they stand for. */
function given() {
  const models = ['text', 'embedding', 'previous-embedding', 'extract', 'summarise', 'describe', 'answer', 'classify', 'judge', 'reranker']
  const options = Object.fromEntries(models.map((name) => [`${name}-model`, { type: /** @type {const} */ ('string') }]))
  const { values } = ownArguments({
    usage: USAGE,
    options: { ...options, json: { type: 'boolean', default: false }, 'accept-licence': { type: 'boolean', default: false } },
  })
  const named = models.flatMap((name) =>
    values[`${name}-model`] ? [[`LOCAL_${name.toUpperCase().replace('-', '_')}_MODEL`, String(values[`${name}-model`])]] : [],
  )
  return {
    json: values.json === true,
    env: { ...Object.fromEntries(named), ...(values['accept-licence'] ? { LOAM_ACCEPT_LICENCE: '1' } : {}) },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { json, env } = given()
  await ensureSetup({ toStart: true })
  try {
    const loam = await startLoam({ quiet: json, env: { ...process.env, ...env } })
    if (json) console.log(JSON.stringify({ url: loam.url, key: loam.key, state: loam.state }))
    let leaving = false
    const leave = async () => {
      if (leaving) return
      leaving = true
      await loam.stop()
      process.exit(0)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, leave)
    await loam.ended
    if (!leaving) {
      console.error('The local runtime ended by itself; its log is in', loam.state)
      process.exit(1)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
