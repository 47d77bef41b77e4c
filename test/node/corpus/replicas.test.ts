/** Replicas follow a corpus through seeded schedules of losses and deaths. `LOAM_SEED=n` runs one schedule, `LOAM_REPLICA_SCHEDULES=n` so many. */
import { expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { setAccess } from '../../../durable-objects/corpus/ingest/set-access'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { entityDetails } from '../../../durable-objects/corpus/query/entity'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { putFilter } from '../../../durable-objects/corpus/query/saved-filters'
import { catchUp, forgetIfLapsed, lagOf, servedVersion } from '../../../durable-objects/corpus/replication/replica'
import { endReplication, LEASE, replicate } from '../../../durable-objects/corpus/replication/writer'
import type { Store } from '../../../durable-objects/corpus/store'
import { contextOf } from '../../../durable-objects/corpus/store'
import { metaKeys, readMeta } from '../../../durable-objects/corpus/tables/meta'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { nodeId } from '../../../src/core/ids'
import type { DocumentInput } from '../../../src/ports/documents'
import { Death, type Mortal, mortalWorld } from './mortal-object'
import { logWorld, type Mishap, type ReplicaWorld, replicaWorld, wake, writerOf } from './replica-world'
import { answered, dice, embed, finish, noBill, send } from './working'

const SCHEDULES = Number(process.env.LOAM_REPLICA_SCHEDULES ?? 4)
const STRATEGIES = ['erarag', 'ketrag']
const WORDS = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry']

function page(n: number, version: number): DocumentInput {
  const text = `Anna Berg saw the ${WORDS[n % 8]} near Port Ellis in year ${n + version}. The canary${n}v${version} sang. The ${WORDS[(n + version) % 8]} stayed.`
  return { id: `d${n}`, text, title: `Page ${n}`, url: null, metadata: { n: n % 3 }, language: n % 2 ? 'en' : 'de' } as DocumentInput
}

/** All that a question reads. */
function everything({ sql, graph }: Store): string {
  const rows = (query: string): string => JSON.stringify(sql.all(query))
  const beside = [
    'SELECT * FROM facet ORDER BY 1, 2, 3',
    'SELECT * FROM spoken ORDER BY 1, 2',
    'SELECT * FROM dated ORDER BY 1',
    'SELECT document, now, before, at, dates, said_in, replaced_in FROM earlier ORDER BY document, at, n',
    'SELECT name, filters FROM saved_filter ORDER BY 1',
    'SELECT a.document, s.labels FROM access a JOIN label_set s ON s.n = a.label_set ORDER BY 1',
    `SELECT r.document, o.given, o.found FROM outline o JOIN revision r ON r.n = o.revision WHERE r.state = 'live' ORDER BY 1`,
  ].map(rows)
  return `${stateHash(graph.lines())} ${beside.join(' ')}`
}

const answeredFrom = (store: Store, text: string) => {
  const context = contextOf(store)
  if (!context) throw new Error('no corpus')
  const found = retrieve(context, {
    ...{ strategy: 'hybrid', text, vector: embed(text), near: {}, topK: 5, budget: 2000, trace: false, options: {}, asker: 'all' },
  })
  return found.kind === 'evidence' ? found.evidence : undefined
}

const ask = (store: Store, text: string) => answeredFrom(store, text)?.map(({ id, score, text: said }) => [id, score, said]) ?? []

async function settle(replica: ReplicaWorld, mortal: () => Mortal, log: ReturnType<typeof logWorld>): Promise<void> {
  for (let turns = 0; ; turns++) {
    if (turns > 300) throw new Error('the replica does not come to an end')
    await replicate(mortal().context, log)
    if ((await catchUp(replica.parts)) === 'current') return
  }
}

it('[S1180] a replica made from the log answers what the corpus answers, at the same version and state', async () => {
  const world = mortalWorld(STRATEGIES)
  const mortal = wake(world)
  const log = logWorld()
  const trouble = { lost: false }
  const replica = replicaWorld(
    'a',
    world.clock,
    writerOf(() => mortal, trouble),
    log,
  )
  accept(mortal.context, { kind: 'batch', upserts: [page(0, 0), page(1, 0), page(2, 0)], deletes: [] })
  await finish(mortal, world, noBill())
  await settle(replica, () => mortal, log)
  expect(servedVersion(replica.parts.store)).toBe(mortal.context.graph.version)
  accept(mortal.context, { kind: 'batch', upserts: [page(1, 1), page(3, 0)], deletes: ['d0'] })
  putFilter(mortal.context, 'thirds', { metadata: { n: 0 } })
  for (let turns = 0; turns < 5; turns++) {
    const round = openTasks(mortal.context, 'r', 64)
    if (round && round.tasks.length > 0) commitRound(mortal.context, 'r', answered(round, noBill()))
  }
  mortal.context.atomically(() => setAccess(mortal.context, [{ document: 'd2', access: ['staff'], active: true }]))
  await settle(replica, () => mortal, log)
  const { store } = replica.parts
  expect([store.graph.version, store.graph.state]).toEqual([mortal.context.graph.version, mortal.context.graph.state])
  expect(everything(store)).toBe(everything(mortal.context))
  for (const text of ['Where was the heron?', 'canary3v0', 'Who saw the violin near Port Ellis?']) {
    const expected = ask(mortal.context, text)
    expect([text, ask(store, text)]).toEqual([text, expected])
    expect(expected.length).toBeGreaterThan(0)
  }
  expect(lagOf(store)).toBe(0)
  world.close()
  replica.close()
})

it('[V2143] a replica has what a document brought in its own graph, also after it brings another, and nothing of it once it is deleted', async () => {
  const world = mortalWorld(STRATEGIES)
  const mortal = wake(world)
  const log = logWorld()
  const replica = replicaWorld(
    'a',
    world.clock,
    writerOf(() => mortal, { lost: false }),
    log,
  )
  const put = async (document: DocumentInput): Promise<void> => {
    accept(mortal.context, { kind: 'batch', upserts: [document], deletes: [] })
    await finish(mortal, world, noBill())
    await settle(replica, () => mortal, log)
  }
  const told = (store: Store) => {
    const context = contextOf(store)
    return context && entityDetails(context, nodeId('entity', 'ada holm'), 'all')
  }
  const mill = (description: string): DocumentInput => ({
    ...{ id: 'mill', text: 'Ada Holm built the mill at Tidewater.', title: 'Mill', url: null, metadata: {} },
    brought: {
      entities: [{ name: 'Ada Holm', type: 'person', description }],
      relations: [{ source: 'Ada Holm', target: 'Tidewater', description: 'built its mill', strength: 9 }],
    },
  })
  const { store } = replica.parts
  for (const description of ['An engineer.', 'A builder of mills.']) {
    await put(mill(description))
    expect(told(store)).toEqual(told(mortal.context))
    expect(told(store)).toMatchObject({ descriptions: [{ text: description, by: 'brought' }] })
    expect(told(store)?.relations.find((one) => one.name === 'Tidewater')?.by).toEqual(['brought'])
    expect([store.graph.state, everything(store)]).toEqual([mortal.context.graph.state, everything(mortal.context)])
  }
  accept(mortal.context, { kind: 'delete', upserts: [], deletes: ['mill'] })
  commitNext(mortal.context)
  await settle(replica, () => mortal, log)
  expect([told(store), store.graph.state]).toEqual([null, mortal.context.graph.state])
  world.close()
  replica.close()
})

it('[T2072] a replica tells what a new version replaced, as the corpus does, and forgets it with the document and with its labels', async () => {
  const world = mortalWorld(STRATEGIES)
  const mortal = wake(world)
  const log = logWorld()
  const replica = replicaWorld(
    'a',
    world.clock,
    writerOf(() => mortal, { lost: false }),
    log,
  )
  const put = async (upserts: DocumentInput[]): Promise<void> => {
    accept(mortal.context, { kind: 'batch', upserts, deletes: [] })
    await finish(mortal, world, noBill())
    await settle(replica, () => mortal, log)
  }
  const earlierAt = (store: Store) =>
    (answeredFrom(store, 'What does the ferry cost?') ?? []).flatMap(({ earlier = [] }) => earlier.map(({ quote }) => quote))
  const fare = (id: string, thalers: number): DocumentInput => ({ ...page(0, 0), id, text: `The ferry of ${id} costs ${thalers} thalers.` })
  await put([fare('Norhaven', 30), fare('Aldmoor', 5)])
  await put([fare('Norhaven', 40), fare('Aldmoor', 6)])
  await put([fare('Norhaven', 50)])
  const { store } = replica.parts
  const before = [
    'The ferry of Norhaven costs 40 thalers.',
    'The ferry of Norhaven costs 30 thalers.',
    'The ferry of Aldmoor costs 5 thalers.',
  ]
  expect(earlierAt(store)).toEqual(earlierAt(mortal.context))
  expect(earlierAt(store).sort()).toEqual(before.sort())
  mortal.context.atomically(() => setAccess(mortal.context, [{ document: 'Aldmoor', access: ['staff'], active: true }]))
  await settle(replica, () => mortal, log)
  expect(earlierAt(store).filter((one) => one.includes('Aldmoor'))).toEqual([])
  accept(mortal.context, { kind: 'delete', upserts: [], deletes: ['Norhaven'] })
  commitNext(mortal.context)
  await settle(replica, () => mortal, log)
  expect([earlierAt(store), store.sql.all('SELECT * FROM earlier')]).toEqual([[], []])
  world.close()
  replica.close()
})

it('[S1181] without a replica nothing is written down', async () => {
  const world = mortalWorld(STRATEGIES)
  const mortal = wake(world)
  accept(mortal.context, { kind: 'batch', upserts: [page(0, 0)], deletes: [] })
  await finish(mortal, world, noBill())
  await replicate(mortal.context, logWorld())
  const count = (table: string) => mortal.context.sql.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n
  expect(['replica', 'unreplicated', 'segment'].map(count)).toEqual([0, 0, 0])
  expect(mortal.context.sql.all(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'replicate_%'`)).toEqual([])
  world.close()
})

it('[S1182] a replica answers until its lease has run out, then forgets; a deletion is done when each has applied it, or its lease is over', async () => {
  const world = mortalWorld([])
  const mortal = wake(world)
  const log = logWorld()
  const replica = replicaWorld(
    'a',
    world.clock,
    writerOf(() => mortal, { lost: false }),
    log,
  )
  accept(mortal.context, { kind: 'batch', upserts: [page(0, 0), page(1, 0)], deletes: [] })
  await finish(mortal, world, noBill())
  await settle(replica, () => mortal, log)
  const statusOf = () => mortal.context.sql.one<{ status: string }>(`SELECT status FROM job ORDER BY n DESC LIMIT 1`)?.status
  const remove = async (id: string) => {
    accept(mortal.context, { kind: 'batch', upserts: [], deletes: [id] })
    for (let turns = 0; turns < 4; turns++) {
      commitNext(mortal.context)
      await send(mortal)
      world.clock.now += 100
    }
    finishJobsAwaitingSinks(mortal.context)
  }
  await remove('d0')
  expect([statusOf(), servedVersion(replica.parts.store) !== undefined]).toEqual(['queued', true])
  await settle(replica, () => mortal, log)
  await replicate(mortal.context, log)
  finishJobsAwaitingSinks(mortal.context)
  expect([statusOf(), log.objects.size, everything(replica.parts.store)]).toEqual(['succeeded', 0, everything(mortal.context)])
  await remove('d1') // and the replica is heard of no more
  await replicate(mortal.context, log)
  finishJobsAwaitingSinks(mortal.context)
  expect(statusOf()).toBe('queued')
  world.clock.now += LEASE
  expect(servedVersion(replica.parts.store)).toBeUndefined()
  finishJobsAwaitingSinks(mortal.context)
  expect(statusOf()).toBe('queued') // clocks differ
  world.clock.now += LEASE
  await replicate(mortal.context, log)
  finishJobsAwaitingSinks(mortal.context)
  expect([statusOf(), log.objects.size]).toEqual(['succeeded', 0])
  // A new epoch, of which the one that has what is deleted has not heard.
  const other = replicaWorld(
    'b',
    world.clock,
    writerOf(() => mortal, { lost: false }),
    log,
  )
  accept(mortal.context, { kind: 'batch', upserts: [page(2, 0)], deletes: [] })
  await finish(mortal, world, noBill())
  await settle(other, () => mortal, log)
  mortal.context.atomically(() => endReplication(mortal.context))
  await remove('d2')
  await catchUp(replica.parts) // another, with which the new one begins
  await replicate(mortal.context, log)
  finishJobsAwaitingSinks(mortal.context)
  expect([statusOf(), servedVersion(other.parts.store) !== undefined]).toEqual(['queued', true])
  world.clock.now += 2 * LEASE
  await replicate(mortal.context, log)
  finishJobsAwaitingSinks(mortal.context)
  expect([statusOf(), servedVersion(other.parts.store)]).toEqual(['succeeded', undefined])
  other.close()
  expect(await forgetIfLapsed(replica.parts)).toBe(true)
  expect(replica.parts.store.sql.all('SELECT * FROM chunk')).toEqual([])
  world.close()
  replica.close()
})

it('[S1590] a deletion that finds its document gone by another is done when that one has reached the sinks, and not before', async () => {
  const world = mortalWorld([])
  const mortal = wake(world)
  accept(mortal.context, { kind: 'batch', upserts: [page(0, 0), page(1, 0)], deletes: [] })
  await finish(mortal, world, noBill())
  const take = (upserts: readonly DocumentInput[], deletes: readonly string[]) => {
    const taken = accept(mortal.context, { kind: 'batch', upserts, deletes })
    return taken.kind === 'accepted' ? taken.job : taken.kind
  }
  const ids = [take([page(5, 0)], ['d0']), take([], ['d0'])]
  take([page(5, 1)], []) // the first waits for nothing any more
  for (let turns = 0; turns < 4; turns++) commitNext(mortal.context)
  const statuses = () => ids.map((id) => mortal.context.sql.one<{ status: string }>('SELECT status FROM job WHERE id = ?', id)?.status)
  expect([mortal.context.graph.document('d0'), statuses()]).toEqual([undefined, ['queued', 'queued']])
  await send(mortal)
  finishJobsAwaitingSinks(mortal.context)
  expect(statuses()).toEqual(['succeeded', 'succeeded'])
  world.close()
})

it(`[S1183] ${SCHEDULES} schedules of lost, repeated, half-written and altered patches, deaths and new epochs: the same state, or no answer`, {
  timeout: Math.max(900_000, SCHEDULES * 10_000),
}, async () => {
  const only = process.env.LOAM_SEED
  const seeds = only ? [Number(only)] : Array.from({ length: SCHEDULES }, (_, n) => n + 1)
  const seen = { served: 0, deaths: 0, fenced: 0, anew: 0, forgotten: 0 }
  for (const seed of seeds) {
    await schedule(seed, seen).catch((error) => {
      throw new Error(`LOAM_SEED=${seed}`, { cause: error })
    })
  }
  if (!only) expect([seen.served > 0, seen.deaths > 0], JSON.stringify(seen)).toEqual([true, true])
})

async function schedule(
  seed: number,
  seen: { served: number; deaths: number; fenced: number; anew: number; forgotten: number },
): Promise<void> {
  const roll = dice(seed)
  const world = mortalWorld(seed % 8 === 0 ? STRATEGIES : [], {}, seed % 3 === 0 ? { part: 1 } : {})
  let mortal = wake(world)
  const log = logWorld(world.clock)
  const trouble = { lost: false }
  const writer = writerOf(() => mortal, trouble)
  const replicas = ['a', 'b'].map((name) => replicaWorld(name, world.clock, writer, log))
  const states = new Map<number, string>()
  const deleted: { readonly job: string; readonly word: string }[] = []
  const latest = new Map<number, number>()
  let runner = 0
  const note = () => void states.set(mortal.context.graph.version, everything(mortal.context))
  const jobStatus = (id: string) => mortal.context.sql.one<{ status: string }>('SELECT status FROM job WHERE id = ?', id)?.status
  const steps = {
    put: () => {
      const n = roll(6)
      const version = (latest.get(n) ?? -1) + 1
      latest.set(n, version)
      accept(mortal.context, { kind: 'batch', upserts: [page(n, version), ...(roll(3) ? [] : [page(7, seed)])], deletes: [] })
    },
    remove: () => {
      const n = roll(6)
      if (
        !mortal.context.graph.document(`d${n}`) ||
        mortal.context.sql.one(`SELECT 1 FROM revision WHERE document = ? AND state = 'staged'`, `d${n}`)
      )
        return
      const taken = accept(mortal.context, { kind: 'batch', upserts: [], deletes: [`d${n}`] })
      if (taken.kind === 'accepted') deleted.push({ job: taken.job, word: `canary${n}v${latest.get(n)}` })
    },
    label: () => {
      if (mortal.context.graph.document('d1') && readMeta(mortal.context.sql, metaKeys.integration) === undefined)
        mortal.context.atomically(() =>
          setAccess(mortal.context, [{ document: 'd1', access: roll(2) ? ['staff'] : [], active: roll(3) > 0 }]),
        )
    },
    work: () => {
      for (let turns = 0; turns < 1 + roll(4); turns++) commitNext(mortal.context)
      world.clock.now += roll(3) === 0 ? 300_001 : 0
      const round = openTasks(mortal.context, `r${++runner % 3}`, 8)
      if (round && round.tasks.length > 0) commitRound(mortal.context, `r${runner % 3}`, answered(round, noBill()))
      commitNext(mortal.context)
    },
    send: async () => {
      await send(mortal)
      finishJobsAwaitingSinks(mortal.context)
    },
    replicate: async () => void (await replicate(mortal.context, log)),
    epoch: () => mortal.context.atomically(() => endReplication(mortal.context)),
  }
  const names = ['put', 'put', 'remove', 'label', 'work', 'work', 'work', 'send', 'send', 'replicate', 'replicate', 'replicate'] as const
  const mishaps: readonly Mishap[] = ['none', 'none', 'none', 'none', 'before', 'after', 'half', 'missing', 'altered']
  for (let turn = 0; turn < 60; turn++) {
    note()
    world.clock.now += roll(8) === 0 ? roll(3) * LEASE : roll(1500)
    log.mishap = mishaps[roll(mishaps.length)] ?? 'none'
    const name = roll(40) === 0 ? 'epoch' : (names[roll(names.length)] ?? 'work')
    if (roll(4) === 0) mortal.doom({ write: 1 + roll(30) })
    await Promise.resolve()
      .then(() => steps[name]())
      .catch(expected)
    mortal.doom({})
    if (mortal.dead()) {
      seen.deaths++
      mortal = wake(world)
    }
    note()
    log.mishap = mishaps[roll(mishaps.length)] ?? 'none'
    for (const replica of replicas) {
      trouble.lost = roll(6) === 0
      if (roll(6) === 0) replica.doom(1 + roll(30))
      const before = readMeta(replica.parts.store.sql, metaKeys.following)?.epoch
      const said = roll(5) === 0 ? 'behind' : await catchUpOften(replica, 1 + roll(12)).catch(expected)
      trouble.lost = false
      replica.restart()
      if (roll(30) === 0) {
        await replica.parts.wipe() // nobody has asked for long
        trouble.lost = roll(2) === 0
        await writer.leave(replica.parts.name).catch(expected)
        trouble.lost = false
      }
      if (said === 'fenced') seen.fenced++
      if (readMeta(replica.parts.store.sql, metaKeys.following)?.epoch !== before) seen.anew++
      const version = servedVersion(replica.parts.store)
      if (version !== undefined) {
        seen.served++
        expect(states.has(version)).toBe(true)
        expect([turn, everything(replica.parts.store)]).toEqual([turn, states.get(version)])
      }
    }
    if (roll(6) === 0) {
      log.late()
      log.mishap = 'none'
      await replicate(mortal.context, log) // what was given up is looked for
    }
    const forgotten = deleted.filter(({ job }) => jobStatus(job) === 'succeeded')
    const logged = [...log.objects.values()].map((bytes) => new TextDecoder().decode(bytes)).join('\n')
    for (const { word } of forgotten) {
      seen.forgotten++
      for (const { parts } of replicas) {
        if (servedVersion(parts.store) === undefined) continue
        expect([turn, word, parts.store.sql.all(`SELECT id FROM chunk WHERE body LIKE '%' || ? || ' %'`, word)]).toEqual([turn, word, []])
      }
      expect([turn, word, logged.includes(`${word} `)]).toEqual([turn, word, false])
    }
  }
  log.mishap = 'none'
  await finish(mortal, world, noBill()).catch(expected)
  for (const replica of replicas) await settle(replica, () => mortal, log)
  for (const replica of replicas) {
    expect(everything(replica.parts.store)).toBe(everything(mortal.context))
    expect(replica.parts.store.graph.state).toBe(mortal.context.graph.state)
  }
  world.close()
  for (const replica of replicas) replica.close()
}

async function catchUpOften(replica: ReplicaWorld, times: number): Promise<'current' | 'behind' | 'fenced' | 'off'> {
  for (let n = 1; ; n++) {
    const said = await catchUp(replica.parts)
    if (said !== 'behind' || n >= times) return said
  }
}

/** Deaths and losses are what the schedule is made of. */
function expected(error: unknown): undefined {
  if (error instanceof Death || (error instanceof Error && /: lost$|does not come to an end$/.test(error.message))) return undefined
  throw error
}
