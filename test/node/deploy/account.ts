/** A folder with the real wrangler.toml around a small Worker, and its deployment by the real wrangler into a pretended account. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plan } from '../../../scripts/lib/deploy-plan.mjs'
import { rotateMasterKey } from '../../../scripts/lib/deploy-rotation.mjs'
import { carryOut } from '../../../scripts/lib/deploy-steps.mjs'
import { CloudflareApi } from './cloudflare-api'
import type { Wrangler } from './wrangler'

export const repository = join(import.meta.dirname, '../../..')
const WORKER = `import { DurableObject, WorkflowEntrypoint } from 'cloudflare:workers'
export class Corpus extends DurableObject {}
export class Governor extends DurableObject {}
export class KeyUsage extends DurableObject {}
export class Replica extends DurableObject {}
export class Metrics extends DurableObject {}
export class Ingest extends WorkflowEntrypoint { async run() {} }
export default { fetch: () => new Response('ok'), queue() {}, scheduled() {} }
`
interface Step {
  readonly kind: string
  readonly name: string
}
interface Options {
  readonly domain?: string
  readonly sampling?: string
}
interface How {
  /** wrangler in a process that stays; one process a call unless given. */
  readonly wrangler?: Wrangler
  /** Kinds of the steps to carry out; all of them by default. */
  readonly only?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly options?: Options
}

export class Account {
  readonly api = new CloudflareApi()
  readonly folder = mkdtempSync(join(tmpdir(), 'loam-deploy-'))
  #url = ''

  static async open(): Promise<Account> {
    const account = new Account()
    account.#url = await account.api.start()
    const { folder } = account
    const config = readFileSync(join(repository, 'wrangler.toml'), 'utf8')
    // The page is not built and the Worker is small: what is tried is the deployment.
    writeFileSync(join(folder, 'wrangler.toml'), config.replace('src/worker.ts', 'worker.mjs').replace(/\[build\]\ncommand.*\n/, ''))
    writeFileSync(join(folder, 'worker.mjs'), WORKER)
    mkdirSync(join(folder, 'ui/dist'), { recursive: true })
    writeFileSync(join(folder, 'ui/dist/index.html'), 'a page')
    symlinkSync(join(repository, 'migrations'), join(folder, 'migrations'))
    copyFileSync(join(repository, 'package.json'), join(folder, 'package.json'))
    return account
  }
  close(): void {
    this.api.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  edit(change: (toml: string) => string): void {
    const path = join(this.folder, 'wrangler.toml')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
  noted(): {
    readonly account_id: string
    readonly d1_databases: readonly { readonly binding: string; readonly database_id: string }[]
    readonly routes?: readonly unknown[]
    readonly observability: { readonly head_sampling_rate: number }
  } {
    return JSON.parse(readFileSync(join(this.folder, 'wrangler.deploy.json'), 'utf8')) as ReturnType<Account['noted']>
  }

  /** As `npm run deploy -- --rotate-master-key`; `service` is the deployment as it answers. */
  rotate(service: typeof fetch, { env = {}, ...how }: How = {}) {
    const world = { fetch: service, pause: async () => undefined }
    const [carry, given] = [
      (...[root, steps, more]: Parameters<typeof carryOut>) => rotateMasterKey(root, steps, { ...more, ...world }),
      env,
    ]
    return this.deploy({ ...how, env: { ADMIN_KEY: 'a', ...given }, carry })
  }

  /** What was said line by line; the last is why it stopped, where it did. */
  async deploy({
    only,
    env = {},
    options = {},
    wrangler,
    carry = carryOut,
  }: How & { readonly carry?: (...of: Parameters<typeof carryOut>) => Promise<unknown> } = {}): Promise<{
    readonly said: string[]
    readonly stopped: string | undefined
  }> {
    const said: string[] = []
    const steps = (plan(this.folder, options) as readonly Step[]).filter(({ kind }) => !only || only.includes(kind))
    const signedIn = { CLOUDFLARE_API_BASE_URL: this.#url, CLOUDFLARE_API_TOKEN: 'good', ...env }
    try {
      await carry(this.folder, steps, {
        say: (line: string) => said.push(line),
        env: signedIn,
        options,
        ...(wrangler ? { call: wrangler.call } : {}),
      })
      return { said, stopped: undefined }
    } catch (error) {
      return { said, stopped: (error as Error).message }
    }
  }
}
