/** Chunks that a model has read with the prompts of another release. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { runScheduledMaintenance } from '../../../durable-objects/corpus/maintenance/scheduled-maintenance'
import { isPending, writeConfig } from '../../../durable-objects/corpus/pending-config'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { countUrgentTasks } from '../../../durable-objects/corpus/tables/task'
import { stateHash } from '../../../src/core/graph/fingerprint'
import type { Ontology } from '../../../src/core/ontology'
import type { RoleModels, Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { TaskResult } from '../../../src/ports/tasks'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, finish, noBill } from './working'

const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund']
const settings: Partial<Settings> = {
  chunking: { chunk: 64, overlap: 0, passage: 32 },
  extraction: { gleanings: 0, types: [], renewals: 3 },
  writer: true,
  models: 'scripted',
  ketrag: { ...defaultSettings.ketrag, share: 1 },
}
const one = (i: number) => ({
  id: `d${i}`,
  text: `${NAMES[i % 6]} keeps the lamp oil dry. ${NAMES[(i + 1) % 6]} wrote letter ${i}.`,
  title: '',
  url: null,
  metadata: {},
})
const upserts = NAMES.map((_, i) => one(i))

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

/** Six chunks, each read by a model. `earlier`: with other prompts. */
async function readCorpus(earlier = true): Promise<{ world: World; mortal: Mortal; context: CorpusContext }> {
  const world = mortalWorld(['ketrag'], settings)
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  if (earlier) mortal.context.sql.run(`UPDATE cache SET prompts = '2' WHERE prompts IS NOT NULL`)
  return { world, mortal, context: mortal.context }
}

/** “lamp oil” is no name by rules: only a model finds it. */
function told(results: readonly TaskResult[], entity: string): TaskResult[] {
  return results.map(({ reply, ...one }) => {
    if (reply.kind !== 'extract') return { ...one, reply }
    const more = { name: entity, type: 'thing', description: 'kept dry' }
    return { ...one, reply: { ...reply, extraction: { ...reply.extraction, entities: [...reply.extraction.entities, more] } } }
  })
}

/** Works off what is open, a round at a time; how many chunks were read. */
function work(context: CorpusContext, change: (results: readonly TaskResult[]) => TaskResult[] = (results) => [...results]): number {
  const bill = noBill()
  for (let rounds = 0; rounds < 100; rounds++) {
    const round = openTasks(context, 'last', 64)
    if (!round || round.tasks.length === 0) return bill.kinds.extract ?? 0
    commitRound(context, 'last', change(answered(round, bill)))
  }
  throw new Error('it does not come to an end')
}

describe('chunks that were read with other prompts', () => {
  it('[L502] are read again a few at a time, each once, and give the graph that these prompts give', async () => {
    const { mortal, world, context } = await readCorpus()
    const names = () => context.graph.page('entity', '', 99).map((id) => context.graph.node(id)?.text)
    work(context)
    expect([health(context).outdated, names().includes('lamp oil')]).toEqual([6, false])
    const read: number[] = []
    for (let visits = 0; visits < 4; visits++) {
      world.clock.now += 600_000
      runScheduledMaintenance(context)
      read.push(work(context, (results) => told(results, 'lamp oil')))
    }
    expect([read, health(context).outdated, names().includes('lamp oil')]).toEqual([[3, 3, 0, 0], 0, true])
    // What only the earlier prompts found goes when these do not find it, and the graph is that of a corpus that never had others.
    context.sql.run(`UPDATE cache SET prompts = '2' WHERE prompts IS NOT NULL`)
    for (let visits = 0; visits < 2; visits++) {
      world.clock.now += 600_000
      runScheduledMaintenance(context)
      work(context)
    }
    await finish(mortal, world, noBill())
    const fresh = await readCorpus(false)
    expect(names()).toEqual(fresh.context.graph.page('entity', '', 99).map((id) => fresh.context.graph.node(id)?.text))
    expect(stateHash(context.graph.lines())).toBe(stateHash(fresh.context.graph.lines()))
  })

  it('[L502] keep what they have where the reply is of no use, and are not asked about again', async () => {
    const { world, context } = await readCorpus()
    const before = stateHash(context.graph.lines())
    for (let visits = 0; visits < 4; visits++) {
      world.clock.now += 600_000
      runScheduledMaintenance(context)
      work(context, (results) =>
        results.map(({ reply: { node, input }, ...one }) => ({ ...one, reply: { kind: 'unusable', node, input, reason: 'empty' } })),
      )
    }
    expect([health(context).outdated, health(context).quarantined, stateHash(context.graph.lines())]).toEqual([0, 0, before])
  })

  it('[V908] another ontology derives nothing anew, and is read with little by little; what comes is read with it at once', async () => {
    const { world, mortal, context } = await readCorpus(false)
    const wanted = (ontology: Ontology | null) => {
      const { config } = context
      const settings = { ...config.settings, extraction: { ...config.settings.extraction, ontology } }
      context.atomically(() => writeConfig(context, config, { ...config, settings }))
      Object.assign(context, contextOf(context))
    }
    const visit = (): number => {
      world.clock.now += 600_000
      runScheduledMaintenance(context)
      return work(context, (results) => told(results, 'lamp oil'))
    }
    const before = stateHash(context.graph.lines())
    const ontology: Ontology = { mode: 'strict', types: [{ name: 'thing' }], relations: [] }
    wanted(ontology)
    expect([isPending(context), stateHash(context.graph.lines()), health(context).outdated]).toEqual([false, before, 6])
    const round = accept(context, { kind: 'batch', upserts: [{ ...one(6), id: 'new' }], deletes: [] })
    expect(round.kind).toBe('accepted')
    await finish(mortal, world, noBill())
    expect(health(context).outdated).toBe(6)
    expect([visit(), visit(), visit(), health(context).outdated]).toEqual([3, 3, 0, 0])
    wanted({ ...ontology, mode: 'open' })
    expect(health(context)).toMatchObject({ outdated: 7, ontology: { mode: 'open', read: 0 } })
    wanted(null)
    expect([health(context).outdated, health(context).ontology]).toEqual([7, null])
  })

  it('[L502] what was under way when the prompts changed is kept with those it was asked with', async () => {
    const world = mortalWorld(['ketrag'], settings)
    worlds.push(world)
    const { context } = world.wake()
    accept(context, { kind: 'batch', upserts, deletes: [] })
    const bill = noBill()
    for (let rounds = 0; rounds < 100; rounds++) {
      const round = openTasks(context, 'last', 64)
      if (!round || round.tasks.length === 0) break
      const results = answered(round, bill)
      if (round.tasks.some(({ brief }) => brief.kind === 'extract')) {
        const { config } = context
        const extraction = { ...config.settings.extraction, guidance: 'Treat vessel names as ships.' }
        context.atomically(() => writeConfig(context, config, { ...config, settings: { ...config.settings, extraction } }))
        Object.assign(context, contextOf(context))
      }
      commitRound(context, 'last', results)
    }
    expect([bill.kinds.extract, health(context).outdated]).toEqual([6, 6])
  })

  it('[V911] another model for extraction is one of these changes, another that summarises derives anew, and others hold at once', async () => {
    const { context } = await readCorpus(false)
    const withModels = (roleModels: RoleModels) => {
      const { config } = context
      context.atomically(() => writeConfig(context, config, { ...config, settings: { ...config.settings, roleModels } }))
      Object.assign(context, contextOf(context))
      return [isPending(context), health(context).outdated]
    }
    expect(withModels({ answer: 'large', judge: 'large' })).toEqual([false, 0])
    expect(withModels({ extract: 'large' })).toEqual([false, 6])
    expect(withModels({})).toEqual([false, 0])
    expect(withModels({ summarise: 'large' })[0]).toBe(true)
  })

  it('[V918] [V1990] other words of the owner, other examples, or another language of descriptions, derive nothing anew and are read with little by little', async () => {
    const { world, context } = await readCorpus(false)
    const wanted = (said: Partial<Settings['extraction']>) => {
      const { config } = context
      const settings = { ...config.settings, extraction: { ...config.settings.extraction, ...said } }
      context.atomically(() => writeConfig(context, config, { ...config, settings }))
      Object.assign(context, contextOf(context))
      return [isPending(context), health(context).outdated]
    }
    const before = stateHash(context.graph.lines())
    expect(wanted({ guidance: 'Treat vessel names as ships.' })).toEqual([false, 6])
    const visit = (): number => {
      world.clock.now += 600_000
      runScheduledMaintenance(context)
      return work(context, (results) => told(results, 'lamp oil'))
    }
    expect([stateHash(context.graph.lines()) === before, visit(), visit(), health(context).outdated]).toEqual([true, 3, 3, 0])
    expect(wanted({ language: 'de' })).toEqual([false, 6])
    expect(wanted({ language: null })).toEqual([false, 0])
    expect(wanted({ guidance: null })).toEqual([false, 6])
    const examples = [{ text: 'Ada met Karl.', entities: [{ name: 'Ada', type: 'person', description: '' }], relations: [] }]
    expect(wanted({ guidance: 'Treat vessel names as ships.', examples })).toEqual([false, 6])
    expect(wanted({ examples: null })).toEqual([false, 0])
  })

  it('[V907] what does not fit is counted since the ontology is in force', async () => {
    const { world, context } = await readCorpus(false)
    const { config } = context
    const ontology: Ontology = { mode: 'open', types: [{ name: 'thing' }], relations: [] }
    const settings = { ...config.settings, extraction: { ...config.settings.extraction, ontology } }
    context.atomically(() => writeConfig(context, config, { ...config, settings }))
    Object.assign(context, contextOf(context))
    world.clock.now += 600_000
    runScheduledMaintenance(context)
    work(context, (results) => results.map((result) => ({ ...result, dropped: { types_outside: 2, kinds: 1 } })))
    const fit = { mode: 'open', read: 3, types: { dropped: 0, outside: 6 }, relations: { dropped: 3, outside: 0 } }
    expect(health(context).ontology).toEqual(fit)
  })

  it('[L503] are left as they are while a job is open, in the last half of a budget, and where the corpus wants none', async () => {
    const { world, context } = await readCorpus()
    const asks = (): number => {
      world.clock.now += 600_000
      runScheduledMaintenance(context)
      return countUrgentTasks(context.sql)
    }
    const { config } = context
    const used = 1000
    context.sql.run(
      `INSERT OR REPLACE INTO meta (key, value) VALUES ('usage', ?)`,
      JSON.stringify({ in: used, out: 0, embedded: 0, usd: 0 }),
    )
    const withConfig = (more: Partial<typeof config>) => Object.assign(context, { config: { ...config, ...more } })
    withConfig({ budget: { tokens: 1.5 * used } })
    expect(asks()).toBe(0)
    withConfig({ settings: { ...config.settings, extraction: { ...config.settings.extraction, renewals: 0 } } })
    expect(asks()).toBe(0)
    withConfig({ budget: { tokens: 10 * used } })
    expect(asks()).toBe(3)
  })

  it('[L503] how many at a time derives nothing anew; a graph derived anew asks nothing that is known, and leaves them to the schedule', async () => {
    const { mortal, world, context } = await readCorpus()
    const before = context.config
    const slower = { ...before, settings: { ...before.settings, extraction: { ...before.settings.extraction, renewals: 1 } } }
    context.atomically(() => writeConfig(context, before, slower))
    Object.assign(context, contextOf(context))
    expect(isPending(context)).toBe(false)
    startMaintenance(context, 'reindex')
    const bill = noBill()
    await finish(mortal, world, bill)
    expect([bill.kinds.extract ?? 0, health(context).outdated]).toEqual([0, 6])
  })
})
