/** Bodies made to cost more than they weigh: what each parser does with them, before and behind the key. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { parseImport } from '../../../src/http/doors/import-lines'
import { Problem } from '../../../src/http/problem'
import type { Network } from '../../../src/outbound/reach'
import { readHtml } from '../../../src/reading/html'
import { robots } from '../../../src/sources/robots'
import { fakeNetwork } from '../http/outbound'
import { ADMIN, type FakeWorld, fakeWorld } from '../http/world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const MIB = 1024 * 1024
const SOON = 10_000 // ms: what was quadratic took minutes

let world: FakeWorld
let app: ReturnType<typeof createApp>

beforeEach(async () => {
  world = fakeWorld()
  app = createApp(() => world.wired)
  await send('PUT', '/v1/corpora/open', '{"public":true}', { key: ADMIN })
})

async function send(method: string, path: string, body?: string, { key, ...more }: { readonly [name: string]: string } = {}) {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more })
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  const sent = body === undefined ? {} : { body }
  return app.fetch(new Request(`https://loam.test${path}`, { method, headers, ...sent }), {}, context)
}

/** What an import comes to, in as few words as can be compared. */
function imported(lines: string): unknown {
  try {
    const { documents } = parseImport(new TextEncoder().encode(lines))
    return documents.reduce((sum, { text = '' }) => sum + text.length, 0)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.code, error.more.errors?.length ?? 0]
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

describe('an import', () => {
  it('[H33] chunks that stand far apart, or are named again and again, are joined up to a bound', { timeout: SOON }, () => {
    const chunk = line({ type: 'chunk', id: 'c', text: 'a' })
    const far = (id: number) => line({ type: 'document', id: `d${id}`, chunks: [{ chunk: 'c', start: MIB - 1 }] })
    expect(imported(chunk + far(0))).toBe(MIB)
    expect(imported(chunk + Array.from({ length: 1200 }, (_, i) => far(i)).join(''))).toEqual(['too_large', 1])
    expect(imported(chunk + line({ type: 'document', id: 'd', chunks: [{ chunk: 'c', start: 2 ** 40 }] }))).toEqual(['too_large', 1])
    const long = line({ type: 'chunk', id: 'c', text: 'a'.repeat(1000) })
    const again = { type: 'document', id: 'd', chunks: Array.from({ length: 20_000 }, (_, i) => ({ chunk: 'c', start: i * 1000 })) }
    expect(imported(long + line(again))).toEqual(['too_large', 1])
  })

  it('[H33] lines without content are counted, refused, or ignored at no cost', { timeout: SOON }, () => {
    expect(imported('[]\n'.repeat(5 * MIB))).toEqual(['invalid', 100])
    expect(imported('\n'.repeat(16 * MIB))).toEqual(['too_large', 0])
    expect(imported('{"type":"node"}\n'.repeat(MIB))).toEqual(['too_large', 0])
    expect(imported(`${'[{"type":'.repeat(100_000)}\n`)).toEqual(['invalid', 1])
    expect(imported(`{"type":"document","id":"a","text":"t","metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}\n`)).toEqual([
      'invalid',
      1,
    ])
    expect(imported('{"type":"documnt","id":"a","text":"t"}\n')).toEqual(['invalid', 1])
    expect(imported(`\n\n${line({ type: 'document', id: 'a', text: 'too_long' })}\n`)).toBe(8)
  })
})

describe('a batch', () => {
  it('[H33] of more text than enters at once is refused before anything is kept, and the answer names `:import`', async () => {
    const batch = async (length: number, more: { readonly [name: string]: string } = {}) => {
      const upserts = Array.from({ length: 5 }, (_, i) => ({ id: `d${i}`, text: 'é'.repeat(length) }))
      const response = await send('POST', '/v1/corpora/open/documents:batch', JSON.stringify({ upserts }), { key: ADMIN, ...more })
      return [response.status, ((await response.json()) as { detail?: string }).detail?.includes('`:import`')]
    }
    expect(await batch(400_000)).toEqual([202, undefined])
    expect(await batch(450_000)).toEqual([413, true])
    expect(await batch(1, { 'content-length': String(9 * MIB) })).toEqual([413, true])
  })
})

describe('a page', () => {
  it('[H86] stray end tags, endless tags, attributes, entities and white space are read in bounded time, or refused', {
    timeout: 3 * SOON,
  }, () => {
    const pages = {
      stray: '</p>'.repeat(4 * MIB),
      deep: '<b>'.repeat(1999) + '</i>'.repeat(499_000),
      deeper: '<b>'.repeat(2001),
      opened: '<'.repeat(16 * MIB),
      attributes: `<a ${'x=1 '.repeat(4 * MIB)}>`,
      comments: '<!--'.repeat(4 * MIB),
      title: `<title>${'a '.repeat(8 * MIB)}`,
      words: ' a'.repeat(8 * MIB),
      entities: '&amp;'.repeat(3 * MIB),
    }
    const read = Object.entries(pages).map(([name, html]) => {
      const page = readHtml(html)
      return [name, page === null ? 'refused' : page.text.length > 2 * MIB || page.title.length > 1000 ? 'unbounded' : 'read']
    })
    expect(Object.fromEntries(read)).toEqual({
      stray: 'refused',
      deep: 'read',
      deeper: 'refused',
      opened: 'read',
      attributes: 'read',
      comments: 'read',
      title: 'read',
      words: 'read',
      entities: 'read',
    })
  })

  it('[H86] a text longer than a document may be is too large, not cut', async () => {
    const response = await send('PUT', '/v1/corpora/open/documents/a', ' a'.repeat(2 * MIB), { key: ADMIN, 'content-type': 'text/html' })
    expect(response.status).toBe(413)
  })

  it('[H86] a robots.txt of wildcards counts as one that cannot be read', { timeout: SOON }, async () => {
    const says = async (text: string) => {
      const network: Network = { ...fakeNetwork, fetch: async () => new Response(text) }
      return robots('Loam')(network, new URL(`https://example.org/${'a'.repeat(2000)}`), AbortSignal.timeout(SOON), 0)
    }
    expect(await says('User-agent: *\nDisallow: /*b*c$\n'.repeat(100))).toBe('yes')
    expect(await says(`User-agent: *\n${`Disallow: /${'*a'.repeat(500)}b$\n`.repeat(500)}`)).toBe('unknown')
  })
})

describe('before the key', () => {
  it('[H14] an estimate needs one, in a public corpus too, and reads 4 MiB of text at most', { timeout: SOON }, async () => {
    const ask = async (count: number, key?: string) => {
      const documents = Array.from({ length: count }, () => ({ text: `a${' '.repeat(MIB - 1)}` }))
      return (await send('POST', '/v1/corpora/open/estimate', JSON.stringify({ documents }), key === undefined ? {} : { key })).status
    }
    expect([await ask(1), await ask(5, ADMIN), await ask(1, ADMIN)]).toEqual([401, 413, 200])
  })

  it('[H14] a chat without a key is bounded in size, and in number a minute', async () => {
    const chat = (length: number, key?: string) => {
      const body = JSON.stringify({ model: 'open', messages: [{ role: 'user', content: 'q' }], user: 'x'.repeat(length) })
      return send('POST', '/v1/chat/completions', body, key === undefined ? {} : { key })
    }
    expect([(await chat(1)).status, (await chat(300_000)).status, (await chat(300_000, ADMIN)).status]).toEqual([200, 413, 200])
    Object.assign(world.wired, { limit: async () => false })
    const often = await send('POST', '/v1/chat/completions', '{')
    expect([often.status, often.headers.get('retry-after')]).toEqual([429, '60'])
  })

  it('[H14] an event for a webhook that does not exist is not read', async () => {
    let pulled = 0
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(64 * 1024))
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request('https://loam.test/v1/hooks/wh_none', { method: 'POST', body, duplex: 'half' } as RequestInit)
    expect((await app.fetch(request, {}, context)).status).toBe(404)
    expect(pulled).toBe(0)
  })
})

describe('answers', () => {
  it('[H35] carry nosniff, and no-store unless they may be cached', async () => {
    for (const path of ['/v1/corpora', '/v1/corpora/open', '/v1/corpora/none', '/openapi.json', '/docs', '/healthz', '/nowhere']) {
      const { headers } = await send('GET', path, undefined, { key: ADMIN })
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      const cached = path === '/openapi.json'
      expect([path, headers.get('cache-control') === 'no-store']).toEqual([path, !cached])
    }
  })

  it('[H35] a full disk is 507, in an object and in a database', async () => {
    const failing = async (message: string) => {
      world.wired.corpus(world.corpora.get('open')?.uid ?? '').documents = () => Promise.reject(new Error(message))
      const response = await send('GET', '/v1/corpora/open/documents', undefined, { key: ADMIN })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await failing('database or disk is full: SQLITE_FULL')).toEqual([507, 'storage_full'])
    expect(await failing('D1_ERROR: database or disk is full: SQLITE_FULL')).toEqual([507, 'database_full'])
  })

  it('[H34] `If-None-Match` is part of what a repeat must repeat', async () => {
    const put = async (more: { readonly [name: string]: string }) =>
      (await send('PUT', '/v1/corpora/open/documents/a', '{"text":"t"}', { key: ADMIN, 'idempotency-key': 'k', ...more })).status
    expect([await put({}), await put({}), await put({ 'if-none-match': '*' })]).toEqual([202, 202, 409])
  })
})

describe('the Model Context Protocol', () => {
  const tool = async (name: string, args: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const text = await (await send('POST', '/mcp', body, { key: ADMIN })).text()
    const { result } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}')
    return result
  }

  it('[D32] `list_corpora` goes on where a page ends', async () => {
    for (let i = 0; i < 44; i++) await send('PUT', `/v1/corpora/c${String(i).padStart(3, '0')}`, '{}', { key: ADMIN })
    const names: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { structuredContent } = await tool('list_corpora', cursor === undefined ? {} : { cursor })
      names.push(...structuredContent.corpora.map(({ corpus }: { corpus: string }) => corpus))
      cursor = structuredContent.next_cursor
    }
    expect([names.length, new Set(names).size, names.at(-1)]).toEqual([45, 45, 'open'])
  })

  it('[D1923] a name with half a character in it is the name of nothing', async () => {
    const asked = [
      await tool('ask', { question: 'q', corpus: 'a\ud800' }),
      await tool('get_document', { document: 'a\ud800', corpus: 'open' }),
    ]
    expect(asked.map(({ isError, content }) => [isError, content[0].text.split(':')[0]])).toEqual([
      [true, 'corpus_not_found'],
      [true, 'document_not_found'],
    ])
  })
})
