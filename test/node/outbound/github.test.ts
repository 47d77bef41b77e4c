/** Repositories on GitHub as sources, against a stand-in that answers as its REST API and its raw files do. */
import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { type Internet, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const HOUR = 3_600_000
const shaOf = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
const json = (body: unknown): Response => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

function repository(files: Map<string, string>, raw: (path: string) => Response | null = () => null) {
  const internet: { current: Internet } = {
    current: ({ url }) => {
      const { host, pathname } = new URL(url)
      if (host === 'raw.githubusercontent.com') {
        const path = decodeURIComponent(pathname.replace('/reeds/birds/main/', ''))
        const text = files.get(path)
        return raw(path) ?? (text === undefined ? new Response(null, { status: 404 }) : new Response(text))
      }
      if (pathname === '/repos/reeds/birds/commits/main') return new Response('c'.repeat(40))
      const tree = [...files].map(([path, text]) => ({ path, type: 'blob', sha: shaOf(text), size: text.length }))
      const folder = { path: 'docs', type: 'tree', sha: 'd'.repeat(40) }
      if (pathname === `/repos/reeds/birds/git/trees/${'c'.repeat(40)}`) return json({ truncated: false, tree: [folder, ...tree] })
      return new Response(null, { status: 404 })
    },
  }
  const here = place(internet)
  open.push(here)
  const asked = () => here.asked.map(({ url }) => url).filter((url) => url.startsWith('https://raw.'))
  const text = (path: string) => document(here.mortal.context, `github/reeds/birds/${path}`)?.text
  const options = { include: [], exclude: ['old/**'], maxItems: 100, content: 'linked', ref: 'main' } as const
  const source = () => {
    return here.source('https://github.com/reeds/birds', { kind: 'github', every: HOUR, onGone: 'delete', goneAfter: 1, options })
  }
  return { here, internet, asked, text, source }
}

it('[V691] every file of a branch that can be read becomes a document; a file is asked for only when its content has changed, and a moved or deleted one is moved or deleted', async () => {
  const files = new Map([
    ['README.md', '# Herons\n\nA heron waits.'],
    ['src/crane wait.ts', 'export const crane = 1\n'],
    ['old/notes.md', 'Old.'],
    ['picture.png', 'x'],
    ['LICENSE', 'x'],
  ])
  const { here, asked, text, source } = repository(files)
  const id = source()
  await here.pass(120_000)
  await here.settle()
  expect(document(here.mortal.context, 'github/reeds/birds/README.md')).toMatchObject({
    text: '# Herons\n\nA heron waits.',
    url: 'https://github.com/reeds/birds/blob/main/README.md',
    metadata: { repository: 'reeds/birds', path: 'README.md' },
  })
  expect([text('src/crane wait.ts')?.trim(), (await here.object.source(id))?.items]).toEqual([
    'export const crane = 1',
    { known: 2, waiting: 0, failing: 0, gone: 0 },
  ])
  expect(here.asked.some(({ url }) => url.endsWith('/robots.txt'))).toBe(false)
  here.asked.length = 0
  await here.pass(3 * HOUR)
  expect(asked()).toEqual([])
  files.delete('README.md')
  files.set('docs/README.md', '# Herons\n\nA heron flies.')
  await here.pass(2 * HOUR)
  await here.settle()
  expect([text('README.md'), text('docs/README.md'), asked().length]).toEqual([undefined, '# Herons\n\nA heron flies.', 1])
})

it('[V692] a file whose content is not the one listed is asked for again; GitHub’s limit of requests is waited for, and no answer deletes anything', async () => {
  const files = new Map([['a.md', 'A heron waits.']])
  let stale = true
  const { here, internet, text, source } = repository(files, () => (stale ? new Response('An older heron.') : null))
  const id = source()
  await here.pass(60_000)
  const { data } = await here.object.sourceItems(id, { status: 'failing', cursor: null, limit: 5 })
  expect([data[0]?.last, text('a.md')]).toEqual(['behind', undefined])
  stale = false
  await here.pass(HOUR)
  await here.settle()
  expect(text('a.md')).toBe('A heron waits.')
  const working = internet.current
  const reset = String(here.world.clock.now / 1000 + 5 * 3600)
  internet.current = () => new Response(null, { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } })
  await here.pass(2 * HOUR)
  const limited = await here.object.source(id)
  expect([limited?.last, (limited?.due ?? 0) > here.world.clock.now + 2 * HOUR, text('a.md')]).toEqual([
    'rate_limited',
    true,
    'A heron waits.',
  ])
  internet.current = () => json({ tree: 'odd' })
  await here.object.askSource(id, { kind: 'call' })
  await here.pass(60_000)
  expect(text('a.md')).toBe('A heron waits.')
  internet.current = working
  await here.object.askSource(id, { kind: 'call' })
  await here.pass(60_000)
  expect(await here.object.source(id)).toMatchObject({ status: 'ok', failures: 0 })
})
