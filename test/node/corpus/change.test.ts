/** A document that changes: replaced as a whole, paid for in part. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document, documents } from '../../../durable-objects/corpus/ingest/documents'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { unfinishedJobs } from '../../../durable-objects/corpus/jobs/jobs'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { runMaintenanceSlice } from '../../../durable-objects/corpus/maintenance/maintain'
import { runScheduledMaintenance } from '../../../durable-objects/corpus/maintenance/scheduled-maintenance'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { receipts } from '../../../durable-objects/corpus/outbox/receipts'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import type { Asker } from '../../../src/core/access/labels'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { passageId } from '../../../src/core/ids'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { DocumentInput } from '../../../src/ports/documents'
import { DIMENSIONS, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, dice, finish, noBill } from './working'

const SMALL: Partial<Settings> = {
  chunking: { chunk: 120, overlap: 0, passage: 40 },
  writer: true,
  models: 'scripted',
  ketrag: { ...defaultSettings.ketrag, share: 1 },
}
const WORDS = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry', 'mill', 'orchard', 'ferry', 'tower']
const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund']

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

it('[F2100] a list of documents of a prefix begins with the one of that id, ends with the last, and is empty where there is none', async () => {
  const world = mortalWorld([], SMALL)
  worlds.push(world)
  const { context } = world.wake()
  const ids = ['a.txt', 'a.txt#part-1', 'a.txt#part-10', 'a.txt#part-2', 'a.txt2', 'b', 'é', 'éa']
  const upserts = ids.map((id) => ({
    id,
    text: `The heron stands near ${id}.`,
    title: '',
    url: null,
    metadata: {},
    access: id === 'b' ? ['own'] : [],
  }))
  accept(context, { kind: 'batch', upserts, deletes: [] })
  const paged = (prefix: string, limit: number, asker: Asker = 'all') => {
    const pages: string[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = documents(context, cursor ?? null, limit, asker, prefix)
      pages.push(page.data.map(({ document }) => document))
      cursor = page.next_cursor
    }
    return pages
  }
  expect(paged('a.txt', 1)[0]).toEqual(['a.txt'])
  for (const limit of [1, 2, 3, 5, 200]) {
    expect(paged('a.txt', limit).flat()).toEqual(ids.slice(0, 5))
    expect(paged('a.txt#part-', limit).flat()).toEqual(ids.slice(1, 4))
    expect(paged('', limit).flat()).toEqual(ids)
    expect(paged('é', limit).flat()).toEqual(['é', 'éa'])
  }
  expect([paged('a.txt#part-11', 5), paged('c', 5), paged('zz', 5)]).toEqual([[[]], [[]], [[]]])
  expect([paged('b', 5, ['other']), paged('b', 5, ['own'])]).toEqual([[[]], [['b']]])
})

/** Sixty sentences, about ten chunks. */
function sentences(seed: number): string[] {
  const roll = dice(seed)
  const word = (): string => WORDS[roll(WORDS.length)] ?? ''
  return Array.from(
    { length: 60 },
    (_, n) => `${NAMES[roll(6)]} saw the ${word()} by the ${word()} and wrote of the ${word()} in letter ${n}.`,
  )
}

const text = (parts: readonly string[]): string => parts.join(' ')
const input = (id: string, parts: readonly string[]): DocumentInput => ({
  id,
  text: text(parts),
  title: 'Letters',
  url: null,
  metadata: {},
})

async function grown(
  strategies: readonly string[],
  documents: readonly DocumentInput[],
  more: Partial<Settings>,
): Promise<{ world: World; mortal: Mortal; context: CorpusContext }> {
  const world = mortalWorld(strategies, more)
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: documents, deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, context: mortal.context }
}

const chunksOf = (context: CorpusContext, id: string): string[] => (context.graph.document(id)?.chunks ?? []).map((one) => one.chunk)

describe('a passage without a vector', () => {
  it('[F161] [L504] comes in all the same: words find it, its document is partial and counted with the reason, and put again it is complete', async () => {
    const world = mortalWorld([])
    const mortal = world.wake()
    const { context } = mortal
    const put = (id: string, refused: number) => {
      accept(context, {
        kind: 'ingest',
        upserts: [{ id, text: `The heron stands near ${id}.`, title: '', url: null, metadata: {} }],
        deletes: [],
      })
      const round = openTasks(context, 'me', 10)
      const results = round ? answered(round, noBill()) : []
      const worthless = results.map(({ reply, ...one }) => ({
        ...one,
        reply: reply.kind === 'embed' && refused > 0 ? { ...reply, vectors: reply.vectors.map(() => new Int8Array(DIMENSIONS)) } : reply,
        ...(refused > 0 ? { dropped: { refused } } : {}),
      }))
      commitRound(context, 'me', worthless)
    }
    put('a', 1)
    put('b', 0)
    await finish(mortal, world, noBill())
    const seen = () => documents(context, null, 10).data.map(({ document, status, error }) => [document, status, error])
    expect([seen(), health(context).quarantined, health(context).quarantine_reasons]).toEqual([
      [
        ['a', 'partial', 'quarantined: invalid'],
        ['b', 'ready', undefined],
      ],
      1,
      { invalid: 1 },
    ])
    expect(context.graph.match(['heron'], 5).length).toBe(2)
    accept(context, { kind: 'delete', upserts: [], deletes: ['a'] })
    await finish(mortal, world, noBill())
    put('a', 0)
    await finish(mortal, world, noBill())
    expect([seen().map(([, status]) => status), health(context).quarantined]).toEqual([['ready', 'ready'], 0])
    world.close()
  })
})

describe('vectors that were refused', () => {
  const HOUR = 3_600_000
  const ALL = ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']

  /** A model that gives no vectors for texts with this word while it is `out`; what of them was asked. */
  async function refusing(strategies: readonly string[], out: { word: string | null }) {
    const world = mortalWorld(strategies, SMALL)
    worlds.push(world)
    const mortal = world.wake()
    const { context } = mortal
    const asked: number[] = []
    const work = async (): Promise<void> => {
      for (let rounds = 0; rounds < 200; rounds++) {
        const worked = commitNext(context) || runMaintenanceSlice(context)
        const round = openTasks(context, 'me', 64)
        const tasks = round?.tasks ?? []
        if (round && tasks.length > 0) {
          const results = answered(round, noBill()).map((result, i) => {
            const brief = tasks[i]?.brief
            const bad = brief?.kind === 'embed' ? brief.texts.map((text) => text.includes('beacon')) : []
            if (bad.includes(true)) asked.push(world.clock.now)
            if (out.word === null || !bad.includes(true) || result.reply.kind !== 'embed') return result
            const vectors = result.reply.vectors.map((one, at) => (bad[at] ? new Int8Array(DIMENSIONS) : one))
            return { ...result, reply: { ...result.reply, vectors }, dropped: { refused: bad.filter(Boolean).length } }
          })
          commitRound(context, 'me', results)
        }
        await drain(context, mortal.sinks)
        finishJobsAwaitingSinks(context)
        // A round whose replies are all known already may ask for more, also where no job waits for it.
        if (!worked && tasks.length === 0 && !round?.left && unfinishedJobs(context.sql).length === 0) return
      }
      throw new Error('it does not come to an end')
    }
    const documents = [
      input('a', sentences(1).slice(0, 12)),
      input('b', [...sentences(2).slice(0, 9), 'The beacon burns for Anna Berg.']),
      input('c', sentences(3).slice(0, 12)),
    ]
    accept(context, { kind: 'batch', upserts: documents, deletes: [] })
    await work()
    const again = async (): Promise<void> => {
      out.word = null
      accept(context, { kind: 'delete', upserts: [], deletes: ['b'] })
      await work()
      accept(context, { kind: 'ingest', upserts: documents.slice(1, 2), deletes: [] })
      await work()
    }
    return { world, context, asked, work, again }
  }

  it.each([[[]], ...ALL.map((one) => [[one]]), [ALL]])(
    '[F210] are asked for again, and the graph is then as if they had come at first: %j',
    async (strategies) => {
      const out: { word: string | null } = { word: 'beacon' }
      const { world, context, asked, work } = await refusing(strategies, out)
      const status = () => documents(context, null, 10).data.map((one) => [one.document, one.status])
      expect(status()).toEqual([
        ['a', 'ready'],
        ['b', 'partial'],
        ['c', 'ready'],
      ])
      const [version, now] = [context.graph.version, world.clock.now]
      expect(health(context).retries).toEqual({ waiting: 1, given_up: 0, next_at: now + HOUR })
      runScheduledMaintenance(context)
      await work()
      expect([asked.length, context.graph.version]).toEqual([1, version])
      const passages = () =>
        context.graph.page('chunk', '', 99).flatMap((id) => context.graph.chunk(id)?.passages.map((_, i) => passageId(id, i)) ?? [])
      const shown = () => new Set([...world.index.rows.values()].map(({ id }) => id.split(':')[1]))
      const lacking = () => passages().filter((id) => !shown().has(id)).length
      expect(lacking()).toBe(1) // a vector that is none is sent to nobody
      out.word = null
      world.clock.now += HOUR
      expect(runScheduledMaintenance(context)).toBe(true)
      await work()
      expect([status().map(([, one]) => one), health(context).quarantined, health(context).retries]).toEqual([
        ['ready', 'ready', 'ready'],
        0,
        { waiting: 0, given_up: 0, next_at: null },
      ])
      expect([asked.length, context.graph.version > version, context.graph.version - receipts(context, null, 200).data.length]).toEqual([
        2,
        true,
        0,
      ])
      // ArchRAG's communities tell how they grew: there it is as if the document had been taken away and put again.
      expect(lacking()).toBe(0)
      const whole = await refusing(strategies, { word: strategies.includes('archrag') ? 'beacon' : null })
      if (strategies.includes('archrag')) await whole.again()
      expect(stateHash(context.graph.lines())).toBe(stateHash(whole.context.graph.lines()))
    },
  )

  it('[F210] are asked for six times, each after four times as long, and then no more; the health report says so', async () => {
    const { world, context, asked, work } = await refusing([], { word: 'beacon' })
    const began = world.clock.now
    for (let at = health(context).retries.next_at; at !== null && asked.length < 20; at = health(context).retries.next_at) {
      world.clock.now = at - 1
      expect(runScheduledMaintenance(context)).toBe(false)
      world.clock.now = at
      runScheduledMaintenance(context)
      await work()
    }
    world.clock.now += 400 * 24 * HOUR
    runScheduledMaintenance(context)
    await work()
    const after = asked.slice(1).map((at) => Math.round((at - began) / HOUR))
    expect(after).toEqual([1, 5, 21, 85, 341, 1061])
    expect(health(context)).toMatchObject({ quarantined: 1, retries: { waiting: 0, given_up: 1, next_at: null } })
    expect(context.graph.match(['beacon'], 5).length).toBe(1)
  }, 60_000)
})

describe('vectors that come', () => {
  it('[J542] go into the graph with the document that they complete, and are written to wait only where another chunk still lacks its own', async () => {
    const states = await Promise.all(
      [1024, 12].map(async (texts) => {
        const world = mortalWorld(['erarag'], SMALL)
        worlds.push(world)
        const { context, ...mortal } = world.wake()
        let waited = 0
        const { sql } = context
        const run: typeof sql.run = (query, ...bindings) => {
          if (query.startsWith('UPDATE staged')) waited++
          sql.run(query, ...bindings)
        }
        const watched = { ...context, sql: { ...sql, run } }
        accept(watched, {
          kind: 'batch',
          upserts: [input('a', sentences(1)), input('b', sentences(1)), input('c', sentences(2))],
          deletes: [],
        })
        for (let round = openTasks(watched, 'one', texts); round && round.tasks.length > 0; round = openTasks(watched, 'one', texts))
          commitRound(watched, 'one', answered(round, noBill()))
        await finish({ ...mortal, context: watched }, world, noBill())
        expect(waited > 0).toBe(texts === 12)
        return context.graph.state
      }),
    )
    expect(states[1]).toBe(states[0])
  })
})

describe('a changed document', () => {
  it('[V93] costs what its changed text costs: other chunks are not embedded, read or summarised again', async () => {
    const parts = sentences(1)
    const { world, mortal, context } = await grown(
      ['erarag', 'ketrag'],
      [input('a', parts), ...[2, 3, 4, 5, 6, 7, 8].map((n) => input(`b${n}`, sentences(n)))],
      SMALL,
    )
    const before = chunksOf(context, 'a')
    expect(before.length).toBeGreaterThan(7)
    const summaries = context.graph.count('summary')
    const layers = Math.max(...context.graph.page('summary', '', 99).map((id) => context.graph.node(id)?.layer ?? 0))
    for (const [name, changed] of [
      ['a word', parts.with(30, 'Nobody saw anything at all in letter 30.')],
      ['a sentence more at the beginning', ['A preface by Tove Lund.', ...parts.with(30, 'Nobody saw anything at all in letter 30.')]],
    ] as const) {
      const stood = new Set(chunksOf(context, 'a'))
      const bill = noBill()
      accept(context, { kind: 'ingest', upserts: [input('a', changed)], deletes: [] })
      await finish(mortal, world, bill)
      const fresh = chunksOf(context, 'a').filter((id) => !stood.has(id)).length
      expect([name, fresh > 0 && fresh <= 3]).toEqual([name, true])
      expect([name, (bill.kinds.extract ?? 0) <= fresh]).toEqual([name, true])
      expect([name, (bill.kinds.embed ?? 0) <= fresh + (bill.kinds.summarize ?? 0)]).toEqual([name, true])
      const written = bill.kinds.summarize ?? 0
      expect([name, written < summaries && written <= 2 * layers * 2 * fresh]).toEqual([name, true])
    }
    // What is said again word for word costs nothing.
    const bill = noBill()
    expect(accept(context, { kind: 'ingest', upserts: [input('c', sentences(2))], deletes: [] }).kind).toBe('accepted')
    await finish(mortal, world, bill)
    expect([bill.kinds.embed ?? 0, bill.kinds.extract ?? 0]).toEqual([0, 0])
  })

  it('[J3] is served in its old version until the new one is complete, then in the new one', async () => {
    const parts = sentences(3)
    const { world, mortal, context } = await grown([], [input('a', parts)], { chunking: SMALL.chunking ?? defaultSettings.chunking })
    const asked = (): string[] => {
      const found = retrieve(context, { strategy: 'keyword', text: 'zeppelin', near: {}, topK: 9, budget: 9000, trace: false, options: {} })
      return found.kind === 'evidence' ? found.evidence.flatMap((one) => one.document ?? []) : []
    }
    const changed = parts.map((part, n) => (n % 6 === 0 ? `A zeppelin passed at ${n}.` : part))
    accept(context, { kind: 'ingest', upserts: [input('a', changed)], deletes: [] })
    world.clock.now += 1_000_000
    for (let lent = 1; lent > 0; ) {
      expect([asked().length, document(context, 'a')?.text, document(context, 'a')?.status]).toEqual([
        0,
        text(parts),
        expect.stringMatching(/queued|indexing/),
      ])
      const round = openTasks(context, 'r', 2)
      lent = round?.tasks.length ?? 0
      if (round && lent > 0) commitRound(context, 'r', answered(round, noBill()))
      if (document(context, 'a')?.text !== text(parts)) break
    }
    expect([asked().length > 3, document(context, 'a')?.text, document(context, 'a')?.status]).toEqual([true, text(changed), 'ready'])
    void mortal
  })

  it('[J3] in a batch with others and with deletions is one version', async () => {
    const { world, mortal, context } = await grown([], [input('a', sentences(1)), input('b', sentences(2)), input('c', sentences(3))], {})
    const before = context.graph.version
    accept(context, {
      kind: 'batch',
      upserts: [input('a', sentences(4)), input('d', sentences(5)), input('e', sentences(6))],
      deletes: ['b', 'c'],
    })
    await finish(mortal, world, noBill())
    expect(context.graph.version).toBe(before + 1)
    expect(receipts(context, String(before), 10).data).toMatchObject([{ version: before + 1, touched: { documents: 5 } }])
    expect(context.graph.page('document', '', 9)).toEqual(['a', 'd', 'e'])
  })

  it('[H34] is refused where If-Match names another version than the newest', async () => {
    const { context } = await grown([], [input('a', sentences(1))], {})
    const put = (ifMatch: number) => accept(context, { kind: 'ingest', upserts: [input('a', sentences(2))], deletes: [], ifMatch }).kind
    expect([put(0), put(2), put(1), put(1), put(2)]).toEqual([
      'precondition_failed',
      'precondition_failed',
      'accepted',
      'precondition_failed',
      'unchanged',
    ])
    const remove = (ifMatch: number) => accept(context, { kind: 'delete', upserts: [], deletes: ['a'], ifMatch }).kind
    expect([remove(1), remove(2)]).toEqual(['precondition_failed', 'accepted'])
  })
})
