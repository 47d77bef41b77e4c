/** The command as a whole, against a service that says what the test wants. */

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatLocation } from '../../../src/client/location'
import { pdf } from './files'
import { loam } from './loam'
import { type Service, service } from './service'

let it1: Service
let cwd: string

beforeEach(async () => {
  it1 = await service()
  cwd = mkdtempSync(join(tmpdir(), 'loam-cli-'))
})
afterEach(async () => {
  await it1.stop()
  rmSync(cwd, { recursive: true, force: true })
})

const env = () => ({ LOAM_URL: it1.url, LOAM_KEY: 'k' })
const evidence = [
  { kind: 'passage', score: 0.5, document: 'a\tb', start: 0, end: 9, text: 'one\n\u001b[31mtwo\u0007' },
  { kind: 'summary', score: 0.25, document: null, start: null, end: null, text: 'all' },
]
const found = { strategy: 'auto', evidence, version: 3 }

describe('settings', () => {
  it('[N1] the command line counts before the environment, and that before what init remembered', async () => {
    const config = { XDG_CONFIG_HOME: join(cwd, 'config') }
    await loam(['init', 'one', '--url', it1.url, '--key', 'remembered'], { cwd, env: config })
    expect(statSync(join(cwd, 'config/loam/config.json')).mode & 0o777).toBe(0o600)
    it1.asked.length = 0
    for (const body of [found, found, found]) it1.next('/v1/corpora/one/search', { body })
    await loam(['search', 'x'], { cwd, env: config })
    await loam(['search', 'x'], { cwd, env: { ...config, LOAM_KEY: 'environment' } })
    await loam(['search', 'x', '--key', 'said'], { cwd, env: { ...config, LOAM_KEY: 'environment' } })
    expect(it1.asked.map(({ key }) => key)).toEqual(['remembered', 'environment', 'said'])
  })

  it('[N1] a remembered key goes to the remembered address only', async () => {
    const config = { XDG_CONFIG_HOME: join(cwd, 'config') }
    await loam(['init', 'one', '--url', it1.url, '--key', 'remembered'], { cwd, env: config })
    const other = await service()
    other.next('/v1/corpora/one/search', { body: found })
    await loam(['search', 'x', '--url', other.url], { cwd, env: config })
    expect(other.asked.map(({ key }) => key)).toEqual(['local-development-key']) // it is on this machine
    await other.stop()
  })

  it('[N1] without a corpus named, the only one there is is meant; where there are several, they are named', async () => {
    it1.next('/v1/corpora/one/search', { body: found })
    expect((await loam(['search', 'x'], { cwd, env: env() })).code).toBe(0)
    it1.next('/v1/corpora', { body: { data: [{ corpus: 'one' }, { corpus: 'two' }], next_cursor: null } })
    const { code, said } = await loam(['search', 'x'], { cwd, env: env() })
    expect([code, said]).toEqual([2, 'loam: which corpus? --corpus one | two\n'])
  })
})

describe('keys', () => {
  it('[N1395] are made under the word that says what they are for, or under --name; for one corpus with -c as in other commands', async () => {
    const made = { id: 'k2', key: 'loam_secret', name: 'website', scopes: ['read'], corpora: ['one'], expires_at: null }
    it1.next('/v1/keys', ...[made, made, made].map((body) => ({ status: 201, body })))
    expect((await loam(['keys', 'create', 'website', '--corpora', 'one'], { cwd, env: env() })).out).toBe('loam_secret\n')
    await loam(['keys', 'create', '--name', 'ana', '--corpora', 'one'], { cwd, env: env() })
    await loam(['keys', 'create', 'bob', '-c', 'one'], { cwd, env: env() })
    const corpora = ['one']
    expect(it1.asked.slice(-3).map(({ body }) => body)).toMatchObject(['website', 'ana', 'bob'].map((name) => ({ name, corpora })))
    const { code, said } = await loam(['keys', 'create'], { cwd, env: env() })
    expect([code, said]).toEqual([2, expect.stringContaining('loam keys create <name>')])
  })

  it('[H170] [H171] are given limits of a day, which are lifted where none is named; what is used is shown, once a key', async () => {
    const day = { id: 'k1', day: '2026-11-22', limits: { tokens_a_day: 5000, requests_a_day: 9 }, requests: 3, tokens: 41, usd: 0.0005 }
    it1.next('/v1/keys/k1', { body: {} }, { body: {} })
    it1.next('/v1/usage', { body: { key: day, data: [], next_cursor: null } }, { body: { key: day, data: [day], next_cursor: null } })
    const set = await loam(['keys', 'limit', 'k1', '--tokens', '5000', '--requests', '9'], { cwd, env: env() })
    expect([set.code, set.out]).toEqual([0, 'k1\t5000 tokens, 9 requests a day\n'])
    expect((await loam(['keys', 'limit', 'k1'], { cwd, env: env() })).code).toBe(0)
    expect((await loam(['keys', 'limit', 'k1', '--usd', 'much'], { cwd, env: env() })).code).toBe(2)
    const used = await loam(['keys', 'usage'], { cwd, env: env() })
    expect([used.code, used.out]).toEqual([0, 'k1\t2026-11-22\t3\t41\t0.000500\t5000 tokens, 9 requests a day\n'])
    const patched = it1.asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
    expect(patched).toEqual([{ limits: { tokens_a_day: 5000, requests_a_day: 9 } }, { limits: null }])
  })
})

describe('the master key', () => {
  it('[V211] how far secrets are sealed under a new one', async () => {
    const said = { key: 'mZ0x3kQf', older_keys: 1, status: 'resealing', resealed: 41, unreadable: 0, left: { webhooks: 0, corpora: 12 } }
    it1.next('/v1/master-key', { body: said })
    const { code, out } = await loam(['keys', 'master'], { cwd, env: env() })
    expect([code, out]).toEqual([0, 'mZ0x3kQf\tresealing\t1\t41\t0\n'])
  })
})

describe('deleting a corpus', () => {
  it('[N160] names the corpus, asks first, and says until when it can be undeleted; undelete puts it back', async () => {
    const deleted = { job: 'j_1', gone_at: '2030-01-01T00:00:00.000Z' }
    it1.next('/v1/corpora/one', { body: { corpus: 'one', undelete_seconds: 60, counts: { documents: 3 } } })
    it1.next('/v1/corpora/one', { body: deleted })
    const done = await loam(['delete', 'one', '--yes'], { cwd, env: env() })
    expect([done.code, done.out]).toEqual([0, `one\tj_1\t${deleted.gone_at}\n`])
    it1.next('/v1/corpora/one', { body: { corpus: 'one', undelete_seconds: 60 } })
    const unasked = await loam(['delete', 'one'], { cwd, env: env() })
    expect([unasked.code, unasked.said]).toEqual([2, 'loam: there is no terminal to confirm at; --yes skips the question\n'])
    expect((await loam(['delete'], { cwd, env: { ...env(), LOAM_CORPUS: 'one' } })).code).toBe(2)
    it1.next('/v1/corpora/one:undelete', { body: { corpus: 'one', status: 'undeleted' } })
    expect((await loam(['undelete', 'one'], { cwd, env: env() })).out).toBe('one\tundeleted\n')
    expect(it1.asked.map(({ method, path }) => `${method} ${path}`)).toContain('DELETE /v1/corpora/one')
  })
})

describe('what is printed', () => {
  it('[N2] plain output is a thing a line, its fields between tabs', async () => {
    it1.next('/v1/corpora/one/search', { body: found })
    const { out } = await loam(['search', 'x', '-c', 'one'], { cwd, env: env() })
    expect(out).toBe('0.5\ta b\t0\t9\tone [31mtwo\t\n0.25\t\t\t\tall\t\n')
  })

  it('[N2] [N964] --json is the answer of the service, which is sent every option', async () => {
    it1.next('/v1/corpora/one/search', { body: found })
    const { out } = await loam(['search', 'who', 'is it', '-c', 'one', '--json', '-k', '3', '--filter', 'year=1946'], { cwd, env: env() })
    expect(JSON.parse(out)).toEqual(found)
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'who is it', top_k: 3, filters: { metadata: { year: ['1946', 1946] } } })
    it1.next('/v1/corpora/one/search', { body: { evidence: [] } })
    const conditions = ['year>=1946', 'year<2000', 'status!=draft', 'place=a', 'place=b=c']
    await loam(['search', 'who', '-c', 'one', ...conditions.flatMap((one) => ['--filter', one])], { cwd, env: env() })
    const metadata = { year: { gte: 1946, lt: 2000 }, status: { not: ['draft'] }, place: ['a', 'b=c'] }
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'who', filters: { metadata } })
    it1.next('/v1/corpora/one/search', { body: { evidence: [] } })
    await loam(['search', 'who', '-c', 'one', '--as-of', '2024-05', '--since', '2020', '--until', '2024', '--freshness', '0.5'], {
      cwd,
      env: env(),
    })
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'who', as_of: '2024-05', since: '2020', until: '2024', freshness: 0.5 })
    it1.next('/v1/corpora/one/search', { body: { evidence: [] } })
    await loam(['search', 'who', '-c', 'one', '--boost', 'lang=en:2', '--facet', 'lang', '--facet', 'year'], { cwd, env: env() })
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'who', boosts: [{ metadata: { lang: ['en'] }, factor: 2 }], facets: ['lang', 'year'] })
    for (const command of ['ask', 'search']) {
      it1.next(`/v1/corpora/one/${command === 'ask' ? 'query' : 'search'}`, { body: { evidence: [], answer: '', citations: [] } })
      await loam([command, 'who', '-c', 'one', '--expand', 'hyde'], { cwd, env: env() })
      expect(it1.asked.at(-1)?.body).toEqual({ query: 'who', options: { expand: 'hyde' } })
    }
    for (const bad of [
      ['--expand', 'rewrite'],
      ['--boost', 'lang=en'],
      ['--as-of', 'today'],
      ['--since', '5/2024'],
      ['--freshness', '2'],
    ])
      expect((await loam(['search', 'who', '-c', 'one', ...bad], { cwd, env: env() })).code).toBe(2)
  })

  it('[N2] texts of documents cannot steer the terminal', async () => {
    const answer = {
      answer: 'It is \u001b]0;owned\u0007red.',
      citations: [{ marker: 1, document: 'a', start: 0, end: 3, quote: '\u001b[2Jred' }],
    }
    it1.next('/v1/corpora/one/query', { body: answer })
    const { out } = await loam(['ask', 'x', '-c', 'one'], { cwd, env: env() })
    expect(out).toBe('It is ]0;ownedred.\n\n1\ta\t0\t3\t[2Jred\t\t\n')
  })

  it('[D580] page, section, cells and line of what was found are said in words', async () => {
    const place = { section: ['Herons', 'Food\tand drink'], page: 7, seconds: 3723 }
    const citation = { marker: 1, document: 'a', start: 0, end: 3, quote: 'red', ...place, link: 'https://example.com/a.pdf#page=7' }
    it1.next('/v1/corpora/one/query', { body: { answer: 'Red.', citations: [citation] } })
    const { out } = await loam(['ask', 'x', '-c', 'one'], { cwd, env: env() })
    expect(out).toBe('Red.\n\n1\ta\t0\t3\tred\tpage 7 · Herons › Food and drink · 1:02:03\t\n')
    it1.next('/v1/corpora/one/search', {
      body: { evidence: [{ kind: 'passage', score: 1, document: 'a', start: 0, end: 3, text: 'red', cells: 'A2:D9', line: 4, slide: 3 }] },
    })
    const searched = await loam(['search', 'x', '-c', 'one'], { cwd, env: env() })
    expect(searched.out).toBe('1\ta\t0\t3\tred\tslide 3 · A2:D9 · line 4\n')
    expect([{}, { cells: '12' }, { seconds: 83.5 }].map(formatLocation)).toEqual(['', 'cell 12', '1:23'])
    expect(formatLocation({ page: 2, described: true })).toBe('page 2 · a scan, read by a model')
  })

  it('[J666] a filter is saved, called by its name, listed and removed', async () => {
    const saved = { filter: 'manuals', metadata: { kind: ['manual'], lang: 'en' }, document: ['a'], changed: '2026-11-01T00:00:00.000Z' }
    it1.next('/v1/corpora/one/filters/manuals', { body: saved }, { body: { status: 'deleted' } })
    const put = await loam(['filters', 'put', 'manuals', '-c', 'one', '--filter', 'kind=manual', '--document', 'a'], { cwd, env: env() })
    expect(it1.asked.at(-1)?.body).toEqual({ metadata: { kind: ['manual'] }, document: ['a'] })
    expect(put.out).toBe('manuals\tkind = manual, lang = en\ta\t\n')
    it1.next('/v1/corpora/one/filters', { body: { data: [saved] } })
    expect((await loam(['filters', '-c', 'one'], { cwd, env: env() })).out).toBe('manuals\tkind = manual, lang = en\ta\t\n')
    it1.next('/v1/corpora/one/search', { body: { evidence: [] } })
    await loam(['search', 'x', '-c', 'one', '--saved', 'manuals', '--filter', 'lang=en'], { cwd, env: env() })
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'x', filters: { metadata: { lang: ['en'] }, saved: ['manuals'] } })
    const removed = await loam(['filters', 'remove', 'manuals', '-c', 'one'], { cwd, env: env() })
    expect([it1.asked.at(-1)?.method, removed.out]).toEqual(['DELETE', 'manuals\tremoved\n'])
    expect((await loam(['filters', 'put', 'x', '-c', 'one'], { cwd, env: env() })).code).toBe(2)
  })

  it('[J665] several corpora, parted by commas, are asked as one; documents and skipped corpora are named with them', async () => {
    const piece = { kind: 'passage', score: 1, corpus: 'two', document: 'a', start: 0, end: 3, text: 'red' }
    it1.next('/v1/search', { body: { evidence: [piece], skipped: [{ corpus: 'one', code: 'unavailable' }] } })
    const searched = await loam(['search', 'x', '-c', 'one, two'], { cwd, env: env() })
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'x', corpora: ['one', 'two'] })
    expect(searched.out).toBe('1\ttwo/a\t0\t3\tred\t\n')
    const citation = { marker: 1, corpus: 'two', document: 'a', start: 0, end: 3, quote: 'red' }
    it1.next('/v1/query', { body: { answer: 'Red.', citations: [citation], skipped: [] } })
    const { out } = await loam(['ask', 'x', '-c', 'one,two'], { cwd, env: env() })
    expect(out).toBe('Red.\n\n1\ttwo/a\t0\t3\tred\t\t\n')
    const refused = await loam(['ask', 'x', '-c', 'one,two', '--min-version', '3'], { cwd, env: env() })
    expect([refused.code, refused.said]).toEqual([2, expect.stringContaining('--min-version works with one corpus')])
  })

  it('[N2] with --json a failure is JSON on the last line of standard error', async () => {
    it1.next('/v1/corpora/one/search', { status: 401, body: { code: 'unauthorized', detail: 'Send a valid key.' } })
    const failed = await loam(['search', 'x', '-c', 'one', '--json'], { cwd, env: env() })
    expect(JSON.parse(failed.said)).toMatchObject({ error: { code: 'unauthorized', status: 401, exit: 1 } })
    const misused = await loam(['export', 'one', 'two', '--json'], { cwd })
    expect([misused.code, JSON.parse(misused.said).error.code]).toEqual([2, 'misused'])
  })

  it('[N2] every command says what it takes, with examples; a file that is not there is no defect of ours', async () => {
    const { out } = await loam(['--help'])
    const names = [...out.matchAll(/^ {2}loam (\w+)/gm)].map(([, name = '']) => name)
    const helps = await Promise.all(names.map((name) => loam([name, '--help'])))
    expect(names).toEqual(
      expect.arrayContaining('init start deploy ingest ask search classify export import verify status keys'.split(' ')),
    )
    expect(helps.filter(({ code, out: help }, at) => code !== 0 || !new RegExp(`\n {2}.*loam ${names[at]}`).test(help))).toEqual([])
    const { code, said } = await loam(['classify', '-f', 'nowhere', '-c', 'one'], { cwd, env: env() })
    expect([code, said.startsWith('loam: ENOENT'), said.includes(' at ')]).toEqual([1, true, false])
  })

  it('[N2] a misused command exits with 2, a failed one with 1, each with a line that says how', async () => {
    const runs = await Promise.all(
      [
        ['serach'],
        ['search'],
        ['search', 'x', '--nope'],
        ['search', 'x', '-k', 'many'],
        ['deploy'],
        ['ingest', 'nowhere'],
        ['dev', 'now'],
        ['ingest', '.', '--wait', 'long'],
      ].map((args) => loam(args, { cwd })),
    )
    expect(runs.map(({ code }) => code)).toEqual(Array(8).fill(2))
    it1.next('/v1/corpora/one/search', { status: 401, body: { code: 'unauthorized', detail: 'Send a valid key.' } })
    const failed = await loam(['search', 'x', '-c', 'one'], { cwd, env: env() })
    expect([failed.code, failed.said.split('\n')[0]]).toEqual([1, 'loam: Send a valid key. (unauthorized)'])
    expect([...runs, failed].filter(({ said }) => /\n\s+at /.test(said) || !said.includes('loam: '))).toEqual([])
  })
})

describe('taking in', () => {
  const write = (files: { readonly [name: string]: string }): void => {
    mkdirSync(join(cwd, 'docs'), { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, 'docs', name), text)
  }
  const two = { 'a.md': '# A\n\nA heron.', 'b.txt': 'An owl.' }

  it('[N30] where nobody can be asked whether to spend, nothing is sent; strategies together embed once', async () => {
    write(two)
    it1.usd = 1
    const { code, said } = await loam(['ingest', 'docs', '-c', 'one'], { cwd, env: env() })
    expect([code, said.includes('$6.00 ($3.00 to $12.00)'), it1.documents.size]).toEqual([2, true, 0])
    const agreed = await loam(['ingest', 'docs', '-c', 'one', '--yes', '--json'], { cwd, env: env() })
    expect([agreed.code, JSON.parse(agreed.out)]).toMatchObject([0, { documents: 2, accepted: 2, indexed: 2, unchanged: 0 }])
  })

  it('[N22] of an id that comes more than once the last document stays, and it is said', async () => {
    write({ 'x.jsonl': [1, 2, 3, 4].map((n) => `{"id":"a","text":"Heron ${n}."}`).join('\n') })
    const { said } = await loam(['ingest', 'docs/x.jsonl', '-c', 'one'], { cwd, env: env() })
    expect([said.includes('3 ids come more than once'), [...it1.documents]]).toEqual([true, [['a', 'Heron 4.']]])
    const sent = it1.asked
      .filter(({ path }) => path.endsWith(':batch'))
      .map(({ body }) => (body as { upserts: { text: string }[] }).upserts[0]?.text)
    expect(sent).toEqual(['Heron 1.', 'Heron 2.', 'Heron 3.', 'Heron 4.'])
  })

  it('[N30] --estimate says what the new ones would cost, and sends nothing', async () => {
    write(two)
    it1.usd = 1
    const { code, out } = await loam(['ingest', 'docs', '-c', 'one', '--estimate'], { cwd, env: env() })
    expect([code, out, it1.documents.size]).toEqual([0, 'estimate\t2\t0\t100\t6\t3\t12\n', 0])
  })

  it('[N32] the same command again sends nothing twice', async () => {
    write(two)
    const first = await loam(['ingest', 'docs', '-c', 'one'], { cwd, env: env() })
    write({ 'b.txt': 'An owl in the night.' })
    const second = await loam(['ingest', 'docs/*', '-c', 'one'], { cwd, env: env() })
    expect([first.out, second.out]).toEqual(['documents\t2\t2\t0\t0\t0\n', 'documents\t2\t1\t1\t0\t0\n'])
    expect(it1.documents).toEqual(
      new Map([
        ['docs/a.md', '# A\n\nA heron.'],
        ['docs/b.txt', 'An owl in the night.'],
      ]),
    )
  })

  it('[N32] a document the service refuses is named, and the others of its batch are taken in', async () => {
    write({ ...two, 'c.txt': 'A crow.', 'd.txt': 'A duck.', 'e.bin': '?' })
    it1.refuses = 'docs/c.txt'
    const { code, out } = await loam(['ingest', 'docs', '-c', 'one', '--json'], { cwd, env: env() })
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ documents: 4, accepted: 3, refused: [{ id: 'docs/c.txt', why: 'No. (invalid)' }] })
    expect([...it1.documents.keys()].sort()).toEqual(['docs/a.md', 'docs/b.txt', 'docs/d.txt'])
  })

  it('[N784] a picture goes in as it is; where the service takes none it is named, and the others of its batch go in', async () => {
    write({ 'a.txt': 'A heron.', 'b.png': 'picture' })
    const path = '/v1/corpora/one/documents:batch'
    const no = { status: 415, body: { code: 'unsupported_media_type', detail: 'A picture holds no text.' } }
    it1.next(path, no, { status: 202, body: { job: 'j_1', documents: [{ document: 'docs/a.txt', status: 'queued' }] } }, no)
    const { code, out } = await loam(['ingest', 'docs/a.txt', 'docs/b.png', '-c', 'one', '--json', '--yes'], { cwd, env: env() })
    const sent = it1.asked.filter((one) => one.path === path).map(({ body }) => (body as { upserts: object[] }).upserts.at(-1))
    expect(sent[0]).toEqual({ id: 'docs/b.png', title: 'b', content_base64: btoa('picture'), content_type: 'image/png' })
    expect([code, JSON.parse(out)]).toMatchObject([1, { accepted: 1, refused: [{ id: 'docs/b.png' }] }])
  })

  it('[H2140] with --keep-files a PDF goes in as it is, and its price is that of its text', async () => {
    write({ 'a.txt': 'A heron.', 'b.pdf': pdf })
    const run = (...more: string[]) => loam(['ingest', 'docs', '-c', 'one', '--yes', '--keep-files', ...more], { cwd, env: env() })
    expect((await run('--estimate')).out).toMatch(/^estimate\t2\t0\t/)
    const estimated = it1.asked.findLast((one) => one.path.endsWith('/estimate'))?.body as { documents: { id: string }[] }
    const own = { id: 'docs/b.pdf', title: 'Herons' }
    expect(estimated.documents.find(({ id }) => id === own.id)).toEqual({
      ...own,
      text: 'A heron waits.',
      outline: [{ start: 0, page: 1 }],
    })
    expect((await run()).code).toBe(0)
    const sent = it1.asked.flatMap(({ path, body }) => (path.endsWith(':batch') ? (body as { upserts: { id: string }[] }).upserts : []))
    const content = { content_base64: btoa(pdf), content_type: 'application/pdf' }
    expect(sent.find(({ id }) => id === own.id)).toEqual({ ...own, ...content })
  })

  it('[N30] a used-up budget ends it with what to do', async () => {
    write(two)
    it1.jobStatus = 'paused_budget'
    const { code, said } = await loam(['ingest', 'docs', '-c', 'one'], { cwd, env: env() })
    expect([code, said.includes('continues when it is raised')]).toEqual([1, true])
  })

  it('[N34] an export that broke off is refused whole', async () => {
    write({ 'x.jsonl': '{"type":"document","id":"a","chunks":[{"chunk":"c1","start":0}]}\n{"type":"chunk","id":"c1","text":"A heron."}\n' })
    const { code, said } = await loam(['import', 'docs/x.jsonl', '-c', 'one'], { cwd, env: env() })
    expect([code, said.trim().split(': ').at(-1), it1.asked.length]).toEqual([1, 'the export was interrupted', 0])
  })
})
