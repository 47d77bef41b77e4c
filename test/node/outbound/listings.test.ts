/** Sources of many documents, over days of simulated time, against a site that says what the test says. */
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { type Asked, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const HOUR = 3_600_000
const SITE = 'https://site.example'
const MAP = `${SITE}/sitemap.xml`

interface Page {
  text: string
  etag?: string
  lastmod?: string
  status?: number
}

const urlset = (pages: Iterable<readonly [string, Page]>): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...pages]
    .map(([path, { lastmod }]) => `<url><loc>${SITE}${path}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</url>`)
    .join('')}</urlset>`

/** A site of pages, of which `files` stand before. */
function site(pages: Map<string, Page>, files: Record<string, () => Response> = {}) {
  const answer = ({ url, headers }: Asked): Response => {
    const path = url.slice(SITE.length)
    const file = files[path]
    if (file) return file()
    if (path === '/sitemap.xml') return new Response(urlset(pages), { headers: { 'content-type': 'application/xml' } })
    const page = pages.get(path)
    if (!page || page.status) return new Response(null, { status: page?.status ?? 404 })
    if (page.etag && headers.get('if-none-match') === page.etag) return new Response(null, { status: 304 })
    const etag: Record<string, string> = page.etag ? { etag: page.etag } : {}
    return new Response(`<title>${path}</title><p>${page.text}</p>`, { headers: { 'content-type': 'text/html', ...etag } })
  }
  const here = place({ current: answer })
  open.push(here)
  const asked = () => here.asked.map(({ url }) => url.slice(SITE.length)).filter((path) => path !== '/robots.txt')
  const text = (path: string) => document(here.mortal.context, path.startsWith('https:') ? path : SITE + path)?.text
  const jobs = () => here.mortal.context.sql.one<{ n: number }>('SELECT count(*) AS n FROM job')?.n ?? 0
  return { here, files, pages, asked, text, jobs }
}

const numbered = (n: number): Map<string, Page> =>
  new Map(Array.from({ length: n }, (_, i) => [`/p/${i}`, { text: `Heron number ${i} waits.`, etag: `"${i}"` }]))

describe('sitemaps', () => {
  it('[V680] every page that a sitemap lists becomes a document; a page that its site says has not changed is not asked for, another costs one conditional request', async () => {
    const { here, pages, asked, text, jobs } = site(
      new Map<string, Page>([
        ['/a', { text: 'A heron waits.', lastmod: '2026-01-01', etag: '"a"' }],
        ['/b', { text: 'A crane waits.', etag: '"b"' }],
      ]),
    )
    const id = here.source(MAP, { kind: 'sitemap', every: HOUR })
    await here.pass(60_000)
    await here.settle()
    expect([text('/a'), text('/b')]).toEqual(['A heron waits.', 'A crane waits.'])
    expect(await here.object.source(id)).toMatchObject({ status: 'ok', items: { known: 2, waiting: 0, failing: 0, gone: 0 } })
    const made = jobs()
    here.asked.length = 0
    await here.pass(HOUR)
    expect(asked()).toEqual(['/sitemap.xml', '/b'])
    expect([here.asked.at(-1)?.headers.get('if-none-match'), jobs()]).toEqual(['"b"', made])
    pages.set('/a', { text: 'A heron flies.', lastmod: '2026-02-01', etag: '"a2"' })
    await here.pass(HOUR)
    await here.settle()
    expect(text('/a')).toBe('A heron flies.')
  })

  it('[V681] an index names further sitemaps, packed or not, each read once; no more pages are taken than `max_items`, only of the site itself, and by their paths', async () => {
    const entry = (loc: string) => `<sitemap><loc>${loc}</loc></sitemap>`
    const { here, asked } = site(numbered(40), {
      '/sitemap.xml': () =>
        new Response(
          `<sitemapindex>${[`${SITE}/one.xml.gz`, `${SITE}/two.txt`, `${SITE}/sitemap.xml`, 'https://other.example/s.xml'].map(entry).join('')}</sitemapindex>`,
        ),
      '/one.xml.gz': () => new Response(gzipSync(urlset([...numbered(30)]))),
      '/two.txt': () =>
        new Response(
          [`${SITE}/p/31#top`, `${SITE}/p/32`, 'https://other.example/p/33', 'http://site.example/p/34', `${SITE}/q/1`].join('\n'),
        ),
    })
    const options = { include: ['/p/*'], exclude: ['/p/?'], maxItems: 21, content: 'linked' as const }
    const id = here.source(MAP, { kind: 'sitemap', options })
    await here.pass(600_000)
    expect((await here.object.source(id))?.items).toEqual({ known: 21, waiting: 0, failing: 0, gone: 0 })
    expect(asked().filter((path) => !path.startsWith('/p/'))).toEqual(['/sitemap.xml', '/one.xml.gz', '/two.txt'])
    const taken = (await here.object.sourceItems(id, { status: null, cursor: null, limit: 100 })).data.map(({ item }) =>
      item.slice(SITE.length),
    )
    expect([taken.length, taken.includes('/p/31'), taken.includes('/p/9'), taken.includes('/p/33')]).toEqual([21, true, false, false])
  })

  it('[V682] pages are fetched one after the other, ten a look with a second for each between; wherever the corpus dies, the next look goes on', async () => {
    const { here, asked } = site(numbered(25))
    const id = here.source(MAP, { kind: 'sitemap' })
    const begun = here.world.clock.now
    await here.pass(11_000)
    expect(asked().length).toBeLessThanOrEqual(21)
    here.mortal.doom({ write: 3 })
    await here.pass(1000).catch(() => undefined)
    if (here.mortal.dead()) here.mortal = here.world.wake()
    await here.pass(HOUR / 2)
    await here.settle()
    expect(here.world.clock.now - begun).toBeGreaterThan(25_000)
    expect((await here.object.source(id))?.items).toEqual({ known: 25, waiting: 0, failing: 0, gone: 0 })
    expect(asked().length).toBeLessThanOrEqual(1 + 25 + 10) // what was lost on the way is asked for once more
    const texts = Array.from({ length: 25 }, (_, i) => document(here.mortal.context, `${SITE}/p/${i}`)?.content_version)
    expect(texts).toEqual(Array.from({ length: 25 }, () => 1))
  })

  it('[V683] what is so often in a row not listed, or not there, is gone, and its document is deleted or stays; a listing that was not read to its end proves nothing', async () => {
    for (const onGone of ['keep', 'delete'] as const) {
      const { here, pages, files, text } = site(numbered(4))
      const id = here.source(MAP, { kind: 'sitemap', every: HOUR, onGone, goneAfter: 3 })
      await here.pass(60_000)
      await here.settle()
      const zero = pages.get('/p/0') as Page
      pages.delete('/p/0')
      pages.set('/p/1', { text: 'x', status: 410 })
      files['/sitemap.xml'] = () => new Response('<sitemapindex><sitemap><loc>https://site.example/gone.xml</loc></sitemap></sitemapindex>')
      await here.pass(5 * HOUR)
      expect([text('/p/0') !== undefined, (await here.object.source(id))?.items?.gone]).toEqual([true, 0])
      delete files['/sitemap.xml']
      await here.pass(2 * HOUR)
      const missing = await here.object.sourceItems(id, { status: 'missing', cursor: null, limit: 10 })
      expect(missing.data.map(({ document, last }) => [document, last])).toEqual([
        [`${SITE}/p/0`, 'not_listed'],
        [`${SITE}/p/1`, 'http_410'],
      ])
      await here.pass(2 * HOUR)
      await here.settle()
      const stays = onGone === 'keep'
      expect([text('/p/0') !== undefined, text('/p/1') !== undefined, text('/p/2') !== undefined]).toEqual([stays, stays, true])
      expect((await here.object.source(id))?.items).toMatchObject({ known: 4, gone: 2 })
      pages.set('/p/0', zero)
      await here.pass(2 * HOUR)
      await here.settle()
      expect([text('/p/0'), (await here.object.source(id))?.items?.gone]).toEqual(['Heron number 0 waits.', 1])
    }
  })

  it('[V684] robots.txt, faults and redirects to other sites keep single pages out and say so; what is no sitemap is said of the source', async () => {
    const { here, text } = site(numbered(4), {
      '/robots.txt': () => new Response('User-agent: *\nDisallow: /p/1\n'),
      '/p/2': () => new Response(null, { status: 302, headers: { location: 'https://other.example/' } }),
      '/p/3': () => new Response('x', { headers: { 'content-type': 'application/octet-stream' } }),
      '/odd.xml': () => new Response('<html><p>Not found</p></html>'),
      '/bomb.xml.gz': () => new Response(gzipSync(Buffer.alloc(30_000_000, 32))),
    })
    const id = here.source(MAP, { kind: 'sitemap' })
    const odd = here.source(`${SITE}/odd.xml`, { kind: 'sitemap' })
    const bomb = here.source(`${SITE}/bomb.xml.gz`, { kind: 'sitemap' })
    await here.pass(120_000)
    await here.settle()
    const { data } = await here.object.sourceItems(id, { status: 'failing', cursor: null, limit: 10 })
    expect(data.map(({ item, last }) => [item.slice(SITE.length), last])).toEqual([
      ['/p/1', 'robots'],
      ['/p/2', 'redirect_origin'],
      ['/p/3', 'type'],
    ])
    expect(text('/p/0')).toBe('Heron number 0 waits.')
    expect(await here.object.source(odd)).toMatchObject({ status: 'failing', last: 'not_a_sitemap' })
    expect(await here.object.source(bomb)).toMatchObject({ status: 'failing', last: 'too_large' })
    expect(here.asked.some(({ url }) => url.startsWith('https://other.'))).toBe(false)
  })

  it('[V685] removed with its documents, a source deletes them a hundred at a time and then itself; removed alone, they stay', async () => {
    const { here, text } = site(numbered(120))
    const id = here.source(MAP, { kind: 'sitemap' })
    await here.pass(HOUR)
    await here.settle()
    expect(text('/p/119')).toBe('Heron number 119 waits.')
    expect(await here.object.removeSource(id, 'delete')).toBe('removing')
    expect((await here.object.source(id))?.status).toBe('removing')
    await here.pass(60_000)
    await here.settle()
    expect([await here.object.source(id), text('/p/0'), text('/p/119')]).toEqual([null, undefined, undefined])
    const again = here.source(MAP, { kind: 'sitemap', options: { include: [], exclude: [], maxItems: 1, content: 'linked' } })
    await here.pass(60_000)
    await here.settle()
    expect(await here.object.removeSource(again, 'keep')).toBe('removed')
    await here.pass(60_000)
    expect([text('/p/0'), here.mortal.context.sql.one<{ n: number }>('SELECT count(*) AS n FROM source_item')?.n]).toEqual([
      'Heron number 0 waits.',
      0,
    ])
  })

  it('[V686] a page that is another source’s is left to it; over budget nothing is lost', async () => {
    const { here, text } = site(numbered(2))
    here.source(`${SITE}/p/0`)
    await here.pass(1000)
    const id = here.source(MAP, { kind: 'sitemap', every: HOUR })
    const { context } = here.mortal
    here.mortal = { ...here.mortal, context: { ...context, config: { ...context.config, budget: { tokens: 1 } } } }
    await here.pass(60_000)
    expect(await here.object.source(id)).toMatchObject({ status: 'failing', last: 'over_budget', items: { known: 1 } })
    here.mortal = { ...here.mortal, context }
    await here.pass(HOUR)
    await here.settle()
    expect([text('/p/1'), (await here.object.source(id))?.status]).toEqual(['Heron number 1 waits.', 'ok'])
  })
})

describe('feeds', () => {
  const rss = (items: string) =>
    `<?xml version="1.0"?><rss version="2.0" xmlns:content="x" xmlns:media="y"><channel><title>Reeds</title><link>${SITE}</link>${items}</channel></rss>`
  const item = (path: string, body: string) =>
    `<item><guid isPermaLink="false">g${path}</guid><title>On ${path}</title><link>${SITE}${path}</link><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate><media:title>no</media:title>${body}</item>`

  it('[V687] an item’s page becomes a document with the feed’s date and, where it has none, its title; an item that has not changed is not asked for again', async () => {
    let items = item('/p/0', '<description>Short.</description>')
    const { here, asked, text } = site(numbered(3), { '/feed': () => new Response(rss(items)) })
    const id = here.source(`${SITE}/feed`, { kind: 'feed', every: HOUR })
    await here.pass(60_000)
    await here.settle()
    const shown = document(here.mortal.context, `${SITE}/p/0`)
    expect(shown).toMatchObject({ text: 'Heron number 0 waits.', title: '/p/0', url: `${SITE}/p/0` })
    expect(shown?.dates?.published_at).toEqual({ value: '2026-11-01', source: 'feed' })
    here.asked.length = 0
    items = item('/p/1', '') // feeds name what is new: what they name no more stays
    await here.pass(4 * HOUR)
    await here.settle()
    expect(asked().filter((path) => path !== '/feed')).toEqual(['/p/1'])
    expect([text('/p/0'), text('/p/1'), (await here.object.source(id))?.items?.gone]).toEqual([
      'Heron number 0 waits.',
      'Heron number 1 waits.',
      0,
    ])
  })

  it('[V688] with `content: feed`, and for items that link elsewhere, what the feed holds is the document: RSS and Atom, HTML and plain; a changed item is a new version', async () => {
    const files: Record<string, () => Response> = {
      '/feed': () =>
        new Response(
          rss(
            item(
              '/p/0',
              '<description>Short.</description><content:encoded><![CDATA[<h1>Long</h1><p>A <b>heron</b> waits.</p><script>x</script>]]></content:encoded>',
            ) + '<item><guid>urn:1</guid><title>Bare</title><description>No link &amp;amp; no page.</description></item>',
          ),
        ),
      '/atom': () =>
        new Response(
          `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>
          <entry><id>urn:a</id><title type="html">An &lt;entry&gt;</title><link rel="self" href="/no"/><link href="https://elsewhere.example/a"/><published>2026-10-05T08:00:00Z</published>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>A crane <i>flies</i>.</p></div></content></entry>
          <entry><id>urn:b</id><title>B</title><summary>Plain text.</summary></entry></feed>`,
        ),
    }
    const { here, asked, text, jobs } = site(new Map(), files)
    here.source(`${SITE}/feed`, { kind: 'feed', every: HOUR, options: { include: [], exclude: [], maxItems: 50, content: 'feed' } })
    here.source(`${SITE}/atom`, { kind: 'feed', every: HOUR })
    await here.pass(60_000)
    await here.settle()
    expect([text('/p/0'), text('/../x')]).toEqual(['# Long\n\nA heron waits.', undefined])
    expect([document(here.mortal.context, 'urn:1')?.text, document(here.mortal.context, 'urn:b')?.text]).toEqual([
      'No link & no page.',
      'Plain text.',
    ])
    expect(document(here.mortal.context, 'https://elsewhere.example/a')).toMatchObject({
      text: 'A crane flies.',
      title: 'An <entry>',
      url: 'https://elsewhere.example/a',
      dates: { published_at: { value: '2026-10-05T08:00:00Z', source: 'feed' } },
    })
    const made = jobs()
    await here.pass(3 * HOUR)
    expect([jobs(), asked().filter((path) => path !== '/feed' && path !== '/atom')]).toEqual([made, []])
    files['/feed'] = () => new Response(rss(item('/p/0', '<description>It has flown.</description>')))
    await here.pass(2 * HOUR)
    await here.settle()
    expect(text('/p/0')).toBe('It has flown.')
    files['/feed'] = () => new Response('<html></html>')
    await here.pass(2 * HOUR)
    expect((await here.object.sources(null, 10, 'all')).data.map(({ last }) => last)).toContain('not_a_feed')
  })
})
