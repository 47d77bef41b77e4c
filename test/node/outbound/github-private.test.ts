/** Private repositories, limits of requests and pushes, against a stand-in that answers as GitHub's REST API does. */
import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { isFollowed, readPush } from '../../../src/hooks/push'
import { type Internet, master, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const HOUR = 3_600_000
const TOKEN = 'github_pat_that_opens'
const OPTIONS = { include: [], exclude: [], maxItems: 100, content: 'linked', ref: 'main' } as const
const shaOf = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
const json = (body: unknown): Response => new Response(JSON.stringify(body))

function privateRepository(files: Map<string, string>) {
  let limit: Response | null = null
  let token = TOKEN
  let during: (() => void) | null = null
  const internet: { current: Internet } = {
    current: ({ url, headers }) => {
      const { host, pathname } = new URL(url)
      if (limit) return limit.clone()
      if (headers.get('authorization') === 'Bearer expired_token') return new Response(null, { status: 401 })
      if (host !== 'api.github.com' || headers.get('authorization') !== `Bearer ${token}`) return new Response(null, { status: 404 })
      if (pathname.endsWith('/commits/main')) return new Response('c'.repeat(40))
      const blob = /\/git\/blobs\/([0-9a-f]{40})$/.exec(pathname)?.[1]
      const found = [...files.values()].find((text) => shaOf(text) === blob)
      if (blob) return found === undefined ? new Response(null, { status: 404 }) : new Response(found)
      const tree = [...files].map(([path, text]) => ({ path, type: 'blob', sha: shaOf(text), size: text.length }))
      during?.()
      return json({ truncated: false, tree })
    },
  }
  const here = place(internet)
  open.push(here)
  const text = (path: string) => document(here.mortal.context, `github/reeds/birds/${path}`)?.text
  let made = 0
  const source = async (secret: string | null = TOKEN, every = 24 * HOUR) => {
    const id = `src_${++made}` // as `here.source` will name it
    const secrets = secret === null ? {} : { secrets: [{ sealed: (await master?.seal(secret, id)) ?? '', until: null }] }
    const url = 'https://github.com/reeds/birds'
    return here.source(url, { kind: 'github', every, onGone: 'delete', goneAfter: 1, options: OPTIONS, ...secrets })
  }
  return {
    ...{ here, text, source },
    say: (response: Response | null) => {
      limit = response
    },
    openWith: (next: string) => {
      token = next
    },
    whileListing: (act: (() => void) | null) => {
      during = act
    },
    paths: () => here.asked.map(({ url }) => new URL(url).pathname.replace('/repos/reeds/birds/', '')),
  }
}

it('[V770] with a token a private repository is followed; contents come from the API by their hash, and the token goes to the API alone', async () => {
  const files = new Map([['a.md', 'A heron waits.']])
  const { here, text, source, paths } = privateRepository(files)
  const id = await source()
  await here.pass(120_000)
  await here.settle()
  expect([text('a.md'), (await here.object.source(id))?.credential]).toEqual(['A heron waits.', 'set'])
  expect(paths()).toEqual(['commits/main', `git/trees/${'c'.repeat(40)}`, `git/blobs/${shaOf('A heron waits.')}`])
  const sent = here.asked.filter(({ headers }) => headers.has('authorization')).map(({ url }) => new URL(url).host)
  expect([...new Set(sent)]).toEqual(['api.github.com'])
  const kept = JSON.stringify([here.mortal.context.sql.all('SELECT * FROM source'), await here.object.source(id)])
  expect(kept).not.toContain(TOKEN)
})

it('[V770] a token that is not valid any more is told; a new one takes its place, at once', async () => {
  const { here, text, source, openWith } = privateRepository(new Map([['a.md', 'A heron waits.']]))
  const id = await source('expired_token')
  await here.pass(60_000)
  expect(await here.object.source(id)).toMatchObject({ status: 'failing', last: 'http_401' })
  openWith('github_pat_new')
  const secrets = [{ sealed: (await master?.seal('github_pat_new', id)) ?? '', until: null }]
  await here.object.askSource(id, { kind: 'credential', secrets })
  await here.pass(120_000)
  await here.settle()
  expect([text('a.md'), (await here.object.source(id))?.status]).toEqual(['A heron waits.', 'ok'])
  const open = await source(null)
  await here.object.askSource(open, { kind: 'credential', secrets: [] })
  expect((await here.object.source(open))?.credential).toBe(null)
})

it('[V770] what is let in is sealed again with the rest; one that came out of a backup has nothing and says so', async () => {
  const { here, source } = privateRepository(new Map())
  const id = await source()
  const [one] = await here.object.endpointSecrets()
  expect(one?.id).toBe(id)
  const after = [{ sealed: (await master?.seal(TOKEN, id)) ?? '', until: null }]
  expect(await here.object.replaceSecrets(id, one?.secrets ?? [], after)).toBe(true)
  expect(await here.object.replaceSecrets(id, one?.secrets ?? [], after)).toBe(false)
  await here.object.askSource(id, { kind: 'credential', secrets: [] })
  await here.pass(60_000)
  expect(await here.object.source(id)).toMatchObject({ credential: 'missing', last: 'no_credential' })
  expect(here.asked).toEqual([])
})

it('[V771] a limit of requests is a pause that the source shows, and no failure; a push meanwhile waits for its end, a caller does not', async () => {
  const { here, text, source, say } = privateRepository(new Map([['a.md', 'A heron waits.']]))
  const reset = String(here.world.clock.now / 1000 + 1800)
  say(new Response(null, { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } }))
  const id = await source()
  await here.pass(60_000)
  const waiting = await here.object.source(id)
  expect(waiting).toMatchObject({ status: 'waiting', last: 'rate_limited', failures: 0, due: Number(reset) * 1000 })
  expect(here.asked.length).toBe(1)
  await here.object.askSource(id, { kind: 'push' })
  await here.pass(60_000)
  expect(here.asked.length).toBe(1)
  await here.object.askSource(id, { kind: 'call' })
  say(new Response(null, { status: 403, headers: { 'retry-after': '120' } })) // the secondary limit
  await here.pass(2000)
  const later = await here.object.source(id)
  expect([later?.status, Math.ceil(((later?.due ?? 0) - here.world.clock.now) / 10_000)]).toEqual(['waiting', 12])
  say(null)
  await here.pass(HOUR)
  await here.settle()
  expect([text('a.md'), (await here.object.source(id))?.status]).toEqual(['A heron waits.', 'ok'])
})

it('[V771] a limit that is met among the files leaves them as they are, to be looked at when it is over', async () => {
  const files = new Map(Array.from({ length: 5 }, (_, n) => [`${n}.md`, `Heron ${n} waits.`] as const))
  const { here, text, source, say, whileListing } = privateRepository(files)
  whileListing(() => queueMicrotask(() => say(new Response(null, { status: 429, headers: { 'retry-after': '600' } }))))
  const id = await source()
  await here.pass(30_000)
  expect(await here.object.source(id)).toMatchObject({ status: 'waiting', failures: 0, items: { known: 5, waiting: 5, failing: 0 } })
  whileListing(null)
  say(null)
  await here.pass(HOUR)
  await here.settle()
  expect([text('4.md'), (await here.object.source(id))?.status]).toEqual(['Heron 4 waits.', 'ok'])
})

it('[V772] after a push the source looks at once: changed files are asked for, deleted ones deleted; one that comes while it lists is not lost', async () => {
  const files = new Map([
    ['a.md', 'A heron waits.'],
    ['b.md', 'A crane waits.'],
  ])
  const { here, text, source, paths, whileListing } = privateRepository(files)
  const id = await source()
  await here.pass(120_000)
  await here.settle()
  here.asked.length = 0
  files.delete('b.md')
  files.set('a.md', 'A heron flies.')
  await here.object.askSource(id, { kind: 'push' })
  await here.pass(10_000)
  await here.settle()
  expect([text('a.md'), text('b.md')]).toEqual(['A heron flies.', undefined])
  expect(paths().filter((path) => path.startsWith('git/blobs/'))).toEqual([`git/blobs/${shaOf('A heron flies.')}`])
  let pushed = false
  whileListing(() => {
    if (pushed) return
    pushed = true
    queueMicrotask(() => files.set('c.md', 'A stork waits.'))
    void here.object.askSource(id, { kind: 'push' })
  })
  await here.object.askSource(id, { kind: 'push' })
  await here.pass(30_000)
  await here.settle()
  expect(text('c.md')).toBe('A stork waits.')
})

it('[V773] a push is followed where repository and branch are those of the source', () => {
  const source = (ref: string | null) => ({ kind: 'github', url: 'https://github.com/Reeds/birds', options: { ref } })
  const push = (ref: string, full_name = 'reeds/Birds') => readPush({ ref, repository: { full_name, default_branch: 'trunk' } })
  const followed = (ref: string | null, told: ReturnType<typeof push>) => told !== null && isFollowed(source(ref), told)
  expect([
    followed(null, push('refs/heads/trunk')),
    followed('main', push('refs/heads/main')),
    followed('v1', push('refs/tags/v1')),
  ]).toEqual([true, true, true])
  const others = [
    followed(null, push('refs/heads/main')),
    followed('main', push('refs/heads/Main')),
    followed('main', push('refs/heads/x/main')),
  ]
  expect([...others, followed('main', push('refs/heads/main', 'reeds/fish'))]).toEqual([false, false, false, false])
  expect([readPush({}), readPush({ ref: 'x' }), readPush([])]).toEqual([null, null, null])
})
