/** Workers as the Cloudflare API keeps them: uploads, secrets, deployments, triggers. The marks are those of cloudflare-api.ts. */

export interface Request {
  readonly method: string
  /** Below `/accounts/<account>`, without the query; other paths whole. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}
export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
}
export const refusal = (status: number, code: number, message: string): Refusal => ({ status, code, message })
const noWorker = refusal(404, 10007, 'This Worker does not exist on your account.')

interface Binding {
  readonly name: string
  readonly type: string
  readonly text?: string
}
/** What an upload says of the Worker. */
interface Metadata {
  readonly bindings: readonly Binding[]
  readonly migrations?: { readonly new_tag: string }
  readonly observability?: { readonly head_sampling_rate?: number }
}
export interface Script {
  readonly secrets: Map<string, string>
  migration: string | undefined
  subdomain: boolean
  domains: string[]
  crons: string[]
  readonly uploads: Metadata[]
}

export class Scripts {
  readonly all = new Map<string, Script>()
  readonly takenHosts = new Set<string>() // that have DNS records
  readonly othersHosts = new Set<string>() // that are another Worker's
  subdomain: string | undefined = 'somebody'

  add(name: string, secrets: { readonly [name: string]: string } = {}): Script {
    const made = { secrets: new Map(Object.entries(secrets)), migration: undefined, subdomain: false, domains: [], crons: [], uploads: [] }
    this.all.set(name, made)
    return made
  }

  route(request: Request, parts: readonly string[]): unknown {
    const [, kind, name = '', what, more] = parts
    if (kind === 'subdomain') return this.subdomain ? { subdomain: this.subdomain } : refusal(404, 10007, 'no subdomain')
    if (kind === 'assets') return { jwt: 'done' }
    if (kind === 'scripts' && name === '') return [...this.all].map(([id, { migration }]) => ({ id, migration_tag: migration }))
    if (what === 'assets-upload-session') return session(request.body)
    if (kind === 'scripts' && what === undefined && request.method === 'PUT') return this.#upload(name, request.body)
    const script = this.all.get(name)
    if (!script) return noWorker
    if (kind === 'services')
      return { default_environment: { environment: 'production', script: { tag: 'tag', last_deployed_from: 'wrangler' } } }
    if (what === 'versions') return this.#upload(name, request.body)
    return this.#one(script, { ...request, path: [what, more].filter(Boolean).join('/') })
  }

  #one(script: Script, { path, method, body }: Request): unknown {
    if (path.startsWith('secrets/') && method === 'DELETE') return script.secrets.delete(path.slice('secrets/'.length)) ? {} : noWorker
    switch (path) {
      case 'secrets':
        return [...script.secrets.keys()].map((name) => ({ name, type: 'secret_text' }))
      case 'deployments':
        return method === 'GET' ? { deployments: [{ id: 'd1', versions: [{ version_id: 'v1', percentage: 100 }] }] } : { id: 'd2' }
      case 'settings':
        return script.uploads.at(-1) ?? { bindings: [] }
      case 'subdomain':
        if (method === 'POST') script.subdomain = (JSON.parse(body) as { readonly enabled: boolean }).enabled
        return { enabled: script.subdomain, previews_enabled: false }
      case 'schedules':
        script.crons = (JSON.parse(body) as { readonly cron: string }[]).map(({ cron }) => cron)
        return { schedules: [] }
      case 'domains/changeset':
        return this.#changeset(JSON.parse(body) as { readonly hostname: string }[])
      case 'domains/records':
        script.domains = (JSON.parse(body) as { readonly origins: { readonly hostname: string }[] }).origins.map(({ hostname }) => hostname)
        return {}
      default:
        return {}
    }
  }

  /** SOURCE: `conflicting` have DNS records, those `modified` lead to another Worker. */
  #changeset(hosts: readonly { readonly hostname: string }[]): unknown {
    return {
      added: [],
      removed: [],
      updated: hosts.filter(({ hostname }) => this.othersHosts.has(hostname)).map((host) => ({ ...host, id: 'h1', modified: true })),
      conflicting: hosts.filter(({ hostname }) => this.takenHosts.has(hostname)),
    }
  }

  /** SOURCE: a form whose part `metadata` names the bindings; `inherit` keeps what the last version had and is refused (10057) where it had none. */
  #upload(name: string, form: string): unknown {
    const metadata = JSON.parse(/name="metadata"[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(form)?.[1] ?? '{}') as Metadata
    const script = this.all.get(name) ?? this.add(name)
    const had = new Set([...script.secrets.keys(), ...(script.uploads.at(-1)?.bindings ?? []).map((binding) => binding.name)])
    const lost = metadata.bindings.find((binding) => binding.type === 'inherit' && !had.has(binding.name))
    if (lost) return refusal(400, 10057, `inherit binding '${lost.name}' is invalid`)
    for (const { name, type, text } of metadata.bindings) if (type === 'secret_text') script.secrets.set(name, text ?? '')
    script.migration = metadata.migrations?.new_tag ?? script.migration
    script.uploads.push(metadata)
    const id = '11111111-1111-4111-8111-111111111111'
    return { id, etag: 'e', deployment_id: id.replaceAll('-', ''), startup_time_ms: 5, resources: { script: { etag: 'e' } } }
  }
}

/** SOURCE: the hashes that are wanted, in buckets, and a token for their upload. */
function session(body: string): unknown {
  const { manifest } = JSON.parse(body) as { readonly manifest: { readonly [path: string]: { readonly hash: string } } }
  const payload = Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 600 })).toString('base64url')
  return { jwt: `e30.${payload}.s`, buckets: [Object.values(manifest).map(({ hash }) => hash)] }
}
