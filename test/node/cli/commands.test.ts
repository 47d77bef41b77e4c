/** Lists and changes by command, against a service that says what the test wants; and what shells are given. */

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import stringWidth from 'string-width'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatCitations } from '../../../cli/citations'
import { table } from '../../../cli/table'
import { formatNearest, formatWhy } from '../../../cli/why'
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

const run = (...args: string[]) => loam([...args, '-c', 'one'], { cwd, env: { LOAM_URL: it1.url, LOAM_KEY: 'k' } })
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } })

describe('conversations', () => {
  const id = `conv_${'1'.repeat(32)}`
  const head = {
    id,
    title: 'When is bread\nbaked?',
    turns: 2,
    created_at: '2026-11-21T09:00:00.000Z',
    changed_at: '2026-11-22T09:00:00.000Z',
  }

  it('[N951] are listed, shown with what is withheld, renamed, deleted and exported; `ask` keeps and goes on with them', async () => {
    const at = '/v1/corpora/one/conversations'
    it1.next(at, page(head))
    expect((await run('conversations')).out).toBe(`${id}\t2026-11-22T09:00:00.000Z\t2\tWhen is bread baked?\n`)
    const turn = { id: 'turn_1', at: head.changed_at, version: 1, answered: true, citations: [] }
    const data = [
      { ...turn, question: 'When?', answer: 'On Tuesdays.', withheld: null },
      { ...turn, question: null, answer: null, withheld: 'forgotten' },
    ]
    it1.next(`${at}/${id}`, { body: { ...head, data } })
    expect((await run('conversations', 'show', id)).out).toBe(
      `${head.changed_at}\tWhen?\tOn Tuesdays.\t\n${head.changed_at}\t\t\tforgotten\n`,
    )
    it1.next(`${at}/${id}`, { body: { ...head, title: 'Bread' } })
    expect((await run('conversations', 'rename', id, 'Bread')).out).toContain('\tBread\n')
    it1.next(`${at}/${id}`, { status: 204, body: undefined })
    expect((await run('conversations', 'delete', id)).out).toBe(`${id}\tdeleted\n`)
    it1.next(at, { status: 204, body: undefined })
    expect((await run('conversations', 'delete', '--all')).out).toBe('all\tdeleted\n')
    const misused = await Promise.all([run('conversations', 'delete'), run('conversations', 'show'), run('conversations', 'rename', id)])
    expect(misused.map(({ code }) => code)).toEqual([2, 2, 2])
    const answer = { answer: 'On Tuesdays.', citations: [], conversation: { id, turn: 'turn_1' } }
    it1.next('/v1/corpora/one/query', { body: answer })
    expect((await run('ask', '--keep', 'When?')).code).toBe(0)
    it1.next('/v1/corpora/one/query', { body: answer })
    expect((await run('ask', '--conversation', id, 'And then?')).code).toBe(0)
    const sent = it1.asked.filter(({ path }) => path.endsWith('/query')).map(({ body }) => body)
    expect(sent).toEqual([
      { query: 'When?', store: true },
      { query: 'And then?', conversation: id },
    ])
    expect((await loam(['ask', '--keep', 'When?', '-c', 'one,two'], { cwd, env: { LOAM_URL: it1.url, LOAM_KEY: 'k' } })).code).toBe(2)
  })
})

describe('what does not exist', () => {
  it('[N600] is refused with the nearest that does; where nothing answers, how Loam is started is said', async () => {
    const [wrong, option, here, away] = await Promise.all([
      loam(['serach', 'x']),
      loam(['search', 'x', '--filtre', 'a=b']),
      loam(['search', 'x', '-c', 'one', '--url', 'http://127.0.0.1:47'], { cwd }),
      loam(['doctor', '--url', 'http://no-such-host.invalid'], { cwd }),
    ])
    expect([wrong.code, wrong.said]).toEqual([2, 'loam: there is no command "serach"; did you mean loam search?\n'])
    expect([option.code, option.said]).toEqual([2, "loam: Unknown option '--filtre'; did you mean --filter?\n"])
    expect([here.code, here.said.includes('Start Loam: npm start')]).toEqual([1, true])
    expect([away.code, away.out.includes('Is that the address?'), away.out.includes('npm start')]).toEqual([1, true, false])
  })

  it('[N600] doctor looks at the key, the models and each corpus, and ends with 1 where one is not well', async () => {
    const well = { quarantined: 0, owed: { texts: 0 }, sinks: { index: { refused: 0 } } }
    const answers = (health: object): void => {
      it1.next('/healthz', { body: { version: '1.2.3' } })
      it1.next('/v1/keys/self', { body: { scopes: ['read'], corpora: ['one'] } })
      it1.next('/v1/models', { body: { running: [{ role: 'embedding', model: 'loam/static' }] } })
      it1.next('/v1/corpora', page({ corpus: 'one', status: 'settled', counts: { documents: 3 } }))
      it1.next('/v1/corpora/one/health', { body: health })
    }
    answers(well)
    const env = { LOAM_URL: it1.url, LOAM_KEY: 'k' }
    const good = await loam(['doctor'], { cwd, env })
    expect(good.out.split('\n').slice(1, 5)).toEqual([
      `service\tok\tLoam 1.2.3 at ${it1.url}`,
      'key\tok\tmay read, of one',
      'models\tok\tembedding: loam/static',
      'one\tok\tsettled, 3 documents',
    ])
    answers({ ...well, quarantined: 2 })
    const ill = await loam(['doctor'], { cwd, env })
    expect([good.code, ill.code, ill.out.trim().split('\n').at(-1)]).toEqual([
      0,
      1,
      'one\tlook\tsettled, 3 documents; 2 documents in quarantine: loam health one',
    ])
  })
})

describe('a table', () => {
  const style = (_: string, text: string): string => text

  it('[N601] is as wide as the window: the widest columns are cut, the first never, no character in two', () => {
    const rows = [
      ['handbook/a-long-name-of-a-document.md', 12, 'A title that goes on and on and on'],
      ['日本語の文書.md', 3, '👩‍👩‍👧 家族 '.repeat(9)],
    ]
    const lines = table(['document', 'chunks', 'title'], rows, { columns: 60, style }).split('\n')
    expect(lines.map((line) => stringWidth(line)).filter((width) => width > 60)).toEqual([])
    expect(lines[1]?.startsWith('handbook/a-long-name-of-a-document.md      12  A title')).toBe(true)
    expect(lines[2]).toMatch(/^日本語の文書\.md +3 {2}(👩‍👩‍👧 家族 )*(👩‍👩‍👧( 家?族?)?)?…$/u)
    expect(table(['', ''], [['a', 'b']], { columns: 60, style })).toBe('a  b')
  })
})

describe('lists and changes', () => {
  it('[N602] documents, by a part of their id and by status; one is shown as its text', async () => {
    const kept = { title: 'T\tt', url: null, metadata: {}, access: [], content_version: 2, indexed_version: 2, chunks: 4 }
    const all = [
      { document: 'a/x.md', status: 'ready', ...kept },
      { document: 'a/y.md', status: 'failed', ...kept },
      { document: 'b/z.md', status: 'ready', ...kept },
    ]
    const of = () => it1.next('/v1/corpora/one/documents', page(...all))
    of()
    expect((await run('documents', 'a/')).out).toBe('a/x.md\tready\t4\t2\tT t\na/y.md\tfailed\t4\t2\tT t\n')
    of()
    expect((await run('documents', '--status', 'failed')).out).toBe('a/y.md\tfailed\t4\t2\tT t\n')
    of()
    expect(JSON.parse((await run('documents', '--limit', '2', '--json')).out)).toHaveLength(2)
    it1.next('/v1/corpora/one/documents/a%2Fx.md', { body: { ...all[0], text: 'A heron.\u001b[31m' } })
    expect((await run('show', 'a/x.md')).out).toBe('A heron.[31m\n')
  })

  it('[H2139] the PDF that a document was read from is saved as a file, which appears when it is whole', async () => {
    const at = '/v1/corpora/one/documents/a%2Fx.pdf/file'
    it1.next(at, { body: 'a PDF' })
    expect((await run('show', 'a/x.pdf', '--file', 'x.pdf')).out).toBe('file\ta/x.pdf\tx.pdf\t5\n')
    expect(readFileSync(join(cwd, 'x.pdf'), 'utf8')).toBe('a PDF')
    it1.next(at, { status: 404, body: { code: 'file_not_found', detail: 'No file is kept of this document.' } })
    const none = await run('show', 'a/x.pdf', '--file', 'y.pdf')
    expect([none.code, none.said, existsSync(join(cwd, 'y.pdf'))]).toEqual([1, expect.stringContaining('No file is kept'), false])
    expect((await run('show', 'a/x.pdf', '--file', 'y.pdf', '--chunks')).code).toBe(2)
  })

  it('[V913] a document’s chunks, one a line with its place, who read it and whom it mentions', async () => {
    const one = {
      chunk: 'c_1',
      ordinal: 0,
      start: 0,
      end: 8,
      text: 'A heron.',
      passages: 1,
      read: { by: 'model' },
      section: ['Birds', 'Herons'],
      page: 2,
    }
    const two = { ...one, ordinal: 1, start: 8, end: 16, read: { by: 'rules', partial: 'extract' }, section: [] }
    const chunks = [
      {
        ...one,
        entities: [
          { id: 'e_1', name: 'Anna\tBerg' },
          { id: 'e_2', name: 'Oslo' },
        ],
      },
      { ...two, entities: [] },
    ]
    it1.next('/v1/corpora/one/documents/a%2Fx.md/chunks', page(...chunks))
    expect((await run('show', 'a/x.md', '--chunks')).out).toBe(
      '0\tc_1\t0\t8\t1\tmodel\tpage 2 · Birds › Herons\tAnna Berg, Oslo\n1\tc_1\t8\t16\t1\trules (extract)\tpage 2\t\n',
    )
  })

  it('[D1617] a chunk is corrected by its number in the list or its id: with a text, a file, or taken out', async () => {
    const at = '/v1/corpora/one/documents/a%2Fx.md/chunks'
    const listed = { chunk: 'c_2', ordinal: 1, start: 0, end: 8, text: 'A heron.', passages: 1, read: { by: 'rules' }, entities: [] }
    it1.next(at, page({ ...listed, chunk: 'c_1', ordinal: 0 }, listed))
    it1.next(`${at}/c_2`, { status: 202, body: { document: 'a/x.md', job: 'j_1' } })
    expect((await run('chunks', 'edit', 'a/x.md', '1', 'Two herons.')).out).toBe('a/x.md\tc_2\tj_1\n')
    expect(it1.asked.at(-1)).toMatchObject({ method: 'PATCH', body: { text: 'Two herons.', ordinal: 1 } })
    writeFileSync(join(cwd, 'new.txt'), 'Three\nherons.\n')
    it1.next(`${at}/c_2`, { body: { document: 'a/x.md', status: 'unchanged' } })
    expect((await run('chunks', 'edit', 'a/x.md', 'c_2', '--file', 'new.txt')).out).toBe('a/x.md\tc_2\t\n')
    expect(it1.asked.at(-1)).toMatchObject({ body: { text: 'Three\nherons.' } })
    it1.next(`${at}/c_2`, { status: 202, body: { document: 'a/x.md', job: 'j_2' } })
    expect((await run('chunks', 'edit', 'a/x.md', 'c_2', '--remove')).out).toBe('a/x.md\tc_2\tj_2\n')
    expect(it1.asked.at(-1)).toMatchObject({ body: { text: '' } })
    it1.next(at, page(listed))
    const misused = await Promise.all([
      run('chunks'),
      run('chunks', 'edit', 'a/x.md'),
      run('chunks', 'edit', 'a/x.md', 'c_2'),
      run('chunks', 'edit', 'a/x.md', 'c_2', 'x', '--remove'),
    ])
    expect(misused.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    expect((await run('chunks', 'edit', 'a/x.md', '7', 'x')).said).toContain('has no chunk 7')
  })

  it('[P1914] a page that holds nothing is passed over: documents, spending and items are read to the end', async () => {
    const [empty, at] = [{ body: { data: [], next_cursor: 'a.b' } }, '/v1/corpora/one']
    const kept = { title: 'T', status: 'ready', content_version: 2, chunks: 4 }
    it1.next(`${at}/documents`, empty, empty, page({ document: 'x', ...kept }))
    expect((await run('documents')).out).toBe('x\tready\t4\t2\tT\n')
    const spent = { calls: 2, in: 30, out: 4, embedded: 5, usd: 0.25, neurons: 1 }
    const sums = { total: spent, stages: {}, budget: {}, held: { tokens: 0, usd: 0 }, prices: { date: '2026-08-28' } }
    const listed = (next_cursor: string | null, ...data: object[]) => ({ body: { ...sums, data, next_cursor } })
    it1.next(`${at}/usage`, listed('a.b'), listed('a.b'), listed(null, { document: 'x', ...spent }))
    expect((await run('usage', '--documents')).out).toContain('document\tx\t2\t30\t4\t5\t0.250000\n')
    const item = { item: 'i', document: 'x', status: 'failing', last_result: 'robots', seen_at: null }
    it1.next(`${at}/sources/s_1/items`, empty, page(item))
    expect((await run('sources', 'items', 's_1')).out).toBe('i\tfailing\tx\trobots\n')
    expect(it1.asked.filter(({ path }) => /(documents|usage|items)$/.test(path))).toHaveLength(8)
  })

  it('[D1613] what new versions changed, one a line: of a document or of all, since a time, and what keeps nothing says so', async () => {
    const change = {
      document: 'a/x.md',
      title: 'X',
      url: null,
      active: true,
      replaced_at: '2026-11-26T09:00:00.000Z',
      replaced_in: 3,
      earlier: { quote: 'It costs\t30.', content_version: 2 },
      current: { quote: 'It costs 40.', start: 0, end: 12, content_version: 3 },
    }
    const listed = (days: number, ...data: object[]) => ({ body: { data, next_cursor: null, days } })
    it1.next('/v1/corpora/one/documents/a%2Fx.md/changes', listed(30, change))
    expect((await run('changes', 'a/x.md')).out).toBe('2026-11-26T09:00:00.000Z\ta/x.md\t3\tIt costs 30.\tIt costs 40.\n')
    it1.next('/v1/corpora/one/changes', listed(30, change, { ...change, document: 'b' }))
    expect((await run('changes', '--since', '2026-11-01', '--json')).out).toBe(
      `${JSON.stringify([change, { ...change, document: 'b' }])}\n`,
    )
    it1.next('/v1/corpora/one/changes', listed(0))
    const none = await run('changes')
    expect([none.out, none.said]).toEqual(['', expect.stringContaining('settings.earlier.days')])
    expect((await run('changes', '--since', 'yesterday')).code).toBe(2)
  })

  it('[N602] jobs, one of them cancelled, another tried again', async () => {
    const job = { job: 'j_1', kind: 'ingest', status: 'failed', progress: { done: 1, total: 3 }, error: 'too_large' }
    it1.next('/v1/corpora/one/jobs', page(job))
    it1.next('/v1/corpora/one/jobs/j_1:cancel', { body: { ...job, status: 'cancelled', error: undefined } })
    it1.next('/v1/corpora/one/jobs/j_1:retry', { body: { ...job, status: 'queued', error: undefined } })
    expect((await run('jobs')).out).toBe('j_1\tingest\tfailed\t1\t3\ttoo_large\n')
    expect((await run('cancel', 'j_1')).out).toBe('j_1\tingest\tcancelled\t1\t3\t\n')
    expect((await run('retry', 'j_1')).out).toBe('j_1\tingest\tqueued\t1\t3\t\n')
    expect((await run('cancel')).code).toBe(2)
  })

  it('[N602] a question is compared over strategies; what failed is said in its place', async () => {
    const answered = {
      strategy: 'auto',
      answer: 'Fish.',
      answered: true,
      evidence: [],
      timing_ms: { total: 1234, search: 30 },
      cost_usd: 0.5,
    }
    it1.next('/v1/corpora/one/compare', {
      body: { query: 'x', results: [answered, { strategy: 'erarag', error: 'strategy_not_enabled' }] },
    })
    const { out } = await run('compare', 'x', '-s', 'auto,erarag')
    expect(out).toBe('auto\t1.23\t0.500000\ttrue\tFish.\nerarag\t\t\tfailed\tstrategy_not_enabled\n')
    expect(it1.asked.at(-1)?.body).toEqual({ query: 'x', strategies: ['auto', 'erarag'] })
    expect((await run('compare', 'x', '-s', 'auto')).code).toBe(2)
  })

  it('[N602] entities are listed, and what one is tied to, named as people name it', async () => {
    const heron = { id: 'e_aaaaaaaaaaaaaaaaaaaaaa', kind: 'entity', layer: 0, text: 'Heron\nA bird.', tokens: 1 }
    const passage = { id: 'p_bbbbbbbbbbbbbbbbbbbbbb', kind: 'passage', layer: 0, text: 'It eats\nfish.', tokens: 3 }
    const edges = [{ kind: 'mentions', source: passage.id, target: heron.id, weight: 1 }]
    for (let times = 0; times < 2; times++) it1.next('/v1/corpora/one/entities', page(heron))
    it1.next('/v1/corpora/one/graph', { body: { nodes: [heron, passage], edges, truncated: false, version: 1 } })
    expect((await run('entities', 'her')).out).toBe(`${heron.id}\tHeron\t\n`)
    const relations = [{ id: 'e_2', name: 'Pond', description: 'fishes in', strength: 5, by: ['brought', 'rules'], documents: ['a'] }]
    const about = { id: heron.id, name: 'Heron', also: ['Grey Heron'], chunks: 2, documents: ['a', 'b'] }
    const said = { types: [{ type: 'bird', chunks: 2 }], descriptions: [{ text: 'eats eels', chunk: 'c_1', document: 'a', by: 'brought' }] }
    it1.next(`/v1/corpora/one/entities/${heron.id}`, { body: { ...about, ...said, relations } })
    expect((await run('entities', 'show', heron.id)).out).toBe(
      `entity\t${heron.id}\tHeron\ntype\tbird\t2\nsaid\teats eels\ta\tbrought\nrelated\te_2\tPond\tfishes in\tbrought,rules\ndocument\ta\ndocument\tb\n`,
    )
    expect((await run('graph', 'heron')).out).toBe('mentions\tIt eats fish.\tHeron\t1\n')
  })

  it('[N2080] entities are listed by how many chunks mention them', async () => {
    it1.next('/v1/corpora/one/entities', page({ id: 'e_1', kind: 'entity', layer: 0, text: 'Heron', tokens: 1 }))
    expect((await run('entities', '--sort', 'mentions', '--limit', '3')).out).toBe('e_1\tHeron\t\n')
    expect(it1.asked.at(-1)?.search).toBe('sort=mentions&limit=3')
    expect((await run('entities', '--sort', 'size')).code).toBe(2)
  })

  it('[N1641] an ontology is proposed, into a new file that can be set, and nothing is set', async () => {
    const ontology = { mode: 'open', types: [{ name: 'ship' }], relations: [{ name: 'sails for', subjects: ['ship'] }] }
    const proposal = {
      by: 'counts',
      ontology,
      types: [{ name: 'ship', count: 2, examples: ['Heron', 'Gull'] }],
      relations: [{ name: 'sails for', count: 2, examples: [{ subject: 'Heron', object: 'Oslo', document: 'a' }] }],
      sample: { documents: 1, chunks: 2 },
    }
    for (let times = 0; times < 3; times++) it1.next('/v1/corpora/one/ontology:propose', { body: proposal })
    expect((await run('entities', 'ontology', '--propose')).out).toBe('type\tship\t2\tHeron; Gull\nrelation\tsails for\t2\tHeron > Oslo\n')
    await run('entities', 'ontology', '--propose', 'proposed.json', '--by', 'counts')
    expect(JSON.parse(readFileSync(join(cwd, 'proposed.json'), 'utf8'))).toEqual(ontology)
    expect(it1.asked.at(-1)).toMatchObject({ method: 'POST', body: { by: 'counts' } })
    expect(await run('entities', 'ontology', '--propose', 'proposed.json')).toMatchObject({ code: 2 })
    expect(await run('entities', 'ontology', '--by', 'counts')).toMatchObject({ code: 2 })
    expect(it1.asked.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('[N1996] guidance is proposed, into a new file that can be set, and nothing is set; it is shown, set and taken away', async () => {
    const example = {
      text: 'Heron sails\nfor Oslo.',
      entities: [{ name: 'Heron', type: 'ship', description: '' }],
      relations: [{ source: 'Heron', target: 'Oslo', description: 'sails for', strength: 5 }],
      document: 'log',
    }
    const proposal = {
      domain: 'ships',
      guidance: 'These texts: ships.\nDraw: ports.',
      examples: [example],
      sample: { documents: 1, passages: 2 },
      dropped: { examples: 1 },
      usage: { in: 90, out: 10 },
    }
    for (let times = 0; times < 3; times++) it1.next('/v1/corpora/one/guidance:propose', { body: proposal })
    it1.next('/v1/corpora/one/guidance:propose', { body: { ...proposal, guidance: null, examples: [] } })
    const lines = 'guidance\tThese texts: ships. Draw: ports.\nexample\tlog\tHeron sails for Oslo.\tHeron (ship)\tHeron > Oslo\n'
    expect((await run('entities', 'guidance', '--propose')).out).toBe(lines)
    await run('entities', 'guidance', '--propose', 'guide.json')
    const set = { guidance: proposal.guidance, examples: [example] }
    expect(JSON.parse(readFileSync(join(cwd, 'guide.json'), 'utf8'))).toEqual(set)
    expect(await run('entities', 'guidance', '--propose', 'guide.json')).toMatchObject({ code: 2 })
    expect((await run('entities', 'guidance', '--propose', 'none.json')).out.trim()).toBe('')
    expect(existsSync(join(cwd, 'none.json'))).toBe(false)
    expect(await run('entities', 'guidance', '--by', 'counts')).toMatchObject({ code: 2 })
    expect(it1.asked.some(({ method }) => method === 'PUT')).toBe(false)
    const shown = (extraction: object) => ({ body: { settings: { extraction } } })
    it1.next('/v1/corpora/one', shown(set), shown(set), shown({ guidance: null, examples: null }))
    expect((await run('entities', 'guidance')).out).toBe(lines)
    expect((await run('entities', 'guidance', 'guide.json')).out).toBe(lines)
    expect(it1.asked.at(-1)).toMatchObject({ method: 'PUT', body: { settings: { extraction: set } } })
    expect((await run('entities', 'guidance', 'none')).out.trim()).toBe('')
    expect(it1.asked.at(-1)?.body).toEqual({ settings: { extraction: { guidance: null, examples: null } } })
    writeFileSync(join(cwd, 'other.json'), '{"types": []}')
    expect(await run('entities', 'guidance', 'other.json')).toMatchObject({ code: 2 })
  })

  it('[V906] an ontology is shown, set from a file and taken away', async () => {
    const ontology = {
      mode: 'strict',
      types: [{ name: 'person' }, { name: 'engineer', parent: 'person' }],
      relations: [{ name: 'knows' }, { name: 'built', subjects: ['person'], objects: [] }],
    }
    const shown = (given: unknown) => ({ body: { settings: { extraction: { ontology: given } } } })
    it1.next('/v1/corpora/one', shown(ontology), shown(ontology), shown(null))
    const lines = 'type\tperson\t\ntype\tengineer\tperson\nrelation\tknows\t* > *\nrelation\tbuilt\tperson > *\n'
    expect((await run('entities', 'ontology')).out).toBe(lines)
    writeFileSync(join(cwd, 'kinds.json'), JSON.stringify(ontology))
    expect((await run('entities', 'ontology', 'kinds.json')).out).toBe(lines)
    expect(it1.asked.at(-1)).toMatchObject({ method: 'PUT', body: { settings: { extraction: { ontology } } } })
    expect((await run('entities', 'ontology', 'none')).out.trim()).toBe('')
    expect(it1.asked.at(-1)?.body).toEqual({ settings: { extraction: { ontology: null } } })
    writeFileSync(join(cwd, 'kinds.json'), '{')
    expect(await run('entities', 'ontology', 'kinds.json')).toMatchObject({ code: 2 })
  })

  it('[N602] labels are put with examples from a file, and removed; spending is shown by stage', async () => {
    writeFileSync(join(cwd, 'examples.txt'), 'Give it back\n\nMy money\n')
    const label = { label: 'refund', description: '', examples: [{ id: '1' }, { id: '2' }, { id: '3' }], learned: 0 }
    it1.next('/v1/corpora/one/labels/refund', { body: label }, { body: { status: 'deleted' } })
    expect((await run('labels', 'put', 'refund', '--example', 'Refund?', '--examples', 'examples.txt')).out).toBe('refund\t3\t0\t\n')
    expect(it1.asked.at(-1)?.body).toEqual({ examples: ['Refund?', 'Give it back', 'My money'] })
    expect((await run('labels', 'remove', 'refund')).out).toBe('refund\tremoved\n')
    const none = { calls: 2, in: 30, out: 4, embedded: 5, usd: 0.25, neurons: 1 }
    const spent = { total: none, stages: { answer: none }, budget: { usd: 1 }, held: { tokens: 0, usd: 0 }, prices: { date: '2026-08-28' } }
    it1.next('/v1/corpora/one/usage', { body: { ...spent, data: [], next_cursor: null } })
    expect((await run('usage')).out).toBe('total\tone\t2\t30\t4\t5\t0.250000\nstage\tanswer\t2\t30\t4\t5\t0.250000\n')
  })

  it('[N1970] a Notion workspace is followed with the secret that a file holds, which is not said', async () => {
    const source = {
      source: 's_1',
      kind: 'notion',
      status: 'new',
      every: '1h',
      url: 'https://www.notion.so',
      document: null,
      seen_at: null,
    }
    writeFileSync(join(cwd, 'secret.txt'), 'ntn_of_the_integration\n')
    it1.next('/v1/corpora/one/sources', { body: { ...source, last_result: null, credential: 'set' } })
    const { out, said, code } = await run(
      'sources',
      'add',
      'https://www.notion.so',
      '--kind',
      'notion',
      '--token',
      'secret.txt',
      '--every',
      '1h',
    )
    expect(it1.asked.at(-1)?.body).toEqual({ kind: 'notion', url: 'https://www.notion.so', every: '1h', token: 'ntn_of_the_integration' })
    expect([code, (out + said).includes('ntn_')]).toEqual([0, false])
  })

  it('[N1997] a Slack channel is followed with the bot token that a file holds, which is not said', async () => {
    const url = 'https://slack.com/archives/C0123456789'
    const source = { source: 's_1', kind: 'slack', status: 'new', every: '1h', url, document: null, seen_at: null, last_result: null }
    writeFileSync(join(cwd, 'bot.txt'), 'xoxb-of-the-bot\n')
    it1.next('/v1/corpora/one/sources', { body: { ...source, credential: 'set' } })
    const { out, said, code } = await run('sources', 'add', url, '--kind', 'slack', '--token', 'bot.txt', '--every', '1h')
    expect(it1.asked.at(-1)?.body).toEqual({ kind: 'slack', url, every: '1h', token: 'xoxb-of-the-bot' })
    expect([code, (out + said).includes('xoxb')]).toEqual([0, false])
  })

  it('[N602] pages of the web are followed and webhooks made, whose secret is shown once', async () => {
    const source = {
      source: 's_1',
      status: 'new',
      every: '1h',
      url: 'https://example.org/',
      document: 'd',
      last_result: null,
      seen_at: null,
    }
    it1.next('/v1/corpora/one/sources', { body: source }, page(source))
    expect((await run('sources', 'add', 'https://example.org/', '--every', '1h', '--on-gone', 'delete')).code).toBe(0)
    expect(it1.asked.at(-1)?.body).toEqual({ url: 'https://example.org/', every: '1h', on_gone: 'delete' })
    expect((await run('sources')).out).toBe('s_1\tnew\t1h\thttps://example.org/\td\t\n')
    it1.next('/v1/corpora/one/sources', { body: { ...source, kind: 'sitemap', document: null } })
    await run(
      'sources',
      'add',
      'https://example.org/s.xml',
      '--kind',
      'sitemap',
      '--include',
      '/docs/**',
      '--include',
      '/faq',
      '--max',
      '50',
    )
    const paths = { include: ['/docs/**', '/faq'], max_items: 50 }
    expect(it1.asked.at(-1)?.body).toEqual({ kind: 'sitemap', url: 'https://example.org/s.xml', every: '1d', ...paths })
    const item = {
      item: 'https://example.org/a',
      document: 'https://example.org/a',
      status: 'failing',
      last_result: 'robots',
      seen_at: null,
    }
    it1.next('/v1/corpora/one/sources/s_1/items', page(item))
    expect((await run('sources', 'items', 's_1', '--status', 'failing')).out).toBe(
      'https://example.org/a\tfailing\thttps://example.org/a\trobots\n',
    )
    it1.next('/v1/corpora/one/sources/s_1', { status: 202, body: { ...source, status: 'removing' } })
    expect((await run('sources', 'remove', 's_1', '--documents', 'delete')).out).toBe('s_1\tremoving\n')
    it1.next('/v1/corpora/one/hooks', { body: { hook: 'wh_1', url: 'https://loam/v1/hooks/wh_1', secret: 'whsec_x' } })
    expect((await run('hooks', 'create', '--preset', 'github', '--access', 'group:a, group:b')).out).toBe(
      'wh_1\thttps://loam/v1/hooks/wh_1\twhsec_x\n',
    )
    expect(it1.asked.at(-1)?.body).toEqual({ preset: 'github', access: ['group:a', 'group:b'] })
    expect((await run('hooks', 'make')).code).toBe(2)
    writeFileSync(join(cwd, 'event.json'), '{"id":"a","text":"A heron."}')
    writeFileSync(join(cwd, 'secret.txt'), 'a-secret-of-their-own\n')
    writeFileSync(join(cwd, 'form.json'), '{"header":"x-signature","id_header":"x-id"}')
    it1.next('/v1/hooks/wh_1', { status: 202, body: { job: 'j_9' } }, { status: 401, body: { code: 'signature_invalid', detail: 'No.' } })
    const send = ['hooks', 'send', `${it1.url}/v1/hooks/wh_1`, 'event.json', '--secret', 'secret.txt', '--preset', 'hmac']
    expect((await run(...send, '--signature', 'form.json', '--event', '42')).out).toBe('42\tj_9\t\n')
    expect(it1.asked.at(-1)).toMatchObject({ key: undefined, body: { id: 'a', text: 'A heron.' } })
    expect((await run(...send, '--signature', 'form.json')).said).toContain('No. (signature_invalid)')
    expect([(await run(...send)).code, (await run('hooks', 'send', 'nowhere')).code]).toEqual([2, 2])
    writeFileSync(join(cwd, 'form.json'), '{"header":"x y"}')
    expect((await run(...send, '--signature', 'form.json')).said).toContain('header: must be the name of a header')
  })
})

describe('a folder that is watched', () => {
  it('[N605] goes in, then what is new or has changed; a document whose file is gone is deleted', async () => {
    mkdirSync(join(cwd, 'docs'))
    writeFileSync(join(cwd, 'docs/a.md'), 'A heron.')
    const until = async (isSo: () => boolean): Promise<void> => {
      for (let looks = 0; !isSo(); looks++) {
        if (looks > 600) throw new Error(`waited in vain: ${JSON.stringify([...it1.documents])}`)
        await sleep(50)
      }
    }
    const args = ['watch', 'docs', '-c', 'one', '--yes', '--every', '0.1', '--forget']
    const env = { LOAM_URL: it1.url, LOAM_KEY: 'k' }
    const watching = loam(args, { cwd, env, interrupt: { at: /is deleted because its file is gone/, signal: 'SIGTERM' } })
    await until(() => it1.documents.get('docs/a.md') === 'A heron.')
    writeFileSync(join(cwd, 'docs/b.md'), 'An owl.')
    writeFileSync(join(cwd, 'docs/a.md'), 'A heron, grey.')
    await until(() => it1.documents.get('docs/b.md') === 'An owl.' && it1.documents.get('docs/a.md') === 'A heron, grey.')
    rmSync(join(cwd, 'docs/b.md'))
    const { said } = await watching
    expect(said).toContain('docs/b.md is deleted')
    expect(it1.asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual(['/v1/corpora/one/documents/docs%2Fb.md'])
    const missing = await loam(['watch', 'nowhere', '-c', 'one'], { cwd, env })
    expect([missing.code, missing.said.includes('no such folder')]).toEqual([2, true])
  })
})

describe('a backup', () => {
  const partOf = (n: number, before: string, isLast: boolean) => {
    const head =
      n === 1 ? { type: 'backup', backup: 'b', corpus: 'one', version: 3, state: 'f0' } : { type: 'part', backup: 'b', part: n, before }
    const lines = `${JSON.stringify(head)}\n{"type":"table","table":"node","columns":["n"]}\n[${n}]\n`
    const digest = createHash('sha256').update(`${before}\n${lines}`).digest('hex')
    const tail = isLast ? { type: 'end', digest, rows: { node: n } } : { type: 'next', digest, cursor: `c${n}` }
    return { text: `${lines}${JSON.stringify(tail)}\n`, digest }
  }

  it('[N603] that broke off stays aside and is continued behind its last whole part; one that was altered ends it with 1; a file that is there is not written over unasked', async () => {
    const one = partOf(1, '', false)
    const two = partOf(2, one.digest, true)
    writeFileSync(join(cwd, 'x.jsonl.part'), `${one.text}${two.text.slice(0, 40)}`)
    it1.next('/v1/corpora/one/backup', { body: two.text })
    const done = await run('backup', '-o', 'x.jsonl', '--json')
    expect([done.code, done.said.includes('continuing after part 1'), readFileSync(join(cwd, 'x.jsonl'), 'utf8')]).toEqual([
      0,
      true,
      one.text + two.text,
    ])
    expect(existsSync(join(cwd, 'x.jsonl.part'))).toBe(false)
    writeFileSync(join(cwd, 'y.jsonl.part'), one.text.replace('[1]', '[7]'))
    const altered = await run('backup', '-o', 'y.jsonl')
    expect([altered.code, altered.said.includes('part 1 is damaged')]).toEqual([1, true])
    const day = `one-${new Date().toISOString().slice(0, 10)}.backup.jsonl`
    writeFileSync(join(cwd, day), 'kept')
    const there = await run('backup')
    expect([there.code, there.said.includes('--output names another'), readFileSync(join(cwd, day), 'utf8')]).toEqual([1, true, 'kept'])
  })

  it('[N2110] takes its file, and a restore its corpus, as a word', async () => {
    const env = { LOAM_URL: it1.url, LOAM_KEY: 'k' }
    const { text } = partOf(1, '', true)
    it1.next('/v1/corpora/one/backup', { body: text })
    const kept = await loam(['backup', 'one', 'z.jsonl'], { cwd, env })
    expect([kept.code, readFileSync(join(cwd, 'z.jsonl'), 'utf8')]).toEqual([0, text])
    it1.next('/v1/corpora/other:restore', { status: 409, body: { code: 'conflict', detail: 'It is not empty.' } })
    expect((await loam(['restore', 'z.jsonl', 'other'], { cwd, env })).said).toContain('It is not empty. (conflict)')
    const twice = [
      ['backup', 'one', 'z.jsonl', '-o', 'a.jsonl'],
      ['restore', 'z.jsonl', 'other', '-c', 'one'],
    ]
    for (const words of twice) expect([words, (await loam(words, { cwd, env })).code]).toEqual([words, 2])
  })

  it('[W1965] a restore over a corpus that is there is refused with the command that restores it beside', async () => {
    writeFileSync(join(cwd, 'b.jsonl'), partOf(1, '', true).text)
    it1.next('/v1/corpora/one:restore', { status: 409, body: { code: 'conflict', detail: 'It is not empty.' } })
    const refused = await run('restore', 'b.jsonl')
    expect([refused.code, refused.said]).toEqual([
      1,
      'loam: It is not empty. (conflict)\nAt a terminal: loam restore b.jsonl -c <another name>\n',
    ])
  })
})

it('[W1965] a plan ends with what carries it out, and its JSON is JSON alone', async () => {
  const [shown, json] = await Promise.all([loam(['deploy', '--plan'], { cwd }), loam(['deploy', '--plan', '--json'], { cwd })])
  expect(shown.said).toBe('\nNothing was changed. `loam deploy` shows this again, asks, and makes it.\n')
  expect([json.said, Object.keys(JSON.parse(json.out) as object)]).toEqual(['', ['steps', 'costs']])
})

describe('completion', () => {
  it('[N604] knows every command, verb and option; bash takes it and completes by it', async () => {
    const [bash, zsh, fish] = await Promise.all(['bash', 'zsh', 'fish'].map((shell) => loam(['completion', shell])))
    const complete = (...words: string[]): string[] => {
      const ask = `${bash?.out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _loam; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trim().split(' ')
    }
    expect(complete('loam', 'do')).toEqual(['doctor', 'documents'])
    expect(complete('loam', 'keys', 're')).toEqual(['revoke'])
    expect(complete('loam', 'search', '--fi')).toEqual(['--filter'])
    const { out: help } = await loam(['--help'])
    const names = [...help.matchAll(/^ {2}loam (\w+)/gm)].map(([, name = '']) => name)
    expect(names.filter((name) => !zsh?.out.includes(`    '${name}:`) || !fish?.out.includes(`-a ${name} `))).toEqual([])
    for (const shell of ['tcsh', 'toString']) expect((await loam(['completion', shell])).code).toBe(2)
    expect(complete('loam', 'ask', '-s', 'arch')).toEqual(['archrag'])
  })

  const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0
  const TYPED = [
    ['loam recei', 'receipts'],
    ['loam keys rev', 'revoke'],
    ['loam search --gran', '--granularity'],
    ['loam search -s arch', 'archrag'],
  ] as const

  it.skipIf(!isThere('fish'))('[N1390] fish takes it and completes by it (skipped where there is no fish)', async () => {
    const { out } = await loam(['completion', 'fish'])
    writeFileSync(join(cwd, 'loam.fish'), out)
    const offered = TYPED.map(([typed]) => {
      const said = execFileSync('fish', ['--no-config', '-c', `source loam.fish; complete -C '${typed}'`], { cwd, encoding: 'utf8' })
      return said.split('\n').map((line) => line.split('\t')[0])
    })
    expect(offered.map((some, i) => some.includes(TYPED[i]?.[1]))).toEqual(TYPED.map(() => true))
  })

  it.skipIf(!isThere('zsh'))(
    '[N1390] zsh takes it from a folder of fpath, and sourced, and completes by it (skipped where there is no zsh)',
    async () => {
      const { out } = await loam(['completion', 'zsh'])
      mkdirSync(join(cwd, 'zfunc'))
      writeFileSync(join(cwd, 'zfunc/_loam'), out)
      const ways = {
        fpath: 'fpath=($PWD/zfunc $fpath); autoload -U compinit; compinit -u -D',
        sourced: 'autoload -U compinit; compinit -u -D; source zfunc/_loam',
      }
      for (const way of Object.values(ways)) {
        // A line is typed into a zsh of its own, Tab pressed, and what then stands there reported by a widget.
        const lines = TYPED.map(
          ([typed]) => `zpty -w -n z $'${typed}\\t\\C-x'; zpty -r -m z got '*<*>*'; print -r -- "\${\${got##*<}%%>*}"`,
        )
        const script = `zmodload zsh/zpty; zpty z zsh -f -i
        zpty -w z 'PS1=; ${way}; report() { print -r -- "<$BUFFER>"; BUFFER= }; zle -N report; bindkey "^X" report; print -r -- rea""dy'
        zpty -r -m z got '*ready*'
        ${lines.join('\n')}
        zpty -d z`
        const said = execFileSync('zsh', ['-f', '-c', script], { cwd, encoding: 'utf8', timeout: 60_000 })
        expect(
          said
            .trim()
            .split('\n')
            .map((line) => line.trim().split(' ').at(-1)),
        ).toEqual(TYPED.map(([, word]) => word))
      }
    },
  )
})

describe('an answer that is weak', () => {
  const nearest = [{ id: 'p_1', document: 'a.md', start: 0, end: 5, quote: 'Leave is thirty days.', title: 'Leave' }]
  const piece = {
    id: 'p_1',
    kind: 'passage',
    document: 'a.md',
    title: 'Leave',
    start: 0,
    end: 21,
    text: 'Leave is thirty days.',
    score: 0.7,
    via: 'vector',
  }
  const support = [
    { claim: 'It is forty.', outcome: 'unsupported', score: 0.3, reasons: [{ fault: 'number', claim: 'forty', source: 'thirty' }] },
  ]
  const body = {
    strategy: 'auto',
    answer: 'It is forty.',
    citations: [],
    nearest,
    confidence: 0.03,
    support,
    evidence: [piece],
    degraded: [],
  }

  it('[N1060] says how sure it is, what its sources say to each statement, and what was found by which way', async () => {
    it1.next('/v1/corpora/one/query', { body })
    expect((await run('ask', '--why', 'How long?')).out).toBe(
      'It is forty.\n\nconfidence\t0.03\nclaim\tunsupported\t0.3\tIt is forty.\tnumber\nfound\t0.7\ta.md\t0\t21\tvector\n',
    )
    expect(formatWhy(body as never)).toBe(
      [
        'Confidence: 0.03',
        'Statements:',
        '  unsupported: “It is forty.” (number: forty, where the source has thirty)',
        'Found by auto:',
        '  1. Leave  (0.7, vector)  “Leave is thirty days.”',
      ].join('\n'),
    )
    expect(formatNearest(nearest)).toBe('Nearest:\n  Leave: “Leave is thirty days.”')
    expect(formatNearest([])).toBe('')
  })
})

it('[W1960] the sources of an extract are numbered from 1, those of written words as these name them', () => {
  const cited = (marker: number) => ({ marker, document: `d${marker}`, start: 0, end: 3, quote: 'red' }) as never
  const extract = '[1] d4, 0–3: “red”\n[2] d2, 0–3: “red”\n[1] d4, 0–3: “red”'
  expect(formatCitations([cited(4), cited(2), cited(4)], 'extractive')).toBe(extract)
  expect(formatCitations([cited(4), cited(2)], 'model')).toBe('[4] d4, 0–3: “red”\n[2] d2, 0–3: “red”')
})

describe('a budget', () => {
  const spent = { total: { in: 1, out: 2, embedded: 3, usd: 0.25 }, held: { tokens: 0, usd: 0 } }

  it('[N1061] is shown, set and taken away', async () => {
    const at = '/v1/corpora/one/usage'
    const show = (budget: object) => it1.next(at, { body: { ...spent, budget } })
    show({ usd: 5 })
    expect((await run('budget')).out).toBe('usd\t0.250000\t0.000000\t5\ntokens\t6\t0\t\n')
    show({ usd: 5, tokens: 100 })
    expect((await run('budget', 'set', '--usd', '5', '--tokens', '100')).code).toBe(0)
    show({})
    expect((await run('budget', 'none')).code).toBe(0)
    const sent = it1.asked.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    expect(sent).toEqual([{ budget: { usd: 5, tokens: 100 } }, { budget: null }])
    const misused = await Promise.all([
      run('budget', 'set'),
      run('budget', '--usd', '5'),
      run('budget', 'set', '--usd', 'five'),
      run('budget', 'off'),
    ])
    expect(misused.map(({ code }) => code)).toEqual([2, 2, 2, 2])
  })
})

describe('what stands in the way', () => {
  it('[N1602] init asks for replicas, partitions and dedicated stores; their bounds are the service’s to say', async () => {
    it1.next('/v1/corpora/two', { status: 404, body: { code: 'corpus_not_found', detail: 'There is no such corpus.' } })
    await loam(['init', 'two', '--replicas', '9', '--partitions', 'x', '--dedicated'], {
      cwd,
      env: { LOAM_URL: it1.url, LOAM_KEY: 'k', XDG_CONFIG_HOME: cwd },
    })
    const put = it1.asked.find(({ method, path }) => method === 'PUT' && path.startsWith('/v1/corpora/two'))
    expect(put?.body).toEqual({ partitions: null, dedicated: true, settings: { replicas: { count: 9 } } })
  })

  it('[N1062] is said with what to do', async () => {
    it1.next('/v1/corpora/one/labels', {
      status: 409,
      body: {
        code: 'strategy_not_enabled',
        detail: 'This corpus has not enabled gorag. Enable it with PUT /v1/corpora/one {"strategies":["erarag","gorag"]}.',
      },
    })
    expect((await run('labels')).said).toContain('At a terminal: loam init one --strategies erarag,gorag')
    it1.next('/v1/corpora/heron', { status: 404, body: { code: 'corpus_not_found', detail: 'There is no such corpus.' } })
    expect((await loam(['delete', 'heron', '--yes'], { env: { LOAM_URL: it1.url, LOAM_KEY: 'k' } })).said).toContain(
      '`loam forget heron` deletes a document',
    )
    expect((await run('hooks', 'create', '--preset', 'hmac')).said).toContain('--signature')
    expect(it1.asked.some(({ method }) => method === 'POST')).toBe(false)
    writeFileSync(join(cwd, 'secret.txt'), 'whsec_5P83wuitpBfUJ5GZmvU0BY0OtO/hX1cT0WLlliWA3mw=')
    writeFileSync(join(cwd, 'event.json'), '{}')
    const errors = [{ path: 'text', message: 'is missing' }]
    it1.next('/v1/hooks/wh_1', { status: 422, body: { code: 'invalid', detail: 'It does not fit.', errors } })
    const { said } = await run('hooks', 'send', `${it1.url}/v1/hooks/wh_1`, 'event.json', '--secret', 'secret.txt')
    expect(said).toContain('\n  text: is missing')
  })
})
