/** The layers above the lowest while a large change is folded in slice by slice: they follow once for many slices, and nobody is misled meanwhile. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seesBeneath } from '../../../src/core/access/sight'
import { draftOf } from '../../../src/core/graph/draft'
import type { GraphNode } from '../../../src/core/graph/types'
import { guestsIn, isMuchOwed, isOwed } from '../../../src/core/strategies/archrag/above'
import { hasBacklog } from '../../../src/core/strategies/archrag/backlog'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { clusteringOf, parentOf } from '../../../src/core/strategies/archrag/clustering-state'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { descend } from '../../../src/core/strategies/archrag/descent'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import { communitiesIn, faults, settingsWith, sparse, type World, world } from './worlds'

const PIECE = 16
const settings = settingsWith({ max: 8, min: 2, piece: PIECE })
const pool = sparse(120)

function slice(one: World): void {
  one.take(archBuilder.processBacklog?.(one.graph, one.settings) ?? fail())
}

/** What an idle object does. */
function follow(one: World): void {
  one.take(archBuilder.consolidate?.(one.graph, one.settings) ?? fail())
}

/** Members of the communities above the lowest. */
function above({ graph }: World): ReadonlyMap<string, string> {
  return new Map(communitiesIn(graph).flatMap((node) => (node.layer > 1 ? [[node.id, communityOf(node).members.join()]] : [])))
}

/** A settled corpus, to which as much has come as eight slices take. */
function flooded(own = settings): World {
  const one = world(own)
  one.change({ add: pool.slice(0, 90) })
  expect([faults(one), isOwed(one.graph)]).toEqual([[], false])
  one.change({ add: pool.slice(90), pieces: false })
  return one
}

describe('while slices wait', () => {
  it('[A2281] only the lowest communities are grouped; the layers above follow with the last slice', () => {
    const one = flooded()
    const before = above(one)
    expect(before.size).toBeGreaterThan(3)
    let [slices, still] = [0, 0]
    for (; archBuilder.hasBacklog?.(one.graph); slices++) {
      if (isOwed(one.graph)) {
        still++
        expect([hasBacklog(one.graph), [...above(one)]]).toEqual([true, [...before]])
      }
      slice(one)
    }
    expect(slices).toBeGreaterThan(3)
    expect(still).toBe(slices)
    expect([isOwed(one.graph), faults(one)]).toEqual([false, []])
    expect([...above(one)]).not.toEqual([...before])
  })

  it('[A2282] they follow although slices wait once half of the lowest communities have come or gone', () => {
    const one = world(settings)
    one.change({ add: pool.slice(0, 10) })
    one.change({ add: pool.slice(10), pieces: false })
    const seen: number[] = []
    for (; hasBacklog(one.graph); slice(one)) {
      const homeless = communitiesIn(one.graph).filter((node) => node.layer === 1 && parentOf(one.graph, node.id) === undefined).length
      seen.push(homeless / one.graph.count('community', 1))
    }
    expect(seen.filter((share) => share === 0).length).toBeGreaterThan(1)
    expect(Math.max(...seen)).toBeLessThan(0.5 + PIECE / one.graph.count('community', 1))
    expect(faults(one)).toEqual([])
  })

  it('[A2283] a report above what moved is stale, and hidden from an asker who may not see everything', () => {
    const one = flooded()
    expect(communitiesIn(one.graph).some((node) => node.layer > 1 && node.stale)).toBe(true)
    const before = new Map(communitiesIn(one.graph).map((node) => [node.id, communityOf(node).members.join()]))
    for (; hasBacklog(one.graph); slice(one)) {
      const now = communitiesIn(one.graph)
      const moved = now.filter((node) => node.layer === 1 && before.get(node.id) !== communityOf(node).members.join())
      const uppers = moved.flatMap((node) => one.graph.node(parentOf(one.graph, node.id) ?? '') ?? [])
      if (isOwed(one.graph)) expect(uppers.filter((node) => !node.stale || seesBeneath(one.graph, node, () => true))).toEqual([])
      for (const node of now) if (!isOwed(one.graph)) before.set(node.id, communityOf(node).members.join())
    }
    expect(communitiesIn(one.graph).filter((node) => node.stale)).toEqual([])
  })

  it('[A2283] a report that no longer describes what is below it is written from what is there once the layers follow', () => {
    const one = flooded()
    one.catchUp()
    const told = (node: GraphNode): boolean =>
      communityOf(node).members.every((id) => {
        const child = one.graph.node(id)
        return child !== undefined && !child.stale
      })
    expect(communitiesIn(one.graph).filter((node) => node.layer > 1 && !told(node))).toEqual([])
  })

  it('[A2284] a deletion brings all layers up to date at once: none repeats what was deleted, and every community has its home', () => {
    for (const writer of [false, true]) {
      const one = flooded(settingsWith({ max: 8, min: 2, piece: PIECE }, writer))
      expect(isOwed(one.graph)).toBe(true)
      const gone = pool.slice(0, 6)
      one.change({ remove: gone, pieces: false })
      expect([isOwed(one.graph), hasBacklog(one.graph)]).toEqual([false, true])
      const dead = gone.map((doc) => doc.record.id.replace('sparse-', 'matter '))
      const telling = communitiesIn(one.graph).filter((node) => dead.some((name) => new RegExp(`${name}\\b`).test(node.text)))
      expect(telling).toEqual([])
      const lowest = communitiesIn(one.graph).filter((node) => node.layer === 1)
      expect(lowest.filter((node) => parentOf(one.graph, node.id) === undefined)).toEqual([])
      one.catchUp()
      expect(faults(one)).toEqual([])
    }
  })

  it('[A2281] what is deleted before they have followed leaves nothing behind', () => {
    const one = world(settings)
    const empty = one.hash()
    one.change({ add: pool, pieces: false })
    slice(one)
    one.change({ remove: pool, pieces: false })
    expect([one.hash(), archBuilder.hasBacklog?.(one.graph)]).toEqual([empty, false])
  })
})

describe('where there are many of the lowest communities', () => {
  const many = sparse(800)
  const large = settingsWith({ piece: 64 })
  /** A corpus with more than 256 of them, whose layers are all up to date. */
  function grown(own = large): World {
    const one = world(own)
    one.change({ add: many.slice(0, 330) })
    one.settle()
    expect(one.graph.count('community', 1)).toBeGreaterThan(256)
    expect([isOwed(one.graph), faults(one)]).toEqual([false, []])
    return one
  }

  it('[A2360] a change groups only these; the layers above follow when no job is open, and until then what moved is stale above', () => {
    const one = grown()
    const before = above(one)
    for (const doc of many.slice(330, 340)) {
      one.change({ add: [doc], pieces: false })
      expect(archBuilder.hasBacklog?.(one.graph)).toBe(false) // so the job is done
    }
    expect([isOwed(one.graph), [...above(one)]]).toEqual([true, [...before]])
    expect(communitiesIn(one.graph).some((node) => node.layer > 1 && node.stale)).toBe(true)
    const isDue = (isBusy: boolean): boolean | undefined => archBuilder.isDue?.(one.graph, one.settings, isBusy)
    expect([isDue(true), isDue(false)]).toEqual([false, true])
    one.catchUp()
    expect([isOwed(one.graph), isDue(false), faults(one)]).toEqual([false, false, []])
    expect(communitiesIn(one.graph).filter((node) => node.stale)).toEqual([])
    expect([...above(one)]).not.toEqual([...before])
  })

  it('[A2360] following leaves the lowest communities as they are', () => {
    const one = grown()
    one.change({ add: many.slice(330, 336), pieces: false })
    const lowest = (): string[] =>
      communitiesIn(one.graph).flatMap((node) => (node.layer === 1 ? [`${node.id} ${communityOf(node).members.join()} ${node.text}`] : []))
    const before = lowest()
    one.catchUp()
    expect([isOwed(one.graph), lowest()]).toEqual([false, before])
  })

  it('[A2361] they follow beside jobs too once half of the lowest communities have come or gone, in commits of their own', () => {
    const one = grown()
    const share = (): number => [...guestsIn(one.graph).values()].flat().length / one.graph.count('community', 1)
    let most = 0
    let parts = 0
    for (let at = 330; at < many.length; at += 10) {
      one.change({ add: many.slice(at, at + 10), pieces: false })
      most = Math.max(most, share())
      for (; archBuilder.hasBacklog?.(one.graph); slice(one)) parts += hasBacklog(one.graph) ? 0 : 1
    }
    expect(most).toBeGreaterThan(0.45)
    expect(most).toBeLessThan(0.6)
    expect(parts).toBeGreaterThan(0)
    one.catchUp()
    expect([isOwed(one.graph), faults(one), communitiesIn(one.graph).filter((node) => node.stale)]).toEqual([false, [], []])
  })

  it('[A2462] one part brings at most twice as many communities as a piece has entities, those first that came first; the rest wait', () => {
    const one = grown(settingsWith({ piece: 16 }))
    const parts: number[] = []
    for (const doc of many.slice(330, 370)) one.change({ add: [doc], pieces: false })
    const owed = (): Set<string> => new Set([...guestsIn(one.graph).values()].flat())
    for (let before = owed(); isOwed(one.graph); before = owed()) {
      follow(one)
      const now = owed()
      expect([...now].filter((id) => !before.has(id))).toEqual([])
      parts.push(before.size - now.size)
      for (const id of before) if (!now.has(id) && one.graph.node(id)) expect(parentOf(one.graph, id)).toBeDefined()
    }
    expect([parts.length > 1, Math.max(...parts)]).toEqual([true, 32])
    expect([faults(one), communitiesIn(one.graph).filter((node) => node.stale)]).toEqual([[], []])
  })

  it('[A2462] whatever comes and goes between two parts, all have followed in the end, and what is emptied leaves nothing behind', () => {
    const settings = settingsWith({ piece: 16 })
    const empty = world(settings).hash()
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean(), fc.nat(3)), { minLength: 4, maxLength: 8 }), (steps) => {
        const one = grown(settings)
        const there = new Set(many.slice(0, 330))
        for (const [at, comes, parts] of steps) {
          const some = many.slice(330 + 10 * at, 340 + 10 * at).filter((doc) => there.has(doc) !== comes)
          one.change({ ...(comes ? { add: some } : { remove: some }), pieces: false })
          for (const doc of some) comes ? there.add(doc) : there.delete(doc)
          for (let i = 0; i < parts && isOwed(one.graph); i++) archBuilder.hasBacklog?.(one.graph) ? slice(one) : follow(one)
        }
        one.catchUp()
        expect([isOwed(one.graph), faults(one), communitiesIn(one.graph).filter((node) => node.stale)]).toEqual([false, [], []])
        one.change({ remove: [...there], pieces: false })
        one.catchUp()
        expect(one.hash()).toBe(empty)
      }),
      { seed: 2462, numRuns: 4 },
    )
  })

  it('[A2361] they follow once a thousand of them have come or gone, however many there are', () => {
    const owed = (moved: number) => {
      const come = Array.from({ length: moved }, (_, i) => [`m_${i}`, ''])
      const graph = { value: () => ({ come, gone: [], changed: ['m_other'], into: [] }), count: () => 50_000 }
      return isMuchOwed(graph as never)
    }
    expect([owed(999), owed(1000)]).toEqual([false, true])
  })

  it('[A2362] where a model writes reports no layer lags: a job waits for the reports of all that it moved', () => {
    const one = grown(settingsWith({ piece: 64 }, true))
    one.change({ add: many.slice(330, 333), pieces: false })
    expect(isOwed(one.graph)).toBe(false)
    expect(communitiesIn(one.graph).some((node) => node.layer > 1 && node.stale)).toBe(true) // for want of its report
    one.settle()
    expect([faults(one), communitiesIn(one.graph).filter((node) => node.stale)]).toEqual([[], []])
  })

  it('[A2284] a deletion brings all layers up to date at once, also where they lagged', () => {
    const one = grown()
    one.change({ add: many.slice(330, 336), pieces: false })
    expect(isOwed(one.graph)).toBe(true)
    one.change({ remove: many.slice(0, 1), pieces: false })
    expect([isOwed(one.graph), faults(one)]).toEqual([false, []])
  })
})

it('[A2285] a new community is found by later slices through the nearest of the second layer, before it is in it', () => {
  const one = world(settingsWith({ piece: 64 }))
  const many = sparse(410)
  one.change({ add: many.slice(0, 330) })
  expect(one.graph.count('community', 1)).toBeGreaterThan(256) // too many to compare all
  one.change({ add: many.slice(330), pieces: false })
  const homelessNow = (): GraphNode[] =>
    communitiesIn(one.graph).filter((node) => node.layer === 1 && parentOf(one.graph, node.id) === undefined)
  while (homelessNow().length < 10 && hasBacklog(one.graph)) slice(one)
  expect(isOwed(one.graph)).toBe(true)
  const homeless = homelessNow()
  const guests = [...guestsIn(one.graph)]
  expect(guests.flatMap(([, ids]) => ids).sort()).toEqual(homeless.map((node) => node.id))
  for (const [host] of guests) expect(one.graph.node(host)?.layer).toBe(2)
  // Each of their entities finds the others, as if it were looked for by itself.
  const clustering = clusteringOf(draftOf(one.graph), one.settings.archrag, false)
  const rows = rowsIn(one.graph)
  const pairs = homeless.flatMap((node) =>
    communityOf(node)
      .members.slice(0, 1)
      .map((id) => ({ id, others: communityOf(node).members.slice(1) })),
  )
  const met = pairs.filter(({ id, others }) => {
    expect(rows.read(0, id)).toBeDefined()
    const found = new Set((descend(clustering, 0, [id], 40).get(id) ?? []).map((near) => near.id))
    return others.some((other) => found.has(other))
  })
  expect(met.length).toBeGreaterThan(5)
  expect(met.length).toBeGreaterThan(0.8 * pairs.filter(({ others }) => others.length > 0).length)
})

function fail(): never {
  throw new Error('not there')
}
