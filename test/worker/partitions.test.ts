/** A corpus in partitions, through the same calls as any other. */
import { env, exports } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyExport } from '../../cli/verifying/verify-export'
import { corpusOf } from '../../src/adapters/corpus'
import { databasesOf } from '../../src/adapters/databases'
import { listings } from '../../src/adapters/read-model/listings'
import type { CommitReceipt } from '../../src/contract/receipts'
import { partOf } from '../../src/core/joint/part-of'
import { jurisdictionOf, newUid, partitionsOf, partitionUids } from '../../src/corpus-uid'
import { accept, maintain } from '../../src/flows/partitions/documents'
import { retrieveJointly } from '../../src/flows/partitions/retrieve'
import { partOf as exportPart, type Mark, readMark, type Writer } from '../../src/http/export-parts'
import type { AuditEntry } from '../../src/ports/audit'
import type { CorpusRecord } from '../../src/ports/catalogue'
import type { CorpusRef } from '../../src/ports/corpus'
import type { ExportedRow } from '../../src/ports/export'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, config, doc, embed, find, foundDocuments, indexed, newCorpus, put, remove, settled, texts } from './corpora'
import { bodyOf } from './living'
import { ended } from './waiting'

const PARTS = 3

async function dividedCorpus(strategies: readonly string[] = []): Promise<{ uid: string; corpus: CorpusObject; parts: CorpusObject[] }> {
  const uid = newUid({ partitions: PARTS })
  const corpus = corpusOf(bindings.CORPUS, uid)
  await corpus.configure(config(uid, strategies))
  return { uid, corpus, parts: partitionUids(uid).map((one) => corpusOf(bindings.CORPUS, one)) }
}

const shown = async (corpus: CorpusObject, text: string, strategy: string) => {
  const found = await find(corpus, text, strategy)
  if (found.kind !== 'evidence') throw new Error(found.kind)
  return found.evidence.map((one) => [one.document, one.start, one.end, one.score.toFixed(6)])
}

describe('a corpus in partitions', () => {
  it('[P1223] has a uid that says how many there are, where it is, and which are its partitions', () => {
    const uid = newUid({ jurisdiction: 'eu', partitions: 12 })
    expect([
      uid.length,
      partitionsOf(uid),
      jurisdictionOf(uid),
      partitionsOf(newUid({ jurisdiction: 'eu' })),
      partitionUids(newUid()),
    ]).toEqual([32, 12, 'eu', 1, []])
    const parts = partitionUids(uid)
    expect([new Set(parts).size, ...parts.map((one) => [one.length, jurisdictionOf(one), partitionsOf(one)].join())]).toEqual([
      12,
      ...parts.map(() => '32,eu,1'),
    ])
  })

  it('[P1224] answers by words as one object does, id by id and score by score, and by words and vectors too', async () => {
    const [one, { corpus, parts }] = await Promise.all([newCorpus(), dividedCorpus()])
    const documents = texts.map(([id, text]) => doc(id, text))
    const [, job] = await Promise.all([put(one.corpus, ...documents), put(corpus, ...documents)])
    expect([job.status, job.receipt?.touched.documents, job.progress.documents]).toEqual(['succeeded', texts.length, { done: 8, total: 8 }])
    const held = await Promise.all(parts.map(async (part) => (await part.documents(null, 50, 'all')).data.map(({ document }) => document)))
    expect(held).toEqual(
      parts.map((_, part) =>
        texts
          .map(([id]) => id)
          .filter((id) => partOf(id, PARTS) === part)
          .sort(),
      ),
    )
    for (const question of ['the old mill at the pond', 'stone and sand on Tuesdays', 'the wind'])
      for (const strategy of ['keyword', 'hybrid', 'vector']) {
        expect([question, strategy, await shown(corpus, question, strategy)]).toEqual([
          question,
          strategy,
          await shown(one.corpus, question, strategy),
        ])
      }
    expect((await foundDocuments(corpus, 'where does the heron wait', 'auto'))[0]).toBe('heron')
  })

  it('[F2100] lists the documents of a prefix as one', async () => {
    const { corpus } = await dividedCorpus()
    await put(corpus, ...texts.slice(0, 6).map(([, text], i) => doc(`part-${i}`, text)), doc('whole', 'The heron stands.'))
    const first = await corpus.documents(null, 4, undefined, 'part-')
    const rest = await corpus.documents(first.next_cursor, 4, undefined, 'part-')
    expect([first, rest].map(({ data }) => data.map((one) => one.document))).toEqual([
      ['part-0', 'part-1', 'part-2', 'part-3'],
      ['part-4', 'part-5'],
    ])
    expect(rest.next_cursor).toBeNull()
  })

  it('[P1225] lists, shows, counts and forgets its documents as one, and a job is done when all of its parts are', async () => {
    const { corpus } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const ids = texts.map(([id]) => id as string).sort()
    const first = await corpus.documents(null, 3)
    const rest = await corpus.documents(first.next_cursor, 50)
    expect([...first.data, ...rest.data].map((one) => one.document)).toEqual(ids)
    expect([(await corpus.document('heron'))?.text, await corpus.document('nobody')]).toEqual([texts[1][1], null])
    const before = await corpus.view()
    expect([before?.status, before?.counts.documents]).toEqual(['settled', texts.length])
    const accepted = await corpus.accept({ kind: 'batch', upserts: [], deletes: ['heron', 'salt', 'glass', 'clock'] })
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
    const job = await settled(corpus, accepted.job)
    expect([job.job, job.status]).toEqual([accepted.job, 'succeeded'])
    const after = await corpus.view()
    expect([after?.counts.documents, (after?.version ?? 0) > (before?.version ?? 0)]).toEqual([4, true])
    expect(await foundDocuments(corpus, 'heron salt glass clock', 'keyword')).toEqual([])
    expect((await corpus.jobs(null, 50)).data.map((one) => one.job)).toContain(accepted.job)
    const single = await remove(corpus, 'mill')
    expect([single.status, (await corpus.job(single.job, 0))?.status]).toEqual(['succeeded', 'succeeded'])
    expect(await corpus.accept({ kind: 'delete', upserts: [], deletes: ['mill'] })).toEqual({ kind: 'missing' })
  })

  it('[P1225] does nothing of a request of which one partition refuses its part', async () => {
    const { corpus, parts } = await dividedCorpus()
    await put(corpus, doc('mill', texts[0][1]))
    const full = partOf('heron', PARTS)
    const refusing = parts.map((part, i) =>
      i === full ? { ...part, accept: async () => ({ kind: 'full', what: 'chunks', max: 7 }) as const } : part,
    )
    const upserts = texts.map(([id, text]) => doc(id, `${text} Again.`))
    expect(await accept(refusing, { kind: 'batch', upserts, deletes: [] })).toEqual({ kind: 'full', what: 'chunks', max: 7 })
    const job = (await corpus.jobs(null, 50)).data.find((one) => one.kind === 'batch')
    expect((await settled(corpus, job?.job ?? '')).status).toBe('cancelled')
    expect((await corpus.documents(null, 50)).data.flatMap((one) => (one.status === 'ready' ? one.document : []))).toEqual(['mill'])
    expect(await foundDocuments(corpus, 'again', 'keyword')).toEqual([])
  })

  it('[P1226] shows an asker what they may see, and a filter what it admits, in every partition', async () => {
    const { corpus } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text], i) => doc(id, text, { access: i % 2 ? ['group:few'] : [], metadata: { half: i % 2 } })))
    const even = texts.flatMap(([id, text], i) => (i % 2 === 0 && text.includes('mill') ? [id] : []))
    expect((await foundDocuments(corpus, 'mill', 'keyword', { asker: [] })).sort()).toEqual([...even].sort())
    const all = { asker: 'all' } as const
    const odd = await foundDocuments(corpus, 'mill', 'hybrid', { ...all, filters: { metadata: { half: 1 } } })
    expect(odd.length).toBeGreaterThan(0)
    expect(odd.filter((id) => texts.findIndex(([one]) => one === id) % 2 === 0)).toEqual([])
  })

  it('[P1227] names a partition that does not answer, and answers from the others', async () => {
    const { corpus, parts } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const lost = partOf('heron', PARTS)
    const broken = parts.map((part, i) => (i === lost ? { ...part, readPartition: () => Promise.reject(new Error('away')) } : part))
    const request = { strategy: 'keyword', text: 'the mill at the pond', near: {}, topK: 8, budget: 4000, trace: false, options: {} }
    const found = await retrieveJointly({ parts: broken }, request)
    if (found.kind !== 'evidence') throw new Error(found.kind)
    expect(found.skipped).toEqual([lost])
    expect(found.evidence.length).toBeGreaterThan(0)
    expect(found.evidence.filter((one) => partOf(one.document ?? '', PARTS) === lost)).toEqual([])
    const none = parts.map((part) => ({ ...part, readPartition: () => Promise.reject(new Error('away')) }))
    await expect(retrieveJointly({ parts: none }, request)).rejects.toThrow('partitions')
  })

  it('[P1228] has one version, which an answer reaches or says how far it is, and refuses by name what it does not do', async () => {
    const { corpus } = await dividedCorpus()
    const job = await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const version = (await corpus.view())?.version ?? 0
    const at = async (minVersion: number) => find(corpus, 'mill', 'keyword', { minVersion })
    const found = await at(version)
    expect([found.kind, 'version' in found && found.version, version >= (job.receipt?.version ?? 0)]).toEqual(['evidence', version, true])
    expect(await at(version + 1)).toEqual({ kind: 'behind', version })
    expect((await find(corpus, 'mill', 'archrag')).kind).toBe('strategy_not_enabled')
    await expect(corpus.labels(null, 5)).rejects.toThrow('corpus: partitioned')
    expect(
      (
        await corpus.retrieve({
          strategy: 'vector',
          text: 'mill',
          vector: await embed('mill'),
          near: {},
          topK: 3,
          budget: 900,
          trace: false,
          options: {},
        })
      ).kind,
    ).toBe('evidence')
  })

  it('[P1771] is exported as documents and texts, in parts too, and from them made again with another number of partitions', async () => {
    const name = `moved-${Date.now().toString(36)}`
    await call('PUT', `/v1/corpora/${name}`, { partitions: PARTS })
    const upserts = texts.map(([id, text], n) => ({
      id,
      text,
      title: `On ${id}`,
      metadata: { n },
      ...(n === 0 ? { access: ['group:few'] } : {}),
    }))
    await done(name, (await call('POST', `/v1/corpora/${name}/documents:batch`, { upserts })).body.job)
    const whole = await lines(`/v1/corpora/${name}/export`)
    const kinds = Map.groupBy(whole, (one) => one.type)
    expect([...kinds.keys()]).toEqual(['corpus', 'document', 'chunk', 'node', 'receipt', 'end'])
    expect((kinds.get('document') ?? []).map((one) => one.id).sort()).toEqual(texts.map(([id]) => id as string).sort())
    expect(kinds.get('end')?.[0].counts).toMatchObject({
      document: texts.length,
      chunk: texts.length,
      receipt: kinds.get('receipt')?.length,
    })
    // The same by parts that end after any page, as an invocation does that may make few calls.
    const { DB } = env as unknown as { DB: D1Database }
    const record = await DB.prepare('SELECT uid, database FROM corpus WHERE name = ?').bind(name).first<CorpusRef>()
    expect(record && (await inParts(record, 1))).toEqual(
      whole.filter(({ type }) => type === 'document' || type === 'chunk').map((one) => one.id),
    )
    for (const partitions of [2, 1]) {
      const other = `${name}-${partitions}`
      await call('PUT', `/v1/corpora/${other}`, { partitions })
      const body = whole.map((one) => JSON.stringify(one)).join('\n')
      const sent = await app.fetch(`https://loam.test/v1/corpora/${other}:import`, { ...init('POST'), body, headers: NDJSON })
      const { jobs } = (await sent.json()) as { jobs: string[] }
      for (const job of jobs) await done(other, job)
      const taken = await call('GET', `/v1/corpora/${other}/documents/mill`)
      expect([taken.body.text, taken.body.title, taken.body.metadata, taken.body.access]).toEqual([
        texts[0][1],
        'On mill',
        { n: 0 },
        ['group:few'],
      ])
      expect((await call('GET', `/v1/corpora/${other}`)).body.counts.documents).toBe(texts.length)
    }
  }, 120_000)

  it('[P2220] has the receipts of every partition, chained in each, by which its export is verified as a whole', async () => {
    const name = `proved-${Date.now().toString(36)}`
    const base = `/v1/corpora/${name}`
    await call('PUT', base, { partitions: PARTS })
    const upserts = texts.map(([id, text]) => ({ id, text, title: `On ${id}` }))
    await done(name, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
    const listed: CommitReceipt[] = []
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `${base}/receipts?limit=2${cursor && `&cursor=${cursor}`}`)
      listed.push(...body.data)
      if (body.next_cursor === null) break
      cursor = body.next_cursor
    }
    const { body: about } = await call('GET', base)
    const chains = Map.groupBy(listed, (one) => one.partition)
    expect([...chains.keys()]).toEqual([0, 1, 2])
    expect([...chains.values()].map((all) => all.at(-1)?.version)).toEqual(about.versions)
    expect(about.versions.reduce((sum: number, one: number) => sum + one, 0)).toBe(about.version)
    const { body: second } = await call('GET', `${base}/receipts?partition=1&after=1`)
    expect(second.data).toEqual(chains.get(1)?.filter(({ version }) => version > 1))
    expect((await call('GET', `${base}/receipts?partition=${PARTS}`)).body.code).toBe('invalid')
    const written = (await lines(`${base}/export`)).map((one) => JSON.stringify(one))
    const verdict = await verifyExport(written)
    const head = [...chains.values()].map((all) => all.at(-1)?.hash).join()
    expect(verdict).toMatchObject({ verdict: 'whole', version: about.version, head, receipts: listed.length, faults: [] })
    const without = async (is: (line: { type: string; partition?: number }) => boolean) => {
      const left = written.filter((line) => !is(JSON.parse(line)))
      return (await verifyExport(left)).verdict
    }
    expect(await without(({ type, partition }) => type === 'receipt' && partition === 1)).toBe('broken')
    let [node, receipt] = [0, 0]
    expect(await without(({ type }) => type === 'node' && node++ === 0)).toBe('broken')
    expect(await without(({ type, partition }) => type === 'receipt' && partition === 2 && receipt++ === 0)).toBe('broken')
  }, 60_000)

  it('[P2228] is exported as one graph: what several partitions name is one node, also in parts', async () => {
    const name = `drawn-${Date.now().toString(36)}`
    await call('PUT', `/v1/corpora/${name}`, { partitions: PARTS })
    const upserts = Array.from({ length: 9 }, (_, n) => ({ id: `d${n}`, text: `Anna Berg met Otto Brandt in Port Ellis on day ${n}.` }))
    upserts.push(
      { id: 'same-0', text: 'Anna Berg slept.' },
      { id: 'same-1', text: 'Anna Berg slept.' },
      { id: 'same-4', text: 'Anna Berg slept.' },
    )
    expect(new Set(upserts.slice(9).map(({ id }) => partOf(id, PARTS))).size).toBeGreaterThan(1)
    await done(name, (await call('POST', `/v1/corpora/${name}/documents:batch`, { upserts })).body.job)
    // The route waits until D1 has everything; what is read directly below does not.
    const response = await app.fetch(`https://loam.test/v1/corpora/${name}/export?format=graphml`, init('GET'))
    const xml = await bodyOf(response)
    const nodesOf = (rows: ExportedRow[]) => rows.flatMap((row) => (row.type === 'edge' || !('id' in row) ? [] : [row.id]))
    const { DB } = env as unknown as { DB: D1Database }
    const record = await DB.prepare('SELECT uid, database FROM corpus WHERE name = ?').bind(name).first<CorpusRef>()
    if (!record) throw new Error('no corpus')
    const apart = await rowsInParts(record, 1)
    const one = await rowsInParts(record, PARTS, true)
    const ids = nodesOf(one)
    expect(nodesOf(apart).length).toBeGreaterThan(ids.length)
    expect([...ids].sort()).toEqual([...new Set(nodesOf(apart))].sort())
    expect(new Set(ids).size).toBe(ids.length)
    expect([...xml.matchAll(/<node id="([^"]*)"/g)].map(([, id]) => id)).toEqual(ids)
    expect([response.status, xml.match(/>anna berg</gi)?.length, xml.trimEnd().endsWith('</graphml>')]).toEqual([200, 1, true])
  }, 60_000)

  it('[P1772] is reindexed, rebuilt and put in order by one job that all partitions do', async () => {
    const { corpus, parts } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    for (const kind of ['reindex', 'consolidate', 'rebuild', 'languages'] as const) {
      const accepted = await corpus.maintain(kind, {})
      if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
      const job = await settled(corpus, accepted.job)
      expect([job.job, job.kind, job.status]).toEqual([accepted.job, kind, 'succeeded'])
      expect(await Promise.all(parts.map(async (part) => (await part.job(accepted.job, 0))?.status))).toEqual(parts.map(() => 'succeeded'))
    }
    expect((await foundDocuments(corpus, 'heron pond', 'keyword'))[0]).toBe('heron')
  })

  it('[P1772] where one partition cannot, no other does', async () => {
    const { corpus, parts } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const cancelled: string[] = []
    const some = parts.map((part, i) => ({
      ...part,
      maintain: async (...asked: Parameters<CorpusObject['maintain']>) =>
        i === 1 ? ({ kind: 'full', what: 'storage_bytes', max: 7 } as const) : part.maintain(...asked),
      cancel: async (job: string) => {
        cancelled.push(job)
        return part.cancel(job)
      },
    }))
    expect(await maintain(some, 'reindex', {})).toEqual({ kind: 'full', what: 'storage_bytes', max: 7 })
    expect([cancelled.length, new Set(cancelled).size]).toEqual([PARTS - 1, 1])
  })

  it('[P1773] tells of its health as one, with the fullest partition’s share, and of who did what by time', async () => {
    const { corpus, parts } = await dividedCorpus()
    const by = { key: 'k1', door: 'http' } as const
    const done = await corpus.accept({ kind: 'batch', upserts: texts.map(([id, text]) => doc(id, text)), deletes: [] }, by)
    if (done.kind !== 'accepted') throw new Error(done.kind)
    await settled(corpus, done.job)
    await corpus.noteAudit([{ action: 'hook.create', subject: 'wh_1', outcome: 'asked' }], by)
    const [health, ...each] = await Promise.all([corpus, ...parts].map((one) => one.health()))
    const sum = (of: (one: NonNullable<typeof health>) => number) => each.reduce((total, one) => total + (one ? of(one) : 0), 0)
    expect([health?.version, health?.storage.bytes, health?.storage.limit]).toEqual([
      sum((one) => one.version),
      sum((one) => one.storage.bytes),
      sum((one) => one.storage.limit),
    ])
    expect([health?.storage.share, health?.head]).toEqual([Math.max(...each.map((one) => one?.storage.share ?? 0)), null])
    const all = await corpus.audit({ before: null, since: 0, limit: 100 })
    expect(all[0]).toMatchObject({ action: 'hook.create', partition: -1 })
    expect(all.flatMap((one) => (one.action === 'document.put' ? one.document : [])).sort()).toEqual(
      texts.map(([id]) => id as string).sort(),
    )
    expect(all.map((one) => one.at)).toEqual(all.map((one) => one.at).sort((a, b) => b - a))
    const paged: AuditEntry[] = []
    for (let before: AuditEntry | null = null; ; ) {
      const page: readonly AuditEntry[] = await corpus.audit({ before, since: 0, limit: 2 })
      paged.push(...page)
      before = page.at(-1) ?? null
      if (page.length < 2) break
    }
    expect(paged).toEqual(all)
  })

  it('[P1774] takes what webhooks bring, an event once', async () => {
    const name = `hooked-${Date.now().toString(36)}`
    await call('PUT', `/v1/corpora/${name}`, { partitions: PARTS })
    const { body: hook } = await call('POST', `/v1/corpora/${name}/hooks`, { preset: 'standard' })
    const event = JSON.stringify({ id: 'heron', text: texts[1][1] })
    const now = new Date()
    const headers = {
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(hook.secret).sign('e1', now, event),
    }
    const send = async () =>
      (await app.fetch(`https://loam.test/v1/hooks/${hook.hook}`, { method: 'POST', body: event, headers })).json<{
        job: string
        status?: string
      }>()
    const first = await send()
    expect((await done(name, first.job)).status).toBe('succeeded')
    expect(await send()).toEqual({ status: 'duplicate', job: first.job })
    expect((await call('GET', `/v1/corpora/${name}/documents/heron`)).body.text).toBe(texts[1][1])
    expect((await call('GET', `/v1/corpora/${name}/documents/heron/file`)).body.code).toBe('file_not_found')
    const { body: audit } = await call('GET', `/v1/corpora/${name}/audit?limit=1`)
    const { body: rest } = await call('GET', `/v1/corpora/${name}/audit?cursor=${audit.next_cursor}`)
    const entries = [...audit.data, ...rest.data].map((one: { action: string; partition: number }) => [one.action, one.partition])
    expect(entries).toContainEqual(['document.put', partOf('heron', PARTS)])
    expect(entries).toContainEqual(['hook.create', -1])
  })

  it('[P1230] goes through the doors as any other, and of one that is deleted no partition keeps anything', async () => {
    const name = `parts-${Date.now().toString(36)}`
    const base = `/v1/corpora/${name}`
    const made = await call('PUT', base, { partitions: PARTS })
    expect([made.status, made.body.partitions]).toEqual([201, PARTS])
    const upserts = texts.map(([document, text]) => ({ id: document, text, title: `On ${document}` }))
    const batch = await call('POST', `${base}/documents:batch`, { upserts })
    expect([batch.status, (await done(name, batch.body.job)).status]).toEqual([202, 'succeeded'])
    await indexed()
    const answer = await call('POST', `${base}/query`, { query: 'When is bread baked?' })
    expect([answer.status, answer.body.answered, answer.body.citations[0]?.document, answer.body.degraded]).toEqual([200, true, 'mill', []])
    const [citation] = answer.body.citations
    expect(texts[0][1].slice(citation.start, citation.end)).toBe(citation.quote)
    const streamed = await app.fetch(`https://loam.test${base}/query`, {
      ...init('POST', { query: 'Where does the heron wait?', stream: true }),
    })
    expect(await streamed.text()).toMatch(/event: citation\ndata: .*"document":"heron"/)
    const compared = await call('POST', `${base}/compare`, { query: 'the wind', strategies: ['keyword', 'auto'] })
    expect(compared.body.results.map((one: { evidence: { document: string }[] }) => one.evidence[0]?.document)).toEqual(['sail', 'sail'])
    const shown = await call('GET', base)
    expect([shown.body.status, shown.body.counts.documents]).toEqual(['settled', texts.length])
    expect((await call('GET', `${base}/documents/heron`)).body.text).toBe(texts[1][1])
    expect((await call('DELETE', `${base}/documents/heron?wait=20`)).body.status).toBe('succeeded')
    expect((await call('GET', `${base}/documents/heron`)).body.code).toBe('document_not_found')
    expect((await call('GET', `${base}/labels`)).body.code).toBe('partitioned')
    const { DB } = env as unknown as { DB: D1Database }
    const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
    const gone = await call('DELETE', base)
    expect((await done(name, gone.body.job)).status).toBe('succeeded')
    expect((await call('GET', base)).body.code).toBe('corpus_not_found')
    const left = await Promise.all([uid, ...partitionUids(uid)].map((one) => corpusOf(bindings.CORPUS, one).view()))
    expect([partitionsOf(uid), ...left]).toEqual([PARTS, null, ...partitionUids(uid).map(() => null)])
  }, 120_000)
})

const app = (exports as unknown as { default: Fetcher }).default

function init(method: string, body?: object) {
  const headers = { authorization: 'Bearer local-development-key', ...(body ? { 'content-type': 'application/json' } : {}) }
  return { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
}

async function call(method: string, path: string, body?: object) {
  const response = await app.fetch(`https://loam.test${path}`, init(method, body))
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  return { status: response.status, body: JSON.parse((await bodyOf(response)) || 'null') as any }
}

async function done(name: string, job: string): Promise<{ readonly status: string }> {
  return ended(job, async () => {
    await indexed()
    const { status, body } = await call('GET', `/v1/corpora/${name}/jobs/${job}?wait=1`)
    return status === 200 ? body : { status: `${status} ${body?.code}` }
  })
}

const NDJSON = { authorization: 'Bearer local-development-key', 'content-type': 'application/x-ndjson' }

async function lines(path: string) {
  const response = await app.fetch(`https://loam.test${path}`, init('GET'))
  const text = await response.text()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Ids of the texts that an export brings by parts of so many calls. */
async function inParts(stored: CorpusRef, calls: number): Promise<string[]> {
  const rows = await rowsInParts(stored, calls)
  return rows.flatMap((row) => (row.type === 'document' || row.type === 'chunk' ? row.id : []))
}

async function rowsInParts(stored: CorpusRef, calls: number, isJoined = false): Promise<ExportedRow[]> {
  const { uid } = stored
  const record = { ...stored, strategies: [] } as unknown as CorpusRecord
  const objectAt = (of: string) => corpusOf(bindings.CORPUS, of)
  const source = { record, object: objectAt(uid), objectAt, asker: 'all' as const, listings: listings(databasesOf(bindings)), isJoined }
  const rows: ExportedRow[] = []
  for (let from: Mark | undefined, more = true; more; ) {
    let next: string | undefined
    const writer: Writer = {
      head: () => '',
      row: (row) => {
        rows.push(row)
        return ''
      },
      carried: () => ({}),
      next: (cursor) => {
        next = cursor
        return ''
      },
      end: () => '',
    }
    const bounds = { calls, bytes: 1_000_000, firstRows: 1, maxRows: 1 }
    for await (const _ of exportPart(source, { writer, version: 1, from, encode: (mark) => mark }, bounds)) void _
    more = next !== undefined
    from = next === undefined ? undefined : readMark(next, uid)
  }
  return rows
}

describe('the graph of a corpus in partitions', () => {
  const story = (n: number) => `Anna Berg met Otto Brandt in Port Ellis on day ${n}.`

  it('[P2229] lists entities of all partitions, each once, and tells of one what all say, to each asker what they may read', async () => {
    const name = `seen-${Date.now().toString(36)}`
    const base = `/v1/corpora/${name}`
    await call('PUT', base, { partitions: PARTS })
    const upserts: object[] = Array.from({ length: 9 }, (_, n) => ({ id: `d${n}`, text: story(n) }))
    const held = new Set(Array.from({ length: 9 }, (_, n) => partOf(`d${n}`, PARTS)))
    expect(held.size).toBe(PARTS)
    upserts.push({ id: 'secret', text: 'Clara Holm met Anna Berg.', access: ['group:few'] })
    await done(name, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
    const listed: { id: string; text: string; data?: { chunks?: number } }[] = []
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `${base}/entities?limit=2${cursor && `&cursor=${cursor}`}`)
      listed.push(...body.data)
      if (body.next_cursor === null) break
      cursor = body.next_cursor
    }
    const ids = listed.map((one) => one.id)
    expect([new Set(ids).size, [...ids].sort()]).toEqual([ids.length, ids])
    const anna = (await call('GET', `${base}/entities?q=anna%20berg&sort=mentions`)).body.data
    expect([anna.length, anna[0].data.chunks]).toEqual([1, 10])
    const { body: details } = await call('GET', `${base}/entities/${anna[0].id}`)
    expect([details.chunks, [...details.documents].sort()]).toEqual([10, [...Array.from({ length: 9 }, (_, n) => `d${n}`), 'secret']])
    const { body: around } = await call('GET', `${base}/graph?node=${anna[0].id}&depth=1`)
    expect(around.nodes.filter((one: { id: string }) => one.id === anna[0].id).length).toBe(1)
    expect(around.nodes.filter((one: { kind: string }) => one.kind === 'chunk').length).toBe(10)
    expect(around.edges.filter((one: { kind: string }) => one.kind === 'mentions').length).toBe(10)
    const few = (await call('GET', `${base}/graph?node=${anna[0].id}&depth=1&limit=4`)).body
    expect([few.nodes.length, few.truncated]).toEqual([4, true])
    // For somebody who may not read one document.
    const as = async (path: string) => {
      const headers = { ...init('GET').headers, 'loam-as': 'group:others' }
      const response = await app.fetch(`https://loam.test${base}${path}`, { headers })
      return JSON.parse(await bodyOf(response))
    }
    expect((await call('GET', `${base}/entities?q=clara`)).body.data.length).toBe(1)
    expect((await as('/entities?q=clara')).data).toEqual([])
    expect((await as('/entities?q=otto')).data.length).toBe(1)
    expect((await as(`/entities/${anna[0].id}`)).chunks).toBe(9)
    expect((await as(`/graph?node=${anna[0].id}&depth=1`)).nodes.filter((one: { kind: string }) => one.kind === 'chunk').length).toBe(9)
    expect((await call('GET', `${base}/entities/e_none`)).body.code).toBe('node_not_found')
    expect((await call('GET', `${base}/communities`)).body.code).toBe('partitioned')
  }, 60_000)
})
