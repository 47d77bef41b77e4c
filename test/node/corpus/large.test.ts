/** Batches too large for one piece of work: taken in by parts, and what is left caught up with. Rules V107 and V108. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/intake/accept'
import { receipts } from '../../../durable-objects/corpus/told/receipts'
import { catchUpOnce, isBehind } from '../../../durable-objects/corpus/work/behind'
import { findJob } from '../../../durable-objects/corpus/work/jobs'
import { commit, openTasks } from '../../../durable-objects/corpus/work/runner'
import { defaultSettings, type Settings } from '../../../src/core/settings'
import type { DocumentInput } from '../../../src/ports'
import { Death, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, finish, noBill } from './working'

const SMALL: Partial<Settings> = {
  chunking: { chunk: 60, overlap: 0, passage: 30 },
  models: 'none',
  archrag: { ...defaultSettings.archrag, piece: 16, most: 6, least: 2 },
}
const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const letters = (from: number, to: number): DocumentInput[] =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const text = `Captain ${name(n)} met Pilot ${name(n + 7)} at Port ${name(n % 5)} and wrote of it on day ${n}.`
    return { id: `letter-${n}`, text, title: '', url: null, metadata: {} }
  })

/** A word of its own for each of a hundred numbers. */
function name(n: number): string {
  const [a = 'B', b = 'a'] = [[...'BDFGKLMNRS'][Math.floor(n / 10) % 10], [...'aeiou'][n % 5]]
  return `${a}${b}r${n % 10 < 5 ? 'ti' : 'mo'}n`
}

function begun(strategies: readonly string[]): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld(strategies, SMALL)
  worlds.push(world)
  return { world, mortal: world.wake() }
}

/** The job, and all the model work done that it waits for, short of catching up. */
function takenIn({ ledger }: Mortal, upserts: readonly DocumentInput[], deletes: readonly string[] = []): string {
  const accepted = accept(ledger, { kind: 'batch', upserts, deletes })
  for (;;) {
    const { round } = openTasks(ledger, 'one', 1024)
    if (!round || round.tasks.length === 0) break
    commit(ledger, 'one', answered(round, noBill()))
  }
  return accepted.kind === 'accepted' ? accepted.job : ''
}

describe('a large batch', () => {
  it('[V107] goes in by parts and is one version, told once, and the graph that its documents make one by one', async () => {
    const strategies = ['erarag', 'cluerag', 'ketrag']
    const [large, single] = [begun(strategies), begun(strategies)]
    const before = large.mortal.ledger.graph.version
    takenIn(large.mortal, letters(0, 160))
    await finish(large.mortal, large.world, noBill())
    const commits = receipts(large.mortal.ledger, null, 100).data.filter((one) => one.touched.documents > 0)
    expect(commits.map((one) => [one.version, one.touched.documents])).toEqual([[before + 1, 160]])
    for (const one of letters(0, 160)) takenIn(single.mortal, [one])
    await finish(single.mortal, single.world, noBill())
    expect(large.mortal.ledger.graph.state).toBe(single.mortal.ledger.graph.state)
    expect(large.world.told()).toEqual(single.world.told())
  })

  it('[V107] that moves texts to other documents embeds none of them again, whichever part they are in', async () => {
    const { world, mortal } = begun(['erarag'])
    takenIn(mortal, letters(0, 160))
    await finish(mortal, world, noBill())
    const { state } = mortal.ledger.graph
    const moved = letters(0, 160).map((one) => ({ ...one, id: `moved-${one.id}` }))
    const bill = noBill()
    accept(mortal.ledger, { kind: 'batch', upserts: moved, deletes: letters(0, 160).map((one) => one.id) })
    await finish(mortal, world, bill)
    expect([bill.tasks, mortal.ledger.graph.count('document')]).toEqual([0, 160])
    takenIn(
      mortal,
      letters(0, 160),
      moved.map((one) => one.id),
    )
    await finish(mortal, world, noBill())
    expect(mortal.ledger.graph.state).toBe(state)
  })
})

describe('what was too much for one commit', () => {
  it('[V108] follows in commits of its own, nothing more is begun meanwhile, and the job is done when it is in', () => {
    const { mortal } = begun(['archrag'])
    const { ledger } = mortal
    const job = takenIn(mortal, letters(0, 60))
    const phase = (): string | undefined => findJob(ledger.sql, job)?.phase
    expect([isBehind(ledger), phase()]).toEqual([true, 'settling'])
    accept(ledger, { kind: 'ingest', upserts: letters(60, 61), deletes: [] })
    expect(openTasks(ledger, 'one', 10).round?.tasks).toEqual([])
    let [pieces, last] = [0, ledger.graph.version]
    for (; isBehind(ledger); pieces++) {
      expect(phase()).toBe('settling')
      expect(catchUpOnce(ledger)).toBe(true)
      expect(ledger.graph.version).toBe(last + 1)
      last = ledger.graph.version
    }
    expect(pieces).toBeGreaterThan(2)
    expect([phase(), catchUpOnce(ledger)]).toEqual(['done', false])
    expect(findJob(ledger.sql, job)?.receipt?.touched.communities).toBeGreaterThan(0)
    expect(openTasks(ledger, 'one', 10).round?.tasks).toHaveLength(1)
  })

  it('[V108] is neither lost nor done twice wherever the process dies', async () => {
    const { world, mortal } = begun(['archrag'])
    takenIn(mortal, letters(0, 40))
    await finish(mortal, world, noBill())
    const want = mortal.ledger.graph.state
    const { world: other, mortal: first } = begun(['archrag'])
    takenIn(first, letters(0, 40))
    let now = first
    let deaths = 0
    for (let at = 5; isBehind(now.ledger); at += 12) {
      now.doom({ write: at })
      try {
        catchUpOnce(now.ledger)
      } catch (error) {
        if (!(error instanceof Death)) throw error
        deaths++
        now = other.wake()
      }
    }
    expect(deaths).toBeGreaterThan(3)
    now.doom({})
    await finish(now, other, noBill())
    expect(now.ledger.graph.state).toBe(want)
  })
})
