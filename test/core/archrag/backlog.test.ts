/** A change too large for one transaction, folded in a piece at a time: what holds while it is under way, and what comes of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { backlogSize, hasBacklog } from '../../../src/core/strategies/archrag/backlog'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { parentOf } from '../../../src/core/strategies/archrag/clustering-state'
import { drift } from '../../../src/core/strategies/archrag/drift'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import { distinct, terms } from '../../../src/core/text/terms'
import { communitiesIn, docs, faults, settingsWith, vectorFor, type World, world } from './worlds'

const pool = docs('pool', 120)
const PIECE = 16
const settings = settingsWith({ max: 6, min: 2, piece: PIECE }, true)

/** A corpus to which much has come at once: most of it waits. */
function flooded(): World {
  const one = world(settings)
  one.change({ add: pool.slice(0, 90), pieces: false })
  return one
}

const placed = ({ graph }: World): readonly string[] => rowsIn(graph).ids(0)

describe('much at once', () => {
  it('[A55] is folded in a slice at a time, the rest waiting in the graph', () => {
    const one = flooded()
    const all = one.graph.count('entity')
    expect(all).toBeGreaterThan(5 * PIECE)
    expect([placed(one).length, backlogSize(one.graph)]).toEqual([PIECE, all - PIECE])
    for (let before = PIECE; archBuilder.hasBacklog?.(one.graph); ) {
      one.take(archBuilder.processBacklog?.(one.graph, settings) ?? { patch: [], tasks: [] })
      const now = placed(one)
      expect(now.length - before).toBeGreaterThan(0)
      expect(now.length - before).toBeLessThanOrEqual(PIECE)
      expect(now.filter((id) => parentOf(one.graph, id) === undefined)).toEqual([])
      before = now.length
    }
    expect(placed(one).length).toBe(all)
    expect(faults(one)).toEqual([])
  })

  it('[A55] waits in a few rows, however many entities there are', () => {
    const one = flooded()
    expect(one.graph.values('archrag/owed', '', 1000).length).toBe(Math.ceil(backlogSize(one.graph) / PIECE))
  })

  it('[A55] is about as well grouped as all of it at once', () => {
    const [pieces, whole] = [flooded(), world(settingsWith({ max: 6, min: 2 }, true))]
    pieces.catchUp()
    whole.change({ add: pool.slice(0, 90) })
    const [a, b] = [drift(pieces.graph, settings.archrag), drift(whole.graph, settings.archrag)]
    expect(a.modularity).toBeGreaterThan(0.9 * b.modularity)
    expect(a.likeness).toBeGreaterThan(0.95 * b.likeness)
  })

  it('[A55] that is taken away before its turn has come leaves nothing behind, whatever came between', () => {
    const index = fc.nat(89)
    fc.assert(
      fc.property(fc.array(index, { maxLength: 60 }), fc.nat(4), (first, pieces) => {
        const one = world(settings)
        const empty = one.hash()
        one.change({ add: pool.slice(0, 90), pieces: false })
        for (let i = 0; i < pieces; i++) one.take(archBuilder.processBacklog?.(one.graph, settings) ?? { patch: [], tasks: [] })
        one.settle()
        const gone = new Set(first.map((at) => pool[at] ?? fail()))
        one.change({ remove: [...gone], pieces: false })
        const dead = [...gone].map((doc) => doc.record.id.replace('-', ' '))
        const telling = communitiesIn(one.graph).filter((node) => dead.some((name) => new RegExp(`matter ${name}\\b`).test(node.text)))
        expect(telling).toEqual([])
        one.change({ remove: pool.slice(0, 90) })
        expect([one.hash(), hasBacklog(one.graph), one.tasks.size]).toEqual([empty, false, 0])
      }),
      { seed: 74, numRuns: 6 },
    )
  })

  it('[A55] that names again what is known leaves the layers above as they are', () => {
    const one = world(settings)
    one.change({ add: pool.slice(0, 90) })
    const layers = (): number[] => {
      const all = communitiesIn(one.graph).map((node) => node.layer)
      return [...new Set(all)].map((layer) => all.filter((one) => one === layer).length)
    }
    const before = layers()
    expect(before.length).toBeGreaterThan(2)
    one.change({ add: pool.slice(90), pieces: false })
    expect(hasBacklog(one.graph)).toBe(true)
    expect(layers().length).toBe(before.length)
  })

  it('[A55] is found by name and by its passages while it waits', () => {
    const one = flooded()
    const waiting = one.graph.page('entity', '', 10_000).find((id) => !placed(one).includes(id)) ?? fail()
    const text = `What stood beside ${one.graph.node(waiting)?.text}?`
    const query = { text, terms: distinct(terms(text)), near: {}, vector: vectorFor(text) }
    const out = archrag.retrieve(one.graph, query, new Map(), { topK: 20, budget: 4000, trace: false, own: {} }, settings)
    const found = out.kind === 'evidence' ? out.found : fail()
    const passages = one.graph.edgesTo('mentions', waiting).flatMap((edge) => one.graph.chunk(edge.source)?.passages ?? [])
    expect(found.some((item) => passages.some(({ id }) => id === item.id || item.support?.includes(id)))).toBe(true)
  })

  it('[A55] is folded in by a corpus that is older than the setting', () => {
    const { piece: _piece, ...older } = settings.archrag
    const one = world({ ...settings, archrag: older as typeof settings.archrag })
    one.change({ add: pool.slice(0, 90) })
    expect([hasBacklog(one.graph), placed(one).length]).toEqual([false, one.graph.count('entity')])
  })

  it('[A55] does not wait where everything is clustered anew', () => {
    const one = flooded()
    const anew = archBuilder.consolidate?.(one.graph, { ...settings, archrag: { ...settings.archrag, drift: -1 } })
    one.take(anew ?? fail())
    expect(hasBacklog(one.graph)).toBe(false)
    expect(faults(one)).toEqual([])
  })
})

function fail(): never {
  throw new Error('not there')
}
