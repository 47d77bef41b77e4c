/** A consolidation is weighed a probe at a time. Rule V97. */
import { afterEach, describe, expect, it } from 'vitest'
import { health } from '../../../durable-objects/corpus/care/health'
import { cancel, maintain, workOnce } from '../../../durable-objects/corpus/care/maintain'
import { findings, scan } from '../../../durable-objects/corpus/gate/gate'
import { pin, probesAfter } from '../../../durable-objects/corpus/gate/probes'
import { accept } from '../../../durable-objects/corpus/intake/accept'
import { type Ledger, writeMeta } from '../../../durable-objects/corpus/store'
import { findJob, unfinished, viewOf } from '../../../durable-objects/corpus/work/jobs'
import { commit, openTasks } from '../../../durable-objects/corpus/work/runner'
import { keywords } from '../../../src/core/builders/keywords'
import { stateHash } from '../../../src/core/graph/fingerprint'
import type { DocumentInput } from '../../../src/ports'
import { until } from '../../core/until'
import { Death, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, embed, finish, noBill } from './working'

const PLACES = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry']
const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund', 'Karl Moss', 'Nils Roy']
const PROBES = 10
const K = 3

function page(n: number): DocumentInput {
  const text = `${NAMES[n % 8]} saw the ${PLACES[(n * 3) % 8]} of Port Ellis in year ${1900 + n}. ${NAMES[(n + 1) % 8]} saw it too. The ${PLACES[(n + 3) % 8]} stayed.`
  return { id: `d${n}`, text, title: `Page ${n}`, url: null, metadata: {} }
}

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

/** So many pages on one. */
function long(n: number, pages: number): DocumentInput {
  return { ...page(n), text: Array.from({ length: pages }, (_, i) => page(n * pages + i).text).join(' ') }
}

async function grown(pages: number, each = 1): Promise<{ world: World; mortal: Mortal; ledger: Ledger }> {
  const world = mortalWorld(['ketrag', 'cluerag'])
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.ledger, { kind: 'batch', upserts: Array.from({ length: pages }, (_, n) => long(n, each)), deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, ledger: mortal.ledger }
}

/** Some are found now and some are not. */
function pinSome(ledger: Ledger, tolerance: number, from = 0): void {
  const probes = Array.from({ length: PROBES }, (_, i) => {
    const query = `What did ${NAMES[(i + from) % 8]} see of the ${PLACES[(i * 3) % 8]}?`
    return { query, expect: [`d${i}`, `d${(i * 5) % 24}`], vector: embed(query) }
  })
  pin(ledger, probes, { k: K, tolerance })
}

/** What each strategy finds of the probes now, on the graph as it is. */
function mean(ledger: Ledger): { readonly [strategy: string]: number } {
  const all = probesAfter(ledger, 0, 100).map((probe) => findings(ledger, probe, scan(ledger.graph, probe.vector), K))
  const names = [...new Set(all.flatMap((one) => [...one.keys()]))]
  return Object.fromEntries(names.map((name) => [name, all.reduce((sum, one) => sum + (one.get(name)?.recall ?? 0), 0) / all.length]))
}

interface Slice {
  readonly builders: readonly string[]
  readonly measuring?: { readonly after: number }
}
const open = (ledger: Ledger) => unfinished(ledger.sql).find((job) => job.kind === 'consolidate')
const sliceOf = (ledger: Ledger) => JSON.parse(open(ledger)?.progress ?? '{}') as Partial<Slice>
const hashOf = ({ graph }: Ledger): string => stateHash(graph.lines())
const gateOf = (ledger: Ledger) => {
  const { at: _, job: __, ...gate } = health(ledger).gate ?? { at: 0, job: '' }
  return gate
}

/** One slice, or one round, of an object that may die of it; who lives on. */
function dying(world: World, now: Mortal, at: { readonly write: number }, runner: string): Mortal {
  now.doom(at)
  try {
    if (!workOnce(now.ledger)) {
      world.clock.now += 400_000
      const { round } = openTasks(now.ledger, runner, 16)
      if (round) commit(now.ledger, runner, answered(round, noBill()))
    }
  } catch (error) {
    if (!(error instanceof Death)) throw error
    return world.wake()
  }
  now.doom({})
  return now
}

describe('a consolidation with probes', () => {
  it('[V97] asks one of them a slice, and finds what all at once would find', async () => {
    const { world, mortal, ledger } = await grown(24)
    pinSome(ledger, 1)
    const before = mean(ledger)
    const graph = hashOf(ledger)
    maintain(ledger, 'consolidate')
    const asked: number[] = []
    const look = () => {
      const { measuring } = sliceOf(ledger)
      if (!measuring) return
      asked.push(measuring.after)
      if (asked.length <= 10) expect(hashOf(ledger)).toBe(graph) // nothing is written before all were asked
    }
    until(() => !workOnce(ledger), look)
    await finish(mortal, world, noBill())
    expect(asked.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const after = mean(ledger)
    const { recall = {} } = health(ledger).gate ?? {}
    expect(Object.keys(recall).length).toBeGreaterThan(0)
    for (const [name, one] of Object.entries(recall)) {
      expect(one.before).toBeCloseTo(before[name] ?? -1, 9)
      expect(one.after).toBeCloseTo(after[name] ?? -1, 9)
    }
    expect(hashOf(ledger)).not.toBe(graph)
  })

  it('[V97] wherever it dies between or within slices, it ends as if it had not', async () => {
    const { world, mortal } = await grown(24)
    pinSome(mortal.ledger, 1)
    world.base()
    maintain(mortal.ledger, 'consolidate')
    await finish(mortal, world, noBill())
    const clean = [hashOf(mortal.ledger), gateOf(mortal.ledger), world.told()]
    for (let seed = 1; seed <= 6; seed++) {
      world.again()
      let now: Mortal = world.wake()
      maintain(now.ledger, 'consolidate')
      for (let n = 0; n < 40 && unfinished(now.ledger.sql).length > 0; n++) {
        if ((seed + n) % 3 === 0) now = world.wake() // memory is lost between two slices
        now = dying(world, now, { write: 1 + ((seed * 31 + n * 17) % 6) }, `r${n}`)
      }
      await finish(now, world, noBill())
      expect([seed, hashOf(now.ledger), gateOf(now.ledger), world.told()]).toEqual([seed, ...clean])
    }
  })

  it('[V97] takes what comes and goes between slices into account, and other probes from the first', async () => {
    const { world, mortal, ledger } = await grown(24)
    pinSome(ledger, 1)
    maintain(ledger, 'consolidate')
    until(
      () => sliceOf(ledger).measuring !== undefined,
      () => workOnce(ledger),
    )
    accept(ledger, { kind: 'batch', upserts: [page(40)], deletes: ['d3'] })
    const { round } = openTasks(ledger, 'one', 64)
    if (round) commit(ledger, 'one', answered(round, noBill()))
    expect([ledger.graph.document('d40') !== undefined, ledger.graph.document('d3')]).toEqual([true, undefined])
    workOnce(ledger)
    expect(sliceOf(ledger).measuring?.after).toBe(2) // on it goes
    pinSome(ledger, 1, 2)
    workOnce(ledger)
    expect(sliceOf(ledger).measuring?.after).toBe(1)
    await finish(mortal, world, noBill())
    expect(ledger.sql.all(`SELECT status FROM job WHERE status <> 'succeeded'`)).toEqual([])
    const fresh = await grown(24)
    accept(fresh.ledger, { kind: 'batch', upserts: [page(40)], deletes: ['d3'] })
    await finish(fresh.mortal, fresh.world, noBill())
    maintain(fresh.ledger, 'consolidate')
    await finish(fresh.mortal, fresh.world, noBill())
    expect(hashOf(ledger)).toBe(hashOf(fresh.ledger))
  })

  it('[V140] drafts the keywords in slices, with others between them, and anew after a crash', async () => {
    const { world, mortal } = await grown(30, 12)
    let now = mortal
    const wanted = keywords.consolidate?.(now.ledger.graph, now.ledger.config.settings).patch ?? []
    maintain(now.ledger, 'consolidate')
    let before: string | undefined
    let slices = 0
    until(
      () => now.ledger.graph.count('keyword') > 0,
      () => {
        const drafting = sliceOf(now.ledger).builders?.[0] === 'keywords' && sliceOf(now.ledger).measuring !== undefined
        if (drafting) {
          slices++
          before ??= hashOf(now.ledger)
          expect(hashOf(now.ledger)).toBe(before) // nothing is written before all is drafted
          if (slices === 1) now = world.wake()
        }
        workOnce(now.ledger)
      },
    )
    expect(slices).toBeGreaterThan(1)
    expect(now.ledger.graph.page('keyword', '', 1000)).toEqual(wanted.flatMap((one) => (one.op === 'put-node' ? [one.node.id] : [])).sort())
  })

  it('[V140] drafts them so in a graph that is derived anew, too', async () => {
    const { world, mortal, ledger } = await grown(30, 12)
    const wanted = keywords.consolidate?.(ledger.graph, ledger.config.settings).patch ?? []
    writeMeta(ledger.sql, 'consolidated', 'yes')
    maintain(ledger, 'reindex')
    const stepOf = () =>
      JSON.parse(unfinished(ledger.sql)[0]?.progress ?? '{}') as { readonly step?: string; readonly builders?: readonly string[] }
    let slices = 0
    until(
      () => stepOf().step === 'write',
      () => {
        if (stepOf().step === 'whole' && stepOf().builders?.[0] === 'keywords') slices++
        if (!workOnce(ledger)) {
          const { round } = openTasks(ledger, 'one', 1024)
          if (round) commit(ledger, 'one', answered(round, noBill()))
        }
      },
    )
    await finish(mortal, world, noBill())
    const ids = wanted.flatMap((one) => (one.op === 'put-node' ? [one.node.id] : [])).sort()
    expect([slices > 1, ids.length > 0, ledger.graph.page('keyword', '', 1000)]).toEqual([true, true, ids])
  })

  it('[V97] that is given up between slices has written nothing', async () => {
    const { ledger } = await grown(24)
    pinSome(ledger, 1)
    const graph = hashOf(ledger)
    maintain(ledger, 'consolidate')
    until(
      () => sliceOf(ledger).measuring !== undefined,
      () => workOnce(ledger),
    )
    const { id = '' } = open(ledger) ?? {}
    const job = findJob(ledger.sql, id)
    if (job) cancel(ledger, job)
    const after = findJob(ledger.sql, id)
    expect([after && viewOf(after).status, hashOf(ledger), workOnce(ledger)]).toEqual(['cancelled', graph, false])
  })
})
