/**
 * Seeded schedules of deliveries, rounds of model work and tellings, in which the process dies after any write or any await, events come
 * again up to fifty times and in any order, and a runner thought dead comes back. All must end where the clean run ends.
 */
import { expect } from 'vitest'
import { usage } from '../../../durable-objects/corpus/billing/usage'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { documents } from '../../../durable-objects/corpus/ingest/documents'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { isIntegrating } from '../../../durable-objects/corpus/jobs/integration-state'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { stateHash } from '../../../src/core/graph/fingerprint'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { DocumentInput } from '../../../src/ports/documents'
import type { TaskResult } from '../../../src/ports/tasks'
import { Death, LEASE, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, dice, finish, noBill, type UsageRecorder } from './working'

export const STRATEGIES = ['erarag', 'cluerag', 'ketrag']
/** A model that writes summaries and units and extracts relations. Of a share below all, which chunks it reads depends on what came first. */
export const WRITING: Partial<Settings> = {
  writer: true,
  models: 'scripted',
  erarag: { ...defaultSettings.erarag, min: 2, max: 4 },
  cluerag: { ...defaultSettings.cluerag, alpha: 1 },
}
/** ArchRAG depends on nothing but the documents where it clusters everything at every change, and no model writes. */
export const ALL = [...STRATEGIES, 'archrag']
export const EXACT: Partial<Settings> = { archrag: { ...defaultSettings.archrag, growth: 'whole' } }
interface Event {
  readonly id: string
  readonly upserts: readonly DocumentInput[]
  readonly deletes: readonly string[]
}

const WORDS = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry']

function page(n: number, version: number): DocumentInput {
  const text = `Anna Berg saw the ${WORDS[n % 8]} near Port Ellis in year ${n + version}. The ${WORDS[(n + version) % 8]} stayed. Version ${version} of ${n % 3}.`
  return { id: `d${n}`, text, title: n % 2 ? `Page ${n}` : '', url: null, metadata: { n: n % 3 } }
}

const START: readonly DocumentInput[] = Array.from({ length: 5 }, (_, n) => page(n, 0))
const REORDERED = 1 // where d3 goes before d7 comes, the chunk they share is asked for again

/** Each document is the matter of one event, so that any order of first hearing means the same. */
const EVENTS: readonly Event[] = [
  { id: 'e0', upserts: [page(0, 1)], deletes: [] },
  { id: 'e1', upserts: [], deletes: ['d1'] },
  { id: 'e2', upserts: [page(5, 0), page(6, 0)], deletes: ['d2'] },
  { id: 'e3', upserts: [{ ...page(3, 0), id: 'd7' }], deletes: [] }, // shares its chunk with d3
  { id: 'e4', upserts: [], deletes: ['d3'] },
]

const deliver = ({ context }: Mortal, event: Event): string =>
  accept(context, { kind: 'batch', upserts: event.upserts, deletes: event.deletes, events: [event.id] }).kind

function stateOf({ context }: Mortal, world: World) {
  const { data } = documents(context, null, 100)
  const left = (table: string): number => context.sql.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? -1
  return {
    graph: process.env.LOAM_SEED ? [...context.graph.lines()].sort() : stateHash(context.graph.lines()),
    state: context.graph.state,
    documents: data.map((one) => [one.document, one.status, one.content_version]),
    told: world.told(),
    left: ['staged', 'awaited', 'task', 'touched', 'outbox'].map((table) => [table, left(table)]),
    jobs: context.sql.all<{ status: string }>('SELECT status FROM job').map(({ status }) => status),
    events: left('event'),
  }
}

export interface Ended {
  readonly state: ReturnType<typeof stateOf>
  readonly bill: UsageRecorder
  readonly ledgered: number
}

/** A world in which the first documents are there and settled. */
export async function started(strategies: readonly string[], more: Partial<Settings> = {}, part?: number): Promise<World> {
  const world = mortalWorld(strategies, more, part === undefined ? {} : { part })
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: START, deletes: [] })
  const bill = noBill()
  await finish(mortal, world, bill)
  expect(usage(mortal.context).embedded).toBe(bill.tasks)
  world.base()
  return world
}

export async function clean(world: World): Promise<Ended> {
  world.again()
  const mortal = world.wake()
  const [bill, before] = [noBill(), usage(mortal.context).embedded]
  for (const event of EVENTS) deliver(mortal, event)
  await finish(mortal, world, bill)
  return { state: stateOf(mortal, world), bill, ledgered: usage(mortal.context).embedded - before }
}

/** One schedule. `open` counts the tasks of rounds that deaths or lost leases threw away: so many may be paid for twice. */
export async function chaos(
  seed: number,
  world: World,
): Promise<Ended & { readonly open: number; readonly deaths: number; readonly halves: number }> {
  const roll = dice(seed)
  world.again()
  let mortal = world.wake()
  const [bill, before] = [noBill(), usage(mortal.context).embedded]
  let [open, deaths, runner, halves] = [0, 0, 0, 0]
  // Every event at least once, one of them up to fifty times, in any order.
  const favourite = roll(EVENTS.length)
  const queue = EVENTS.flatMap((event, i) => Array<Event>(1 + roll(i === favourite ? (seed % 10 === 0 ? 50 : 6) : 3)).fill(event))
  for (let i = queue.length - 1; i > 0; i--) {
    const j = roll(i + 1)
    ;[queue[i], queue[j]] = [queue[j] as Event, queue[i] as Event]
  }
  const hand: { held: { readonly runner: string; readonly results: readonly TaskResult[] } | null } = { held: null }
  const steps = {
    deliver: () => {
      const event = queue[0]
      if (event) deliver(mortal, event)
      queue.shift() // received: a sender without an answer sends again
    },
    lease: () => {
      if (roll(3) === 0) {
        runner++
        world.clock.now += LEASE + 1
      }
      const round = openTasks(mortal.context, `r${runner}`, 1 + roll(4))
      if (!round) return
      if (hand.held) open += hand.held.results.length
      hand.held = { runner: `r${runner}`, results: answered(round, bill) }
    },
    commit: () => {
      const now = hand.held
      if (!now) return
      if (commitRound(mortal.context, now.runner, now.results)) hand.held = roll(4) === 0 ? now : null
      else open += now.results.length
      if (hand.held === now) open += now.results.length // brought a second time
    },
    integrate: () => commitNext(mortal.context),
    drain: async () => {
      world.meanwhile = roll(2) === 0 && queue.length > 0 ? () => deliver(mortal, queue[roll(queue.length)] ?? (EVENTS[0] as Event)) : null
      await drain(mortal.context, mortal.sinks)
      finishJobsAwaitingSinks(mortal.context)
    },
  }
  const names = ['deliver', 'deliver', 'lease', 'commit', 'integrate', 'integrate', 'drain'] as const
  for (let turn = 0; queue.length > 0 || turn < 12; turn++) {
    const name = names[roll(names.length)] ?? 'deliver'
    const fate = roll(3)
    mortal.doom(
      fate === 0
        ? { write: 1 + roll(roll(2) ? 8 : 60) }
        : fate === 1 && name === 'drain'
          ? { await: 1 + roll(4), late: roll(2) === 0 }
          : {},
    )
    try {
      await steps[name]()
    } catch (error) {
      if (!(error instanceof Death)) throw error
      if (name === 'commit' && hand.held) open += hand.held.results.length // it may have been heard, and will be brought again
    }
    world.meanwhile = null
    mortal.doom({})
    if (!mortal.dead()) continue
    deaths++
    // The runner lives elsewhere: it may come back with what it was asked, or be gone too.
    if (hand.held && roll(2) === 0) {
      open += hand.held.results.length
      hand.held = null
    }
    mortal = world.wake()
    if (isIntegrating(mortal.context)) halves++
  }
  if (hand.held) open += hand.held.results.length
  await finish(mortal, world, bill)
  return { state: stateOf(mortal, world), bill, ledgered: usage(mortal.context).embedded - before, open, deaths, halves }
}

/** Schedules run, deaths, and those in the midst of a change that goes in by parts. */
export interface Tally {
  readonly ran: number
  readonly deaths: number
  readonly inside: number
}

/** Each seed's schedule in the world of its kind, against the clean run; a failure names the seed. */
export async function survived<K extends string>(
  seeds: readonly number[],
  kindOf: (seed: number) => K,
  worlds: { readonly [kind in K]: World },
  expected: { readonly [kind in K]: Ended },
): Promise<Tally> {
  const tally = { ran: 0, deaths: 0, inside: 0 }
  for (const seed of seeds) {
    const kind = kindOf(seed)
    const want = expected[kind]
    const ended = await chaos(seed, worlds[kind]).catch((error) => {
      throw new Error(`LOAM_SEED=${seed}`, { cause: error })
    })
    const { state, bill, ledgered, open } = ended
    expect(state, `LOAM_SEED=${seed}`).toEqual(want.state)
    // With strategies on, how many summaries lie in between depends on what comes together; chunks alone are counted here.
    const max = want.bill.tasks + open + REORDERED
    const counted = [kind !== 'few' || bill.tasks <= max, ledgered <= bill.tasks + open]
    expect(counted, `LOAM_SEED=${seed} ${bill.tasks} > ${max}`).toEqual([true, true])
    tally.ran++
    tally.deaths += ended.deaths
    tally.inside += ended.halves
  }
  return tally
}

const FULL = 200 // every so manieth schedule has strategies on, and as many of the others a model that writes
export type Kind = 'few' | 'full' | 'text'
export const kindOf = (seed: number): Kind => (seed % FULL === 0 ? 'full' : seed % FULL === FULL / 2 ? 'text' : 'few')
