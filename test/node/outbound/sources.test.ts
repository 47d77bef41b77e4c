/** Sources, over months of simulated time, against a site that says what the test says. */
import { afterEach, describe, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { robots } from '../../../src/sources/robots'
import { pdf, shown } from '../http/pdf-bytes'
import { AGENT, DAY, type Internet, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const HOUR = 3_600_000
const PAGE = 'https://site.example/page'
const html = (body: string): string => `<html><head><title>A page</title><script>alert(1)</script></head><body>${body}</body></html>`

interface Site {
  body: string
  etag: string | null
  status: number
  robots: Response | null
  headers: Record<string, string>
}

function corpus(more: Internet = () => new Response(null, { status: 404 })) {
  const site: Site = { body: html('<h1>Herons</h1><p>A heron waits.</p>'), etag: '"1"', status: 200, robots: null, headers: {} }
  const internet: { current: Internet } = {
    current: (asked) => {
      const { url, headers } = asked
      if (url.endsWith('/robots.txt')) return site.robots?.clone() ?? new Response(null, { status: 404 })
      if (url !== PAGE) return more(asked)
      if (site.status !== 200) return new Response('x', { status: site.status, headers: site.headers })
      if (site.etag !== null && headers.get('if-none-match') === site.etag) return new Response(null, { status: 304 })
      const etag: Record<string, string> = site.etag === null ? {} : { etag: site.etag }
      return new Response(site.body, { headers: { 'content-type': 'text/html; charset=utf-8', ...etag, ...site.headers } })
    },
  }
  const here = place(internet)
  open.push(here)
  const pages = () => here.asked.filter(({ url }) => !url.endsWith('/robots.txt'))
  const tasks = () => here.mortal.context.sql.one<{ n: number }>('SELECT count(*) AS n FROM job')?.n ?? 0
  const shown = () => document(here.mortal.context, PAGE)
  return { here, site, internet, pages, tasks, shown }
}

describe('sources', () => {
  it('[V50] a page becomes a document, fetched again by schedule; what has not changed makes no job', async () => {
    const { here, site, pages, tasks, shown } = corpus()
    const id = here.source(PAGE, { every: HOUR })
    await here.pass(1000)
    await here.settle()
    expect(shown()).toMatchObject({ title: 'A page', text: '# Herons\n\nA heron waits.', url: PAGE, status: 'ready', content_version: 1 })
    expect([pages()[0]?.headers.get('user-agent'), pages()[0]?.headers.get('if-none-match')]).toEqual([AGENT, null])
    await here.pass(5 * HOUR) // by ETag
    expect([pages().length > 4, pages().at(-1)?.headers.get('if-none-match'), tasks()]).toEqual([true, '"1"', 1])
    site.etag = '"2"' // the same bytes under another tag
    await here.pass(2 * HOUR)
    expect([tasks(), await here.object.source(id)]).toMatchObject([1, { status: 'ok', last: 'unchanged', failures: 0 }])
    ;[site.etag, site.body] = [null, html('<p>A crane waits.</p>')]
    await here.pass(2 * HOUR)
    await here.settle()
    expect([tasks(), shown()]).toMatchObject([2, { text: 'A crane waits.', content_version: 2 }])
    site.body = html('<p>A crane waits.</p><script>new()</script>') // other bytes, the same text
    await here.pass(2 * HOUR)
    expect([tasks(), (await here.object.source(id))?.last]).toEqual([2, 'unchanged'])
    expect(pages().length).toBeLessThan(14)
  })

  it('[V50] robots.txt is fetched once for many pages and obeyed; a site whose robots.txt cannot be read is not fetched', async () => {
    const { here, site, pages } = corpus()
    site.robots = new Response('User-agent: *\nAllow: /\n\nUser-agent: loam\nDisallow: /page\n')
    const ids = [here.source(PAGE)]
    await here.pass(1000)
    here.source('https://site.example/page?2')
    await here.pass(1000)
    expect([pages(), here.asked.length]).toEqual([[], 1])
    expect(await here.object.source(ids[0] ?? '')).toMatchObject({ status: 'failing', last: 'robots', failures: 1 })
    site.robots = new Response(null, { status: 503 })
    await here.pass(DAY)
    expect([pages(), (await here.object.source(ids[0] ?? ''))?.last]).toEqual([[], 'robots_unreachable'])
    site.robots = new Response('User-agent: *\nDisallow: /private\n')
    await here.pass(2 * DAY)
    expect([pages().length > 0, (await here.object.source(ids[0] ?? ''))?.status]).toEqual([true, 'ok'])
  })

  it('[V50] what robots.txt says is remembered for ten minutes', async () => {
    const { here, site } = corpus()
    site.robots = new Response('User-agent: *\nDisallow: /private\n')
    const says = robots(AGENT)
    for (const now of [0, 599_999, 600_000]) {
      expect(await says(here.network, new URL('https://site.example/private'), AbortSignal.timeout(DAY), now)).toBe('no')
    }
    expect(here.asked.length).toBe(2)
  })

  it('[V52] failures are counted and tried again later each time; the document stays', async () => {
    const { here, site, pages, shown } = corpus()
    const id = here.source(PAGE, { every: HOUR })
    await here.pass(1000)
    await here.settle()
    site.status = 500
    await here.pass(DAY)
    const failing = await here.object.source(id)
    expect(failing).toMatchObject({ status: 'failing', last: 'http_500' })
    expect([(failing?.failures ?? 0) > 4, (failing?.failures ?? 99) < 12, pages().length < 15]).toEqual([true, true, true])
    expect(shown()).toMatchObject({ status: 'ready', text: '# Herons\n\nA heron waits.' })
    ;[site.status, site.headers] = [503, { 'retry-after': '18000' }]
    await here.object.askSource(id, { kind: 'call' })
    await here.pass(1000)
    expect(((await here.object.source(id))?.due ?? 0) - here.world.clock.now).toBeGreaterThan(4.9 * HOUR)
    ;[site.status, site.headers] = [200, {}]
    await here.pass(2 * DAY)
    expect(await here.object.source(id)).toMatchObject({ status: 'ok', failures: 0 })
  })

  it('[V52] a page that answers 404 once is fetched again; after two it is gone, and its document stays or is deleted as configured', async () => {
    for (const [onGone, stays] of [
      ['keep', true],
      ['delete', false],
    ] as const) {
      const { here, site, shown } = corpus()
      const id = here.source(PAGE, { every: HOUR, onGone })
      await here.pass(1000)
      await here.settle()
      site.status = 404
      await here.pass(HOUR)
      expect([(await here.object.source(id))?.status, shown() !== null]).toEqual(['failing', true])
      site.status = 410
      await here.pass(2 * HOUR)
      await here.settle()
      expect([(await here.object.source(id))?.status, shown() !== null]).toEqual(['gone', stays])
      site.status = 200
      await here.pass(2 * DAY)
      await here.settle()
      expect([(await here.object.source(id))?.status, shown()?.status]).toEqual(['ok', 'ready'])
    }
  })

  it('[V54] every hop of a redirect is checked like the first address; only so many are followed', async () => {
    const hops: Record<string, string> = {
      'https://site.example/a': 'https://other.example/b',
      'https://other.example/b': '/c',
      'https://other.example/c': 'https://169.254.169.254/latest/meta-data',
      'https://site.example/r': 'http://site.example/plain',
      'https://site.example/n': 'https://inner.example/',
      'https://site.example/o': '/o',
    }
    const { here, internet } = corpus()
    internet.current = ({ url }) => {
      const to = hops[url]
      return to === undefined ? new Response(null, { status: 404 }) : new Response(null, { status: 302, headers: { location: to } })
    }
    here.names.set('inner.example', ['10.1.2.3'])
    const last = async (url: string) => {
      const id = here.source(url)
      await here.pass(1000)
      return (await here.object.source(id))?.last
    }
    expect([
      await last('https://site.example/a'),
      await last('https://site.example/r'),
      await last('https://site.example/n'),
      await last('https://site.example/o'),
    ]).toEqual(['refused_private', 'refused_scheme', 'refused_private', 'redirects'])
    const urls = here.asked.map(({ url }) => url)
    expect(urls.filter((url) => /169\.254|inner\.example|^http:/.test(url))).toEqual([])
    expect(urls.filter((url) => url.endsWith('/o')).length).toBe(6)
  })

  it('[V54] what is too large, of another type or blank is not taken in, and no more of it is read than allowed', async () => {
    const { here, internet } = corpus()
    let given = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          given += 1_000_000
          controller.enqueue(new Uint8Array(1_000_000).fill(0x61))
        },
      })
    const bodies: Record<string, () => Response> = {
      large: () => new Response(endless(), { headers: { 'content-type': 'text/plain' } }),
      long: () => new Response('a '.repeat(600_000), { headers: { 'content-type': 'text/plain' } }),
      image: () => new Response('x', { headers: { 'content-type': 'image/png' } }),
      blank: () => new Response(html('<script>x</script>'), { headers: { 'content-type': 'text/html' } }),
      latin: () => new Response(new Uint8Array([0x47, 0xfc, 0x6e]), { headers: { 'content-type': 'text/plain; charset=iso-8859-1' } }),
      odd: () => new Response('x', { headers: { 'content-type': 'text/plain; charset=klingon' } }),
    }
    internet.current = ({ url }) => bodies[url.split('/').at(-1) ?? '']?.() ?? new Response(null, { status: 404 })
    const got: Record<string, string | null | undefined> = {}
    for (const name of Object.keys(bodies)) {
      const id = here.source(`https://site.example/${name}`)
      await here.pass(1000)
      got[name] = (await here.object.source(id))?.last
    }
    expect(got).toEqual({
      large: 'too_large',
      long: 'too_large',
      image: 'type',
      blank: 'blank',
      latin: 'changed',
      odd: 'charset',
    })
    expect(given).toBeLessThan(20_000_000)
    expect(document(here.mortal.context, 'https://site.example/latin')?.text).toBe('Gün')
  })

  it('[V54] a PDF is taken in with its text and title; one that cannot be read says why', async () => {
    const { here, internet } = corpus()
    const files: Record<string, Uint8Array<ArrayBuffer>> = {
      paper: pdf([shown('A heron waits.')]),
      scan: pdf(['']),
      locked: pdf([shown('x')], { trailer: '/Encrypt 9 0 R' }),
      broken: new TextEncoder().encode('GIF89a'),
    }
    internet.current = ({ url }) => {
      const file = files[url.split('/').at(-1) ?? '']
      return file ? new Response(file, { headers: { 'content-type': 'application/pdf' } }) : new Response(null, { status: 404 })
    }
    const got: Record<string, string | null | undefined> = {}
    for (const name of Object.keys(files)) {
      const id = here.source(`https://site.example/${name}`)
      await here.pass(1000)
      got[name] = (await here.object.source(id))?.last
    }
    expect(got).toEqual({ paper: 'changed', scan: 'blank', locked: 'encrypted', broken: 'unreadable' })
    expect(document(here.mortal.context, 'https://site.example/paper')).toMatchObject({ text: 'A heron waits.', title: 'Of herons' })
  })

  it('[V52] a fetch that is repeated, or whose Worker dies, takes the page in once; over budget it waits', async () => {
    const { here, site, pages, tasks } = corpus()
    const id = here.source(PAGE, { every: HOUR })
    await here.pass(1000, 20)
    await here.settle()
    expect([pages().length, tasks()]).toEqual([1, 1])
    ;[site.etag, site.body] = ['"2"', html('<p>A crane waits.</p>')]
    await here.object.askSource(id, { kind: 'call' })
    const claimed = await here.object.claimSource(id)
    expect([claimed.kind, (await here.object.claimSource(id)).kind]).toEqual(['go', 'wait']) // its worker dies now
    await here.pass(HOUR)
    await here.settle()
    expect([tasks(), pages().length]).toEqual([2, 2])
    // What the dead one would still say changes nothing.
    const late = { id: PAGE, text: 'Late.', title: '', url: null, metadata: {} }
    await here.object.closeSource(id, 2, { kind: 'fetched', document: late, etag: null, modified: null, hash: 'x' })
    expect(tasks()).toBe(2)
    const { context } = here.mortal
    here.mortal = { ...here.mortal, context: { ...context, config: { ...context.config, budget: { tokens: 1 } } } }
    ;[site.etag, site.body] = ['"3"', html('<p>A stork waits, and waits, and waits.</p>')]
    await here.pass(2 * HOUR)
    expect([tasks(), (await here.object.source(id))?.last]).toEqual([2, 'over_budget'])
  })

  it('[V52] wherever the corpus dies while it takes a page in, there is one document, one job and the next fetch', async () => {
    let died = 0
    for (let write = 1; write <= 24; write++) {
      const { here, pages, tasks, shown } = corpus()
      const id = here.source(PAGE, { every: HOUR })
      here.mortal.doom({ write })
      await here.pass(1000).catch((error) => {
        if (!here.mortal.dead()) throw error
      })
      if (here.mortal.dead()) {
        died++
        here.mortal = here.world.wake()
      }
      await here.pass(HOUR / 2)
      await here.settle()
      const { status, due } = (await here.object.source(id)) ?? {}
      expect([write, tasks(), shown()?.content_version, status, pages().length <= 2]).toEqual([write, 1, 1, 'ok', true])
      expect((due ?? 0) > here.world.clock.now).toBe(true)
    }
    expect(died).toBeGreaterThan(12)
  })

  it('[V57] removed, a source is fetched no more and its document stays; one document has one source', async () => {
    const { here, pages, shown } = corpus()
    const id = here.source(PAGE, { every: HOUR })
    await here.pass(1000)
    await here.settle()
    const again = { id: 'src_9', url: PAGE, document: PAGE, every: HOUR, onGone: 'keep' as const, metadata: {}, created: 0 }
    expect(await here.object.addSource(again)).toBe('taken')
    expect([await here.object.removeSource(id, 'keep'), await here.object.removeSource(id, 'keep')]).toEqual(['removed', null])
    await here.pass(DAY)
    expect([pages().length, shown()?.status]).toEqual([1, 'ready'])
  })
})
