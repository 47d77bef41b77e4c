/**
 * Carries the plan out through wrangler. What exists already is kept; your D1 id goes to wrangler.deploy.json, beside the
 * untouched wrangler.toml. Secrets come from the environment or are made here, travel by standard input, and are never logged:
 * only a fresh ADMIN_KEY is shown, once, because nobody else knows it.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './commands.mjs'
import { readToml } from './local-config.mjs'

const FILE = 'wrangler.deploy.json'

/**
 * @param {string} root where wrangler.toml is and wrangler.deploy.json goes
 * @param {readonly Record<string, any>[]} steps of deploy-plan.mjs
 * @param {{call?: typeof capture, say?: (line: string) => void, env?: Record<string, string | undefined>, json?: boolean}} [world]
 *   `json`: a line is an object
 */
export async function carryOut(root, steps, { call = capture, say = console.log, env = process.env, json = false } = {}) {
  const deployment = new Deployment(root, call, env)
  await deployment.signedIn()
  for (const step of steps) {
    const [{ kind, name }, outcome] = [step, await deployment.perform(step)]
    say(json ? JSON.stringify({ kind, name, outcome }) : `${kind.padEnd(15)} ${name}: ${outcome}`)
  }
  const { url, shown } = deployment
  if (json) return say(JSON.stringify({ url, ...(shown ? { admin_key: shown } : {}) }))
  if (shown) say(`\nADMIN_KEY (shown this once, keep it): ${shown}`)
  if (url) say(`\nLoam is at ${url}\nNext: npx loam init my-corpus --url ${url} --key …`)
}

class Deployment {
  #root
  #call
  #env
  #ids = new Map() // of the databases, by binding
  #existing // names of the worker's secrets, once asked
  #fresh = {} // secrets the worker does not have yet
  shown
  url // of the Worker, once it is deployed

  constructor(root, call, env) {
    this.#root = root
    this.#call = call
    this.#env = env
  }

  async signedIn() {
    const { code, all } = await this.#call('wrangler', ['whoami'])
    if (code !== 0 || /not authenticated/i.test(all))
      throw new Error('Not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.')
  }

  /** What became of the step, in a word or two. */
  async perform(step) {
    switch (step.kind) {
      case 'd1':
        return this.#database(step)
      case 'vectorize':
        return this.#index(step)
      case 'metadata-index':
        return this.#metadata(step)
      case 'queue':
        return this.#queue(step.name)
      case 'migrations':
        await this.#wrangler(['d1', 'migrations', 'apply', step.binding, '--remote', '-c', FILE])
        return 'applied'
      case 'secret':
        return this.#secret(step.name)
      default:
        return this.#worker()
    }
  }

  async #database({ name, binding, id }) {
    if (id) {
      this.#ids.set(binding, id)
      this.#configure()
      return 'named in wrangler.toml'
    }
    const find = async () => (await this.#json(['d1', 'list', '--json'])).find((one) => one.name === name)
    const there = await find()
    if (!there) await this.#wrangler(['d1', 'create', name, '--update-config=false'])
    const { uuid } = there ?? (await find()) ?? {}
    if (!uuid) throw new Error(`the database ${name} was not created`)
    this.#ids.set(binding, uuid)
    this.#configure()
    return there ? 'there' : 'created'
  }

  async #index({ name, dimensions, metric }) {
    const there = (await this.#json(['vectorize', 'list', '--json'])).find((one) => one.name === name)
    const has = there?.config?.dimensions
    if (has && has !== dimensions)
      throw new Error(`the index ${name} has ${has} dimensions, the model ${dimensions}: give the index another name`)
    if (there) return 'there'
    await this.#wrangler(['vectorize', 'create', name, `--dimensions=${dimensions}`, `--metric=${metric}`, '--update-config=false'])
    return 'created'
  }

  async #metadata({ name, property, type }) {
    const there = await this.#json(['vectorize', 'list-metadata-index', name, '--json'])
    if (there.some((index) => (index.propertyName ?? index.property_name) === property)) return `${property} there`
    await this.#wrangler(['vectorize', 'create-metadata-index', name, `--propertyName=${property}`, `--type=${type}`])
    return `${property} created`
  }

  /** There is no list in JSON; creating one twice fails with words that say so. */
  async #queue(name) {
    const { code, all } = await this.#call('wrangler', ['queues', 'create', name])
    if (code === 0) return 'created'
    if (/already (exists|taken)|11009/i.test(all)) return 'there'
    throw new Error(`wrangler queues create ${name} failed\n${all}`)
  }

  async #secret(name) {
    this.#existing ??= await this.#secrets()
    if (this.#existing.has(name)) return 'there'
    const given = this.#env[name]
    this.#fresh[name] = given || randomBytes(32).toString('base64url')
    if (!given && name === 'ADMIN_KEY') this.shown = this.#fresh[name]
    return given ? 'from the environment' : 'made'
  }

  /** Before the first deployment there is no worker to have any. */
  async #secrets() {
    const { code, out } = await this.#call('wrangler', ['secret', 'list', '--format', 'json', '-c', FILE])
    return new Set(code === 0 ? parsed(out).map((one) => one.name) : [])
  }

  async #worker() {
    this.url = /https:\/\/[\w.-]+\.workers\.dev/.exec(await this.#wrangler(['deploy', '-c', FILE]))?.[0]
    if (Object.keys(this.#fresh).length) await this.#wrangler(['secret', 'bulk', '-c', FILE], { input: JSON.stringify(this.#fresh) })
    return 'deployed'
  }

  #configure() {
    const config = readToml(join(this.#root, 'wrangler.toml'))
    const databases = config.d1_databases.map((one) => ({ ...one, database_id: this.#ids.get(one.binding) ?? one.database_id }))
    writeFileSync(join(this.#root, FILE), `${JSON.stringify({ ...config, d1_databases: databases }, null, 2)}\n`)
  }

  async #wrangler(args, options) {
    const { code, out, all } = await this.#call('wrangler', args, options)
    if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed\n${all}${hintOf(all)}`)
    return out
  }

  async #json(args) {
    return parsed(await this.#wrangler(args))
  }
}

const HINTS = [
  [
    /\b(10000|9109)\b|authentication error|not authorized|permission/i,
    'The API token may not do this; docs/deploy.md names the permissions it needs.',
  ],
  [/more than one account/i, 'Say which account: CLOUDFLARE_ACCOUNT_ID=… in front of the command.'],
  [/100328|CPU limits are not supported/i, 'This needs the Workers Paid plan.'],
  [/register a workers\.dev subdomain/i, 'Open Workers & Pages in the dashboard once: it gives the account its workers.dev name.'],
]

/** What a newcomer is told besides wrangler's words. */
function hintOf(said) {
  const found = HINTS.find(([pattern]) => pattern.test(said))
  return found ? `\n${found[1]} What is made already is kept; run it again.` : ''
}

/** Some commands print a notice before their JSON. */
function parsed(out) {
  const from = out.search(/^[[{]/m)
  return from < 0 ? [] : JSON.parse(out.slice(from))
}
