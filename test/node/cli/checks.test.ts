/** Receipts, probes, names and forgetting, at a terminal. */
import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatHealth } from '../../../cli/commands/health'
import { formatGrouped } from '../../../cli/commands/receipts'
import type { CorpusHealth } from '../../../src/client/client'
import { canonicalJson as canonical } from '../../../src/core/canonical-json'
import { loam } from './loam'
import { type Service, service } from './service'

let it1: Service
beforeEach(async () => {
  it1 = await service()
})
afterEach(() => it1.stop())

const env = () => ({ LOAM_URL: it1.url, LOAM_KEY: 'k' })
const BASE = '/v1/corpora/one'
const sent = () => it1.asked.map(({ method, path, body }) => [method, path, body || undefined])

/** Receipts that follow from one another. */
function chained(versions: number) {
  let [hash, state] = ['0'.repeat(64), 0n]
  return Array.from({ length: versions }, (_, i) => {
    state += BigInt(i + 5)
    const touched = { documents: 1, chunks: 2, nodes: 3, edges: 4, other: 0 }
    const hex = (sum: bigint) => sum.toString(16).padStart(64, '0')
    const body = { version: i + 1, at: 1_750_000_000_000 + i, jobs: ['j_1'], touched, change: hex(BigInt(i + 5)), state: hex(state) }
    hash = createHash('sha256')
      .update(`${hash}\n${canonical(body)}`)
      .digest('hex')
    return { ...body, hash }
  })
}
const page = (data: unknown[], next_cursor: string | null = null) => ({ body: { data, next_cursor } })

describe('receipts', () => {
  it('[N40] are listed page by page, from a version on if asked', async () => {
    const [, second, third] = chained(3)
    it1.next(`${BASE}/receipts`, page([second], 'Mg'), page([third]))
    const { out } = await loam(['receipts', 'one', '--after', '1'], { env: env() })
    const time = (n: number) => new Date(1_750_000_000_000 + n).toISOString()
    expect(out).toBe(`2\t${time(1)}\t1\t2\t3\t4\t${second?.hash}\n3\t${time(2)}\t1\t2\t3\t4\t${third?.hash}\n`)
  })

  it('[W2043] in a row that touched only indexes take one line at a terminal, unless all are asked for', async () => {
    const none = { documents: 0, chunks: 0, nodes: 0, edges: 0, other: 9 }
    const all = chained(6).map((one) => (one.version > 1 && one.version < 6 ? { ...one, touched: none } : one))
    const grouped = formatGrouped(all)
    expect([grouped.length, grouped[1]?.trim()]).toEqual([
      3,
      'versions 2 to 5: 4 receipts of changes that touched only indexes (--all lists them)',
    ])
    expect(formatGrouped(all.slice(0, 3)).length).toBe(3)
    it1.next(`${BASE}/receipts`, page(all))
    expect((await loam(['receipts', 'one', '--all'], { env: env() })).out.trimEnd().split('\n').length).toBe(6)
  })

  it('[N40] are followed from the first to the last; what was altered, and a noted hash that none has, end it with 1', async () => {
    const all = chained(3)
    const [first, second, third] = all
    it1.next(`${BASE}/receipts`, page([first, second], 'Mg'), page([third]))
    const whole = await loam(['receipts', 'one', '--head', second?.hash ?? ''], { env: env() })
    expect([whole.code, whole.out]).toEqual([0, `whole\t3\t3\t${third?.hash}\n`])
    it1.next(`${BASE}/receipts`, page(all))
    const lost = await loam(['receipts', 'one', '--check', '--head', 'f'.repeat(64)], { env: env() })
    expect([lost.code, lost.said]).toEqual([1, 'loam: one: no receipt has the hash you noted\n'])
    it1.next(`${BASE}/receipts`, page([first, { ...second, at: 1 }, third]))
    const altered = await loam(['receipts', 'one', '--check', '--json'], { env: env() })
    const says = 'the receipt of version 2 does not follow from the one before it'
    expect([altered.code, JSON.parse(altered.out)]).toEqual([1, expect.objectContaining({ verdict: 'broken', faults: [says] })])
    expect((await loam(['receipts', 'one', '--check', '--after', '1'], { env: env() })).code).toBe(2)
  })
})

it('[P2221] the chains of a corpus in partitions are followed one by one; what was noted of each is looked for in it', async () => {
  const chains = [chained(3), chained(2)].map((all, partition) => all.map((one) => ({ ...one, partition })))
  const [first, second] = chains
  const head = `${first?.[2]?.hash},${second?.[1]?.hash}`
  it1.next(`${BASE}/receipts`, page(first ?? [], 'Mg'), page(second ?? []))
  const whole = await loam(['receipts', 'one', '--check', '--json'], { env: env() })
  expect([whole.code, JSON.parse(whole.out)]).toEqual([0, { verdict: 'whole', receipts: 5, version: 5, head, faults: [] }])
  const earlier = `${first?.[0]?.hash},${'0'.repeat(64)}`
  it1.next(`${BASE}/receipts`, page(chains.flat()))
  const noted = await loam(['receipts', 'one', '--head', earlier, '--json'], { env: env() })
  expect([noted.code, JSON.parse(noted.out).noted]).toEqual([0, 1])
  it1.next(`${BASE}/receipts`, page(first ?? []))
  expect((await loam(['receipts', 'one', '--head', `${first?.[2]?.hash},${'f'.repeat(64)}`], { env: env() })).code).toBe(1)
  it1.next(`${BASE}/receipts`, page([...(first ?? []), ...(second ?? []).slice(1)]))
  const gap = await loam(['receipts', 'one', '--check', '--json'], { env: env() })
  expect(JSON.parse(gap.out).faults[0]).toBe('the receipt of version 2 of partition 1 does not follow from the one before it')
})

it('[P1775] verify says of an export of a corpus in partitions without receipts that its lines are as they were written, and that nothing proves more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-verify-'))
  const lines = [
    { type: 'corpus', corpus: 'one', version: 3, partitions: 2 },
    { type: 'chunk', id: 'c_1', title: '', text: 'A heron.', tokens: 2, own: 0 },
  ]
  const written = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const end = { type: 'end', counts: { chunk: 1, receipt: 0 }, digest: createHash('sha256').update(written).digest('hex') }
  const file = join(folder, 'one.jsonl')
  writeFileSync(file, `${written}${JSON.stringify(end)}\n`)
  const whole = await loam(['verify', file, '--json'], { env: env() })
  expect([whole.code, JSON.parse(whole.out)]).toEqual([
    0,
    expect.objectContaining({ verdict: 'unchained', rows: 1, version: 3, faults: [] }),
  ])
  expect((await loam(['verify', file, '--head', 'f'.repeat(64)], { env: env() })).code).toBe(1)
  writeFileSync(file, `${written.replace('heron', 'stork')}${JSON.stringify(end)}\n`)
  const altered = await loam(['verify', file, '--json'], { env: env() })
  expect([altered.code, JSON.parse(altered.out).verdict]).toEqual([1, 'broken'])
})

it('[P2400] [P2473] repartition begins the change and waits for it, and says how far it is where it does not', async () => {
  const job = {
    job: 'j_1',
    kind: 'repartition',
    progress: { done: 3, total: 8, documents: { done: 3, total: 8 } },
    usage: { in: 0, out: 0, embedded: 0 },
  }
  it1.next(`${BASE}:repartition`, { status: 202, body: { job: 'j_1' } })
  it1.next(`${BASE}/jobs/j_1`, { body: { ...job, status: 'succeeded' } })
  expect(await loam(['repartition', '16', '-c', 'one'], { env: env() })).toMatchObject({ code: 0, out: 'j_1\trepartition\tsucceeded\t\n' })
  expect(it1.asked.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({ partitions: 16 })
  it1.next(`${BASE}:repartition`, { status: 202, body: { job: 'j_1' } })
  it1.next(`${BASE}/jobs/j_1`, { body: { ...job, status: 'running' } })
  const told = await loam(['repartition', '16', '-c', 'one', '--detach', '--json'], { env: env() })
  expect([told.code, JSON.parse(told.out).progress.documents]).toEqual([0, { done: 3, total: 8 }])
  for (const [given, kept] of [
    ['erarag, ppr', ['erarag', 'ppr']],
    ['', []],
  ] as const) {
    it1.next(`${BASE}:repartition`, { status: 202, body: { job: 'j_1' } })
    it1.next(`${BASE}/jobs/j_1`, { body: { ...job, status: 'running' } })
    await loam(['repartition', '8', '-c', 'one', '--detach', '--strategies', given], { env: env() })
    expect(it1.asked.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({ partitions: 8, strategies: kept })
  }
  expect((await loam(['repartition', 'many', '-c', 'one'], { env: env() })).code).toBe(2)
})

it('[P2486] repartition --estimate says what it would write and cost, and begins nothing', async () => {
  const tokens = { in: 9000, out: 800, embedded: 800 }
  const estimate = {
    documents: 40,
    chunks: 52,
    rows: { min: 1200, max: 2600 },
    bytes: 3_400_000,
    vectors: 310,
    summaries: { calls: 12, tokens, usd: 0.0031 },
  }
  const body = { from: 8, to: 16, job: null, estimate, priced_on: '2026-08-28' }
  const begun = () => it1.asked.filter(({ method }) => method === 'POST').length
  const before = begun()
  it1.next(`${BASE}/repartition`, { body }, { body })
  const plain = await loam(['repartition', '16', '-c', 'one', '--estimate'], { env: env() })
  expect(plain).toMatchObject({ code: 0, out: '40\t52\t1200\t2600\t3400000\t310\t12\t0.0031\n' })
  const shown = await loam(['repartition', '16', '-c', 'one', '--estimate', '--json'], { env: env() })
  expect(JSON.parse(shown.out)).toEqual(body)
  expect(begun()).toBe(before)
})

it('[N1777] reindex builds the graph again, or does the one other thing it was told, and waits unless told not to', async () => {
  const job = { job: 'j_1', kind: 'reindex', progress: { done: 0, total: 1 }, usage: { in: 0, out: 0, embedded: 0 } }
  it1.next(`${BASE}:reindex`, { status: 202, body: { job: 'j_1' } })
  it1.next(`${BASE}/jobs/j_1`, { body: { ...job, status: 'running' } }, { body: { ...job, status: 'succeeded', receipt: { version: 9 } } })
  expect(await loam(['reindex', 'one'], { env: env() })).toMatchObject({ code: 0, out: 'j_1\treindex\tsucceeded\t9\t\n' })
  it1.next(`${BASE}:rebuild`, { status: 202, body: { job: 'j_2' } })
  it1.next(`${BASE}/jobs/j_2`, { body: { ...job, job: 'j_2', kind: 'rebuild', status: 'queued' } })
  expect(await loam(['reindex', 'one', '--rebuild', '--detach'], { env: env() })).toMatchObject({
    code: 0,
    out: 'j_2\trebuild\tqueued\t\t\n',
  })
  it1.next(`${BASE}:consolidate`, { status: 202, body: { job: 'j_3' } })
  it1.next(`${BASE}/jobs/j_3`, { body: { ...job, job: 'j_3', kind: 'consolidate', status: 'failed', error: 'recall' } })
  const failed = await loam(['reindex', 'one', '--consolidate'], { env: env() })
  expect([failed.code, failed.said]).toEqual([1, 'loam: consolidate: the job has failed (recall)\n'])
  expect((await loam(['reindex', 'one', '--consolidate', '--rebuild'], { env: env() })).code).toBe(2)
})

it('[N42] health names what the stores beside the corpus fail with, refuse and were lacking', async () => {
  const sinks = {
    index: { fault: { code: 40012, at: 1_750_000_000_000, tries: 3 }, missing: 2, foreign: 1, refused: 4, delay_ms: 31_400 },
    model: { fault: null, missing: 0, foreign: 0 },
    next_sweep_at: null,
    swept_at: null,
  }
  const health = {
    nodes: null,
    owed: { texts: 0, retry_at: null },
    quarantined: 0,
    quarantine_reasons: {},
    outdated: 0,
    names: 'outdated',
    retries: { waiting: 0, given_up: 0, next_at: null },
    outbox: { entries: 5, versions_behind: 1 },
    sinks,
    storage: { bytes: 7e9, limit: 8e9, share: 0.875 },
    gate: null,
    pending: false,
  }
  it1.next(`${BASE}/health`, { body: health })
  const { out } = await loam(['health', 'one'], { env: env() })
  const index =
    'failing since 2025-06-15T15:06:40.000Z (code 40012, 3 tries); repaired so far: 2 missing, 1 foreign; 4 vectors refused; visible after 31.4 s'
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(lines).toContainEqual(['texts', 'unknown', 'not checked yet'])
  expect(lines).toContainEqual(['outbox', 'look', '5 to send, 1 version behind'])
  expect(lines).toContainEqual(['names', 'look', 'found with rules of an earlier release; `loam reindex` finds them again'])
  expect(lines).toContainEqual(['vector index', 'look', index])
  expect(lines).toContainEqual(['database', 'ok', 'up to date'])
  expect(lines).toContainEqual(['storage', 'look', '7000 MB of 8000 MB'])
  const shown = formatHealth(health as unknown as CorpusHealth).split('\n')
  const at = shown.findIndex((line) => line.startsWith('look    outbox'))
  expect(shown[at]).toContain('The vector index and the database are 1 version behind; 5 entries to send.')
  expect(shown[at + 1]).toMatch(/^ {22}→ Loam sends it within minutes\./)
  expect(shown[0]).toBe('unknown texts         Not checked yet; Loam does that by itself, a few nodes at a time.')
  expect(shown.filter((line) => /^ok .*→/.test(line))).toEqual([])
})

it('[N40] what is forgotten is waited for and shown with its receipt; one that is not there does not keep the others', async () => {
  const receipt = { version: 7, touched: { chunks: 2, edges: 9, entities: 1, summaries: 0, communities: 0 } }
  it1.next(`${BASE}/documents/a%2Fb`, { status: 202, body: { job: 'j_1' } })
  it1.next(`${BASE}/documents/gone`, { status: 404, body: { code: 'document_not_found', detail: 'There is no such document.' } })
  const job = { job: 'j_1', progress: { done: 1, total: 1 } }
  it1.next(`${BASE}/jobs/j_1`, { body: { ...job, status: 'running' } }, { body: { ...job, status: 'succeeded', receipt } })
  const { code, out, said } = await loam(['forget', '--yes', 'a/b', 'gone', '-c', 'one'], { env: env() })
  expect([code, out, said]).toEqual([1, 'a/b\tsucceeded\t7\t2\t9\n', 'loam: gone: there is no such document\n'])
  expect((await loam(['forget', '-c', 'one'], { env: env() })).code).toBe(2)
})

describe('who may read a document', () => {
  it('[N230] is shown, said anew and taken away, with the version from which on it holds', async () => {
    const path = `${BASE}/documents/pay%2F1`
    it1.next(
      path,
      { body: { document: 'pay/1', title: 'Pay', access: ['group:a', 'user:b'] } },
      { body: { document: 'pay/1', access: ['group:c'], version: 8 } },
      { body: { document: 'pay/1', access: [], version: 9 } },
    )
    const ran = async (...words: string[]) => (await loam(['access', 'pay/1', ...words, '-c', 'one'], { env: env() })).out
    expect([await ran(), await ran('group:c'), await ran('--open')]).toEqual([
      'pay/1\t\tgroup:a\tuser:b\n',
      'pay/1\t8\tgroup:c\n',
      'pay/1\t9\n',
    ])
    const sent = it1.asked.filter((one) => one.path === path).map((one) => [one.method, one.body])
    expect(sent).toEqual([
      ['GET', ''],
      ['PATCH', { access: ['group:c'] }],
      ['PATCH', { access: [] }],
    ])
    expect((await loam(['access', 'pay/1', 'group:c', '--open', '-c', 'one'], { env: env() })).code).toBe(2)
  })

  it('[P562] documents are switched off and on, each with the version from which on it holds', async () => {
    const [one, two] = ['pay%2F1', 'b'].map((id) => `${BASE}/documents/${id}`) as [string, string]
    it1.next(one, { body: { document: 'pay/1', access: [], active: false, version: 8 } })
    it1.next(two, { body: { document: 'b', access: [], active: false, version: 9 } })
    const { code, out } = await loam(['documents', 'off', 'pay/1', 'b', '-c', 'one'], { env: env() })
    expect([code, out]).toEqual([0, 'pay/1\toff\t8\nb\toff\t9\n'])
    expect(it1.asked.filter((sent) => sent.path === one).map((sent) => [sent.method, sent.body])).toEqual([['PATCH', { active: false }]])
    for (const words of [['off'], ['on'], ['away', 'b']])
      expect((await loam(['documents', ...words, '-c', 'one'], { env: env() })).code).toBe(2)
  })

  it('[N230] may be asked for somebody', async () => {
    it1.next(`${BASE}/search`, { body: { evidence: [] } })
    expect((await loam(['search', 'heron', '--as', 'group:a,user:b', '-c', 'one'], { env: env() })).code).toBe(0)
    expect(it1.asked.at(-1)?.as).toBe('group:a,user:b')
  })
})

describe('probes', () => {
  const pinned = { probes: [{ query: 'Who?', expect: ['a'] }], k: 10, tolerance: 0.02 }
  const gate = { kind: 'rebuild', promoted: false, recall: { erarag: { before: 1, after: 0.5 } } }
  const health = { probes: { recall: { erarag: 0.75 }, at: null }, gate }

  it('[N42] are shown with what they found last, and what the last gate said', async () => {
    it1.next(`${BASE}/probes`, { body: pinned })
    it1.next(`${BASE}/health`, { body: health })
    const { out } = await loam(['probes', '-c', 'one'], { env: env() })
    expect(out).toBe('probe\t1\tWho?\ta\nrecall\terarag\t0.75\ngate\trebuild\trefused\terarag\t1\t0.5\n')
  })

  it('[N42] one more is put beside those there are, and one is removed by its number', async () => {
    const both = [...pinned.probes, { query: 'When?', expect: ['b', 'c'] }]
    const after = { ...pinned, k: 5, probes: both }
    it1.next(
      `${BASE}/probes`,
      { body: pinned },
      { body: { count: 2 } },
      { body: after },
      { body: after },
      { body: { count: 1 } },
      { body: pinned },
    )
    it1.next(`${BASE}/health`, { body: health }, { body: health })
    expect((await loam('probes add When? --expect b --expect c -k 5 -c one'.split(' '), { env: env() })).code).toBe(0)
    expect((await loam(['probes', 'remove', '1', '-c', 'one'], { env: env() })).code).toBe(0)
    const puts = it1.asked.flatMap(({ method, body }) => (method === 'PUT' ? [body] : []))
    expect(puts).toEqual([after, { ...after, probes: [both[1]] }])
  })

  it('[N42] each with the places it was found at last, and what the last gate saw change', async () => {
    const at = (rank: number | null, recall = 1) => ({ recall: rank === null ? 0 : recall, rank })
    const last = { at: 1, found: { erarag: at(3, 0.5), ketrag: at(null) } }
    const weighed = { at: 1, job: 'j', kind: 'rebuild', found: { erarag: { before: at(1), after: at(null) } } }
    it1.next(`${BASE}/probes`, { body: { ...pinned, probes: [{ ...pinned.probes[0], missing: ['a'], last, gate: weighed }] } })
    it1.next(`${BASE}/health`, { body: { ...health, gate: null } })
    const { out } = await loam(['probes', '-c', 'one'], { env: env() })
    expect(out.split('\n').slice(0, 5)).toEqual([
      'probe\t1\tWho?\ta',
      'missing\t1\ta',
      'found\t1\terarag\t0.5\t3',
      'found\t1\tketrag\t0\t',
      'weighed\t1\terarag\t1\t1\t0\t',
    ])
  })

  it('[N42] where others were pinned meanwhile, the same is done to what is pinned now', async () => {
    const probe = (query: string) => ({ query, expect: ['a'] })
    const read = (revision: string, ...queries: string[]) => ({ body: { ...pinned, probes: queries.map(probe), revision } })
    const late = { status: 412, body: { code: 'precondition_failed', detail: 'Other probes have been pinned since.' } }
    const done = { body: { count: 1 } }
    it1.next(`${BASE}/probes`, read('r1', 'Who?'), late, read('r2', 'Who?', 'Theirs?'), done, read('r3'))
    it1.next(`${BASE}/health`, { body: health }, { body: health })
    expect((await loam('probes add Mine? --expect a -c one'.split(' '), { env: env() })).code).toBe(0)
    it1.next(`${BASE}/probes`, read('r4', 'Who?', 'Mine?'), late, read('r5', 'Theirs?', 'Who?', 'Mine?'), done, read('r6'))
    expect((await loam('probes remove 1 -c one'.split(' '), { env: env() })).code).toBe(0)
    const puts = it1.asked.filter(({ method }) => method === 'PUT')
    const queries = (body: unknown) => (body as { probes: { query: string }[] }).probes.map(({ query }) => query)
    expect(puts.map(({ only, body }) => [only, queries(body)])).toEqual([
      ['"r1"', ['Who?', 'Mine?']],
      ['"r2"', ['Who?', 'Theirs?', 'Mine?']],
      ['"r4"', ['Mine?']],
      ['"r5"', ['Theirs?', 'Mine?']],
    ])
  })

  it.each([[['add', 'Who?']], [['add', '--expect', 'a']], [['remove', 'x']], [['burn']], [['--tolerance', '2']]])(
    '[N42] %j is misuse, and nothing is put',
    async (args) => {
      const { code } = await loam(['probes', ...args, '-c', 'one'], { env: env() })
      expect([code, it1.asked]).toEqual([2, []])
    },
  )
})

describe('names', () => {
  const LIND = `e_${'a'.repeat(22)}`
  const OTHER = `e_${'b'.repeat(22)}`

  it('[N43] are merged and split by id or by name, whatever its case', async () => {
    const found = page([
      { id: 'e_x', text: 'Marta Lindholm' },
      { id: LIND, text: 'Marta Lind' },
    ])
    it1.next(`${BASE}/entities`, found, found)
    it1.next(`${BASE}/entities/${LIND}:merge`, { body: { status: 'done', decision: 1 } })
    it1.next(`${BASE}/entities/${LIND}:unmerge`, { body: { status: 'unchanged', decision: null } })
    const merged = await loam(['names', 'merge', 'marta lind', OTHER, '-c', 'one'], { env: env() })
    const parted = await loam(['names', 'unmerge', 'Marta Lind', '-c', 'one'], { env: env() })
    expect([merged.out, parted.out]).toEqual(['merge\tdone\n', 'unmerge\tunchanged\n'])
    expect(sent().filter(([method]) => method === 'POST')).toEqual([
      ['POST', `${BASE}/entities/${LIND}:merge`, { with: OTHER }],
      ['POST', `${BASE}/entities/${LIND}:unmerge`, {}],
    ])
  })

  it('[N43] a name no entity has is refused with those that are like it; decisions are listed', async () => {
    it1.next(`${BASE}/entities`, page([{ id: LIND, text: 'Marta Lind' }]))
    const { code, said } = await loam(['names', 'merge', 'Lind', OTHER, '-c', 'one'], { env: env() })
    expect([code, said]).toEqual([1, 'loam: no entity is called "Lind"; there is Marta Lind\n'])
    const decided = { n: 0, op: 'merge', a: LIND, b: OTHER, names: ['Marta Lind', ''], by: 'rule', spelling: 0.9, context: 0.7 }
    it1.next(`${BASE}/entities/merges`, page([decided]))
    expect((await loam(['names', '-c', 'one'], { env: env() })).out).toBe('0\tmerge\tMarta Lind\t\trule\t0.9\t0.7\n')
    expect((await loam(['names', 'merge', 'one'], { env: env() })).code).toBe(2)
  })

  it('[N700] entities are decided about by id or by name, decisions are listed, and one is undone by its number', async () => {
    const found = page([{ id: LIND, text: 'Marta Lind' }])
    it1.next(`${BASE}/entities`, found, found, found, { body: { status: 'done', decision: 5, entity: OTHER } })
    it1.next(`${BASE}/entities/${LIND}:rename`, { body: { status: 'done', decision: 3 } })
    it1.next(`${BASE}/relations`, { body: { status: 'unchanged', decision: null } })
    it1.next(`${BASE}/entities/${LIND}:split`, { body: { status: 'done', decision: 4 } })
    it1.next(`${BASE}/decisions/3`, { body: { status: 'done', decision: 3 } })
    const row = { n: 3, op: 'rename', entity: LIND, name: 'Marta Lind', text: 'M. Lind', at: '2026-01-01T00:00:00.000Z', by: 'k' }
    it1.next(`${BASE}/decisions`, page([row]))
    const say = async (...words: string[]) => (await loam(['entities', ...words, '-c', 'one'], { env: env() })).out
    expect([
      await say('rename', 'marta lind', 'M. Lind'),
      await say('relate', 'Marta Lind', OTHER, 'taught her'),
      await say('split', 'Marta Lind', 'Another Lind', 'a.md', 'b.md'),
      await say('add', 'glass furnace', 'a.md', '--type', 'machine'),
      await say('undo', '3'),
      await say('decisions'),
    ]).toEqual([
      'rename\tdone\t3\n',
      'relate\tunchanged\t\n',
      'split\tdone\t4\n',
      `add\tdone\t5\t${OTHER}\n`,
      'undo\tdone\t3\n',
      '3\trename\tMarta Lind\t\tM. Lind\tk\t2026-01-01T00:00:00.000Z\n',
    ])
    expect(sent().filter(([method]) => method === 'POST')).toEqual([
      ['POST', `${BASE}/entities/${LIND}:rename`, { name: 'M. Lind' }],
      ['POST', `${BASE}/relations`, { source: LIND, target: OTHER, description: 'taught her' }],
      ['POST', `${BASE}/entities/${LIND}:split`, { name: 'Another Lind', documents: ['a.md', 'b.md'] }],
      ['POST', `${BASE}/entities`, { name: 'glass furnace', type: 'machine', documents: ['a.md'] }],
    ])
    const wrong = await Promise.all(
      [
        ['undo', 'x'],
        ['merge', 'one'],
        ['pin', 'a', 'b'],
      ].map((words) => loam(['entities', ...words, '-c', 'one'], { env: env() })),
    )
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2])
  })

  it('[N43] a name that several have is refused with what distinguishes them', async () => {
    const of = (id: string, title: string) => ({ id, text: 'Mercury', about: { document: id, title } })
    it1.next(`${BASE}/entities`, page([of(LIND, 'Mercury (planet)'), of(OTHER, 'Mercury (mythology)')]))
    const { code, said } = await loam(['names', 'merge', 'mercury', LIND, '-c', 'one'], { env: env() })
    const each = `${LIND} (Mercury (planet)), ${OTHER} (Mercury (mythology))`
    expect([code, said]).toEqual([1, `loam: several entities are called "mercury"; say which by its id: ${each}\n`])
    expect(sent().filter(([method]) => method === 'POST')).toEqual([])
  })
})
