/** A consolidation is weighed a probe at a time. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { viewOf } from '../../../durable-objects/corpus/jobs/job'
import { findJob, unfinishedJobs } from '../../../durable-objects/corpus/jobs/jobs'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { runMaintenanceSlice, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { findings, scan } from '../../../durable-objects/corpus/quality-gate/gate'
import { pinProbes, probesAfter } from '../../../durable-objects/corpus/quality-gate/probes'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { metaKeys, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { keywords } from '../../../src/core/strategies/ketrag/published-keywords'
import type { DocumentInput } from '../../../src/ports/documents'
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

async function grown(pages: number, each = 1): Promise<{ world: World; mortal: Mortal; context: CorpusContext }> {
  const world = mortalWorld(['ketrag', 'cluerag'])
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: Array.from({ length: pages }, (_, n) => long(n, each)), deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, context: mortal.context }
}

/** Some are found now and some are not. */
function pinSome(context: CorpusContext, tolerance: number, from = 0): void {
  const probes = Array.from({ length: PROBES }, (_, i) => {
    const query = `What did ${NAMES[(i + from) % 8]} see of the ${PLACES[(i * 3) % 8]}?`
    return { query, expect: [`d${i}`, `d${(i * 5) % 24}`], vector: embed(query) }
  })
  pinProbes(context, probes, { k: K, tolerance })
}

/** What each strategy finds of the probes now, on the graph as it is. */
function mean(context: CorpusContext): { readonly [strategy: string]: number } {
  const all = probesAfter(context, 0, 100).map((probe) => findings(context, probe, scan(context.graph, probe.vector), K))
  const names = [...new Set(all.flatMap((one) => [...one.keys()]))]
  return Object.fromEntries(names.map((name) => [name, all.reduce((sum, one) => sum + (one.get(name)?.recall ?? 0), 0) / all.length]))
}

interface Slice {
  readonly builders: readonly string[]
  readonly measuring?: { readonly after: number }
}
const open = (context: CorpusContext) => unfinishedJobs(context.sql).find((job) => job.kind === 'consolidate')
const sliceOf = (context: CorpusContext) => JSON.parse(open(context)?.progress ?? '{}') as Partial<Slice>
const hashOf = ({ graph }: CorpusContext): string => stateHash(graph.lines())
const gateOf = (context: CorpusContext) => {
  const { at: _, job: __, ...gate } = health(context).gate ?? { at: 0, job: '' }
  return gate
}

/** One slice, or one round, of an object that may die of it; who lives on. */
function dying(world: World, now: Mortal, at: { readonly write: number }, runner: string): Mortal {
  now.doom(at)
  try {
    if (!runMaintenanceSlice(now.context)) {
      world.clock.now += 400_000
      const round = openTasks(now.context, runner, 16)
      if (round) commitRound(now.context, runner, answered(round, noBill()))
    }
  } catch (error) {
    if (!(error instanceof Death)) throw error
    return world.wake()
  }
  now.doom({})
  return now
}

describe('a consolidation with probes', () => {
  it('[V97] asks one probe a slice, with the result of all at once', async () => {
    const { world, mortal, context } = await grown(24)
    pinSome(context, 1)
    const before = mean(context)
    const graph = hashOf(context)
    startMaintenance(context, 'consolidate')
    const asked: number[] = []
    const look = () => {
      const { measuring } = sliceOf(context)
      if (!measuring) return
      asked.push(measuring.after)
      if (asked.length <= 10) expect(hashOf(context)).toBe(graph) // nothing is written before all were asked
    }
    until(() => !runMaintenanceSlice(context), look)
    await finish(mortal, world, noBill())
    expect(asked.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const after = mean(context)
    const { recall = {} } = health(context).gate ?? {}
    expect(Object.keys(recall).length).toBeGreaterThan(0)
    for (const [name, one] of Object.entries(recall)) {
      expect(one.before).toBeCloseTo(before[name] ?? -1, 9)
      expect(one.after).toBeCloseTo(after[name] ?? -1, 9)
    }
    expect(hashOf(context)).not.toBe(graph)
  })

  it('[V97] wherever it dies between or within slices, it ends as without a crash', async () => {
    const { world, mortal } = await grown(24)
    pinSome(mortal.context, 1)
    world.base()
    startMaintenance(mortal.context, 'consolidate')
    await finish(mortal, world, noBill())
    const clean = [hashOf(mortal.context), gateOf(mortal.context), world.told()]
    for (let seed = 1; seed <= 6; seed++) {
      world.again()
      let now: Mortal = world.wake()
      startMaintenance(now.context, 'consolidate')
      for (let n = 0; n < 40 && unfinishedJobs(now.context.sql).length > 0; n++) {
        if ((seed + n) % 3 === 0) now = world.wake() // memory is lost between two slices
        now = dying(world, now, { write: 1 + ((seed * 31 + n * 17) % 6) }, `r${n}`)
      }
      await finish(now, world, noBill())
      expect([seed, hashOf(now.context), gateOf(now.context), world.told()]).toEqual([seed, ...clean])
    }
  })

  it('[V97] includes what comes and goes between slices, and asks changed probes from the first', async () => {
    const { world, mortal, context } = await grown(24)
    pinSome(context, 1)
    startMaintenance(context, 'consolidate')
    until(
      () => sliceOf(context).measuring !== undefined,
      () => runMaintenanceSlice(context),
    )
    accept(context, { kind: 'batch', upserts: [page(40)], deletes: ['d3'] })
    const round = openTasks(context, 'one', 64)
    if (round) commitRound(context, 'one', answered(round, noBill()))
    expect([context.graph.document('d40') !== undefined, context.graph.document('d3')]).toEqual([true, undefined])
    runMaintenanceSlice(context)
    expect(sliceOf(context).measuring?.after).toBe(2) // on it goes
    pinSome(context, 1, 2)
    runMaintenanceSlice(context)
    expect(sliceOf(context).measuring?.after).toBe(1)
    await finish(mortal, world, noBill())
    expect(context.sql.all(`SELECT status FROM job WHERE status <> 'succeeded'`)).toEqual([])
    const fresh = await grown(24)
    accept(fresh.context, { kind: 'batch', upserts: [page(40)], deletes: ['d3'] })
    await finish(fresh.mortal, fresh.world, noBill())
    startMaintenance(fresh.context, 'consolidate')
    await finish(fresh.mortal, fresh.world, noBill())
    expect(hashOf(context)).toBe(hashOf(fresh.context))
  })

  it('[V104] drafts the keywords in slices, with other requests between them, and again after a crash', async () => {
    const { world, mortal } = await grown(30, 12)
    let now = mortal
    const wanted = keywords.consolidate?.(now.context.graph, now.context.config.settings).patch ?? []
    startMaintenance(now.context, 'consolidate')
    let before: string | undefined
    let slices = 0
    until(
      () => now.context.graph.count('keyword') > 0,
      () => {
        const drafting = sliceOf(now.context).builders?.[0] === 'keywords' && sliceOf(now.context).measuring !== undefined
        if (drafting) {
          slices++
          before ??= hashOf(now.context)
          expect(hashOf(now.context)).toBe(before) // nothing is written before all is drafted
          if (slices === 1) now = world.wake()
        }
        runMaintenanceSlice(now.context)
      },
    )
    expect(slices).toBeGreaterThan(1)
    expect(now.context.graph.page('keyword', '', 1000)).toEqual(
      wanted.flatMap((one) => (one.op === 'put-node' ? [one.node.id] : [])).sort(),
    )
  })

  it('[V104] drafts them so in a shadow graph, too', async () => {
    const { world, mortal, context } = await grown(30, 12)
    const wanted = keywords.consolidate?.(context.graph, context.config.settings).patch ?? []
    writeMeta(context.sql, metaKeys.isConsolidated, true)
    startMaintenance(context, 'reindex')
    const stepOf = () =>
      JSON.parse(unfinishedJobs(context.sql)[0]?.progress ?? '{}') as { readonly step?: string; readonly builders?: readonly string[] }
    let slices = 0
    until(
      () => stepOf().step === 'write',
      () => {
        if (stepOf().step === 'whole' && stepOf().builders?.[0] === 'keywords') slices++
        if (!runMaintenanceSlice(context)) {
          const round = openTasks(context, 'one', 1024)
          if (round) commitRound(context, 'one', answered(round, noBill()))
        }
      },
    )
    await finish(mortal, world, noBill())
    const ids = wanted.flatMap((one) => (one.op === 'put-node' ? [one.node.id] : [])).sort()
    expect([slices > 1, ids.length > 0, context.graph.page('keyword', '', 1000)]).toEqual([true, true, ids])
  })

  it('[V97] that is cancelled between slices has written nothing', async () => {
    const { context } = await grown(24)
    pinSome(context, 1)
    const graph = hashOf(context)
    startMaintenance(context, 'consolidate')
    until(
      () => sliceOf(context).measuring !== undefined,
      () => runMaintenanceSlice(context),
    )
    const { id = '' } = open(context) ?? {}
    const job = findJob(context.sql, id)
    if (job) cancelJob(context, job)
    const after = findJob(context.sql, id)
    expect([after && viewOf(after).status, hashOf(context), runMaintenanceSlice(context)]).toEqual(['cancelled', graph, false])
  })
})
