/**
 * Carries out the plan through wrangler. What exists is kept and nothing is replaced; anything that may belong to somebody else is refused.
 * Whatever stops it, running it again continues from there.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountOf, FILE, noted } from './deploy-account.mjs'
import { makeBucket, makeNotification } from './deploy-buckets.mjs'
import { requireFreeDomain } from './deploy-domain.mjs'
import { configured, domainsOf } from './deploy-plan.mjs'
import { madeSecrets, secretsOf, withFile } from './deploy-secrets.mjs'
import { Refused, refusedBy, wranglerIn } from './deploy-wrangler.mjs'

/**
 * @param {string} root where wrangler.toml is and wrangler.deploy.json goes
 * @param {readonly Record<string, any>[]} steps of deploy-plan.mjs
 * @param {{call?: typeof import('./commands.mjs').capture, say?: (line: string) => void, env?: Record<string, string | undefined>, json?: boolean,
 *   options?: {domain?: string, sampling?: string}, rotation?: {secrets: Record<string, string>, isBegun: boolean, keep: () => void}}} [world] `json`: a line is an object;
 *   `options`: those the steps were planned with; `rotation`: secrets that are set even if they exist
 */
export async function carryOut(root, steps, { call, say = console.log, env = process.env, json = false, options = {}, rotation } = {}) {
  const deployment = new Deployment(root, { call, env, options })
  await deployment.begin(steps)
  if (rotation) deployment.rotate(rotation)
  for (const step of steps) {
    const [{ kind, name }, outcome] = [step, await deployment.perform(step)]
    say(json ? JSON.stringify({ kind, name, outcome }) : `${kind.padEnd(15)} ${name}: ${outcome}`)
  }
  const { url, fresh, env: given } = deployment
  if (rotation) return { url, removeSecret: (name) => deployment.removeSecret(name) }
  const shown = given.ADMIN_KEY ? undefined : fresh.ADMIN_KEY
  if (json) return say(JSON.stringify({ url, ...(shown ? { admin_key: shown } : {}) }))
  if (shown) say(`\nADMIN_KEY (shown this once, keep it): ${shown}`)
  if (url)
    say(`\nLoam is at ${url}\nTry it: npm run verify:cloud -- ${url} <ADMIN_KEY>\nNext: npx loam init my-corpus --url ${url} --key …`)
}

class Deployment {
  #root
  #call
  #wrangler
  #config
  #before // what an earlier deployment of this folder recorded
  #ids = new Map() // of the databases, by binding
  #lists = new Map() // what the account has, read once
  #there // names of the Worker's existing secrets; undefined: there is no such Worker yet
  env
  fresh = {} // secrets generated or given for this deployment
  url // of the Worker, once it is deployed

  constructor(root, { call, env, options }) {
    this.#root = root
    this.#call = call
    this.env = env
    this.#config = configured(root, options)
    this.#before = noted(root)
  }

  /** Who, where, and whether the name is free or ours: checked before anything is created. */
  async begin(steps) {
    const given = this.env.CLOUDFLARE_ACCOUNT_ID || this.#config.account_id || undefined
    const account = await accountOf(this.#in({}), { given, before: this.#before.account_id })
    this.#config = { ...this.#config, account_id: account }
    this.#wrangler = this.#in({ CLOUDFLARE_ACCOUNT_ID: account })
    const { name, workflows } = steps.find(({ kind }) => kind === 'worker') ?? {}
    if (!name) return
    this.#there = await secretsOf(this.#wrangler, name, {
      required: this.#config.secrets?.required ?? [],
      inBuild: Boolean(this.env.WORKERS_CI),
    })
    if (!this.#there) for (const flow of workflows) await this.#free(flow, name)
  }

  #in(env) {
    return wranglerIn({ cwd: this.#root, env: { ...this.#credentials(), ...env }, ...(this.#call ? { call: this.#call } : {}) })
  }
  #credentials() {
    return Object.fromEntries(Object.entries(this.env).filter(([name, value]) => name.startsWith('CLOUDFLARE_') && value !== undefined))
  }

  /** The outcome of the step, in a word or two. */
  perform(step) {
    switch (step.kind) {
      case 'd1':
        return this.#database(step)
      case 'vectorize':
        return this.#index(step)
      case 'metadata-index':
        return this.#metadata(step)
      case 'queue':
        return this.#queue(step.name)
      case 'bucket':
        return makeBucket(this.#wrangler, step.name)
      case 'notification':
        return makeNotification(this.#wrangler, step)
      case 'migrations':
        return this.#migrate(step)
      case 'secret':
        return this.#secret(step.name)
      case 'domain':
        return this.#domain(step.name)
      default:
        return this.#worker(step)
    }
  }

  async #database({ name, binding, id, jurisdiction }) {
    const all = await this.#list(['d1', 'list', '--json'])
    const found = all.find((one) => (id ? one.uuid === id : one.name === name))
    if (id && !found)
      throw new Refused(`wrangler.toml names the database ${name} as ${id}, which this account does not have. Is this the right account?`)
    if (found && !id) await this.#ours(found)
    const where = jurisdiction ? [`--jurisdiction=${jurisdiction}`] : []
    if (!found) await this.#wrangler.run(['d1', 'create', name, ...where, '--update-config=false'])
    const { uuid } = found ?? (await this.#list(['d1', 'list', '--json'], { again: true })).find((one) => one.name === name) ?? {}
    if (!uuid) throw new Refused(`The database ${name} is not visible yet. Run it again in a minute.`)
    this.#ids.set(binding, uuid)
    this.#note({ domains: false })
    return id ? 'named in wrangler.toml' : found ? 'there' : 'created'
  }

  /** A database with this name may be somebody else's: ours is empty or has been migrated by us. */
  async #ours({ name, uuid }) {
    if ((this.#before.d1_databases ?? []).some((one) => one.database_id === uuid)) return
    const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'"
    const [{ results }] = await this.#wrangler.json(['d1', 'execute', uuid, '--remote', '--json', '--command', sql])
    const tables = results.map((row) => row.name)
    if (tables.length === 0 || tables.includes('d1_migrations')) return
    throw new Refused(
      `The account has a database ${name} that is not Loam's (it holds ${tables.slice(0, 5).join(', ')}). Give Loam's another database_name in wrangler.toml.`,
    )
  }
  async #migrate({ binding }) {
    const out = await this.#wrangler.run(['d1', 'migrations', 'apply', binding, '--remote', '-c', FILE])
    return /No migrations to apply/.test(out) ? 'none to apply' : 'applied'
  }

  async #index({ name, dimensions, metric }) {
    const there = (await this.#list(['vectorize', 'list', '--json'])).find((one) => one.name === name)
    if (!there) {
      await this.#wrangler.run(['vectorize', 'create', name, `--dimensions=${dimensions}`, `--metric=${metric}`, '--update-config=false'])
      return 'created'
    }
    const { dimensions: has, metric: by } = there.config ?? {}
    if (has === dimensions && by === metric) return 'there'
    throw new Refused(
      `The index ${name} has ${has} dimensions and the metric ${by}; the model needs ${dimensions} and ${metric}. It is kept as it is: give Loam's another index_name in wrangler.toml, or EMBEDDING_MODEL and EMBEDDING_DIMENSIONS those it was made for.`,
    )
  }

  async #metadata({ name, property, type }) {
    const there = await this.#list(['vectorize', 'list-metadata-index', name, '--json'])
    const found = there.find((index) => index.propertyName === property)
    if (found && found.indexType.toLowerCase() !== type)
      throw new Refused(
        `The metadata index ${property} of ${name} is of type ${found.indexType}, not ${type}. Give Loam's index another index_name in wrangler.toml.`,
      )
    if (found) return `${property} there`
    const { vectorCount: older } = await this.#list(['vectorize', 'info', name, '--json'])
    await this.#wrangler.run(['vectorize', 'create-metadata-index', name, `--propertyName=${property}`, `--type=${type}`])
    return `${property} created${older > 0 ? `; the ${older} vectors written before it are not in it: POST /v1/corpora/<corpus>:rebuild for each corpus` : ''}`
  }

  async #queue(name) {
    const { code, all } = await this.#wrangler.attempt(['queues', 'info', name])
    if (code === 0) return 'there'
    if (!/does not exist/.test(all)) throw refusedBy(['queues', 'info', name], all)
    await this.#wrangler.run(['queues', 'create', name])
    return 'created'
  }

  /** wrangler would move a workflow with this name away from the Worker that has it. */
  async #free(flow, worker) {
    const { code, all } = await this.#wrangler.attempt(['workflows', 'describe', flow])
    const owner = /Script Name:\s*(\S+)/.exec(all)?.[1]
    if (code === 0 && owner !== worker)
      throw new Refused(`The workflow ${flow} belongs to the Worker ${owner}. Give Loam's another name in wrangler.toml.`)
    if (code !== 0 && !/\[code: 10200\]/.test(all)) throw refusedBy(['workflows', 'describe', flow], all)
  }

  /** A key that an earlier run set is replaced only by itself: nothing sealed under it opens under another. */
  rotate({ secrets, isBegun, keep }) {
    if (!this.#there) throw new Refused('There is no Worker yet, so there is no master key to replace: npm run deploy.')
    if (this.#there.has('MASTER_KEY_NEXT') && !isBegun)
      throw new Refused(
        'The master key is already being replaced, by a key that is kept elsewhere. Continue where .master-key-next is, or give that key as MASTER_KEY_NEXT.',
      )
    keep() // before anything uses it
    Object.assign(this.fresh, secrets)
  }

  async removeSecret(name) {
    const worker = this.#config.name
    const there = await secretsOf(this.#wrangler, worker, { required: [] })
    if (there?.has(name)) await this.#wrangler.run(['secret', 'delete', name, '--name', worker])
  }

  async #secret(name) {
    if (this.#there?.has(name)) return 'there'
    Object.assign(this.fresh, madeSecrets([name], this.env))
    return this.env[name] ? 'from the environment' : 'made'
  }

  /** Together with its secrets, in one request: our Worker is never without them. */
  async #worker({ name }) {
    this.#note({ domains: false })
    const said = await withFile(this.fresh, async (file) => {
      const { code, out, all } = await this.#wrangler.attempt(['deploy', '-c', FILE, ...(file ? ['--secrets-file', file] : [])])
      if (code !== 0) throw await this.#lost(name, refusedBy(['deploy'], all))
      return out
    })
    this.url = /https:\/\/[\w.-]+\.workers\.dev/.exec(said)?.[0]
    return 'deployed'
  }

  /** If the connection breaks after the upload, the Worker has a key that was never shown. */
  async #lost(name, refused) {
    if (!this.fresh.ADMIN_KEY || this.env.ADMIN_KEY) return refused
    const known = await secretsOf(this.#wrangler, name, { required: [] }).catch(() => 'unknown')
    if (known !== 'unknown' && !known?.has('ADMIN_KEY')) return refused
    const sure = known === 'unknown' ? 'may have' : 'has'
    refused.message += `\n\nThe Worker ${sure} its secrets already. ADMIN_KEY (shown this once, keep it): ${this.fresh.ADMIN_KEY}`
    return refused
  }

  async #domain(host) {
    await requireFreeDomain(this.#wrangler, { host, config: this.#config, env: this.env })
    this.#note({ domains: true })
    await this.#wrangler.run(['triggers', 'deploy', '-c', FILE])
    this.url = `https://${host}`
    return 'connected'
  }

  async #list(args, { again = false } = {}) {
    const key = args.join(' ')
    if (again || !this.#lists.has(key)) this.#lists.set(key, await this.#wrangler.json(args))
    return this.#lists.get(key)
  }

  /** Without its domains until they are known to be free, because wrangler would take them over. */
  #note({ domains }) {
    const { routes = [], ...config } = this.#config
    const own = new Set(domainsOf(this.#config))
    const kept = domains ? routes : routes.filter(({ pattern }) => !own.has(pattern))
    const databases = config.d1_databases.map((one) => ({ ...one, database_id: this.#ids.get(one.binding) ?? one.database_id }))
    const file = { ...config, ...(kept.length > 0 ? { routes: kept } : {}), d1_databases: databases }
    writeFileSync(join(this.#root, FILE), `${JSON.stringify(file, null, 2)}\n`)
  }
}
