import { describe, expect, it } from 'vitest'
import { centrality } from '../../../src/core/algorithms/centrality'
import { fromExtraction } from '../../../src/core/builders/extracted-knowledge'
import { type Knowledge, knowledgeLimits, knowledgeOf, packedKnowledge, unpackedKnowledge } from '../../../src/core/builders/knowledge-row'
import { bearings } from '../../../src/core/builders/relations'
import { byCentrality } from '../../../src/core/builders/skeleton'
import type { Chunk } from '../../../src/core/graph/types'
import { nodeId, passageId } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import { band, keyword } from '../../../src/core/strategies/ketrag/keyword-mean'
import { keywords as keywordBuilder, keywordId } from '../../../src/core/strategies/ketrag/published-keywords'
import { knowledge as knowledgeBuilder } from '../../../src/core/strategies/shared-builders'
import type { Extraction, Update } from '../../../src/core/strategy'
import { nameKey } from '../../../src/core/text/names'
import { terms } from '../../../src/core/text/terms'
import { accumulate, quantize } from '../../../src/core/vectors'
import { D, docs, settingsWith, type World, world } from './worlds'

/** Every keyword's statistics, counted from the texts alone. */
function counted({ graph }: World): Map<string, { frequency: number; count: number; sum: number[] }> {
  const out = new Map<string, { frequency: number; count: number; sum: Int32Array }>()
  for (const id of graph.page('chunk', '', 1e6)) {
    const chunk = graph.chunk(id)
    chunk?.passages.forEach((_, at) => {
      const own = new Set(terms(chunk.title))
      for (const term of terms(graph.text(passageId(id, at))?.text ?? '')) own.add(term)
      for (const term of own) {
        const entry = out.get(term) ?? { frequency: 0, count: 0, sum: new Int32Array(D) }
        out.set(term, { ...entry, frequency: entry.frequency + 1 })
      }
    })
    for (const unit of chunk?.units ?? []) {
      for (const term of new Set(terms(chunk?.text.slice(unit.start, unit.end) ?? ''))) {
        const entry = out.get(term)
        const vector = graph.vector(unit.id)
        if (!entry || !vector) continue
        accumulate(entry.sum, vector)
        entry.count++
      }
    }
  }
  return new Map([...out].map(([term, one]) => [term, { ...one, sum: [...one.sum] }]))
}

describe('keywords', () => {
  it('[K13] statistics of a keyword are the exact integers of its passages and sentences, whatever came and went', () => {
    const at = world()
    at.change({ add: docs('a', 40) })
    at.change({ add: docs('b', 25), remove: docs('a', 40).slice(3, 20) })
    const truth = counted(at)
    const terms = [...truth].filter(([, one]) => one.frequency <= band.max)
    expect(terms.length).toBeGreaterThan(40)
    for (const [term, one] of terms) {
      const [frequency = 0] = at.graph.frequency([term])
      const row = keyword(at.graph, term, frequency)
      expect({ ...row, sum: [...row.sum] }).toEqual(one)
    }
  })

  it('[K13] an insert writes nothing for keywords', () => {
    const at = world()
    at.change({ add: docs('a', 10) })
    const added = at.graph.page('chunk', '', 1e6).flatMap((id) => at.graph.chunk(id) ?? [])
    const delta = { added, removed: [], documents: { added: [], removed: [] }, replies: [] }
    expect(keywordBuilder.update(at.graph, delta, at.settings)).toEqual({ patch: [], tasks: [] })
  })

  it('[K13] keywords are folded and without stop words', () => {
    const at = world()
    const text = (i: number): string => `The BRIDGE of plan ${i} stands. the Bridge is Old.`
    at.change({ add: Array.from({ length: 10 }, (_, i) => ({ id: `d${i}`, title: '', text: text(i) })) })
    at.consolidate()
    const words = at.graph.page('keyword', '', 1000).map((id) => at.graph.node(id)?.text ?? '')
    expect(words.sort()).toEqual(['bridg', 'old', 'plan', 'stand'])
  })

  it('[K16] published means are renewed only when they have turned, and leave with their keyword', () => {
    const at = world()
    at.change({ add: docs('a', 20) })
    at.consolidate()
    const first = at.graph.page('keyword', '', 1e6)
    expect(first.length).toBeGreaterThan(5)
    const hash = at.hash()
    at.consolidate()
    expect(at.hash()).toBe(hash)
    at.change({ remove: docs('a', 20) })
    expect(at.graph.count('keyword')).toBe(0)
    expect(first).not.toContain(nodeId('keyword', 'harbour'))
  })

  it('[K14] keywords of another strategy are left alone', () => {
    const at = world()
    const foreign = {
      id: nodeId('keyword', 'harbour'),
      kind: 'keyword' as const,
      layer: 0,
      text: 'harbour',
      tokens: 1,
      data: { weight: 3 },
    }
    at.graph.apply([{ op: 'put-node', node: foreign }])
    at.change({ add: docs('a', 20) })
    at.consolidate()
    at.change({ remove: docs('a', 20) })
    at.consolidate()
    expect(at.graph.page('keyword', '', 1e6)).toEqual([foreign.id])
    expect(keywordId('harbour')).not.toBe(foreign.id)
  })

  it('[K16] a published mean is the mean of all its sentences when it is published', () => {
    const at = world()
    at.change({ add: docs('a', 40) })
    at.consolidate()
    const truth = counted(at)
    for (const id of at.graph.page('keyword', '', 1e6)) {
      const node = at.graph.node(id)
      const one = truth.get(String(node?.data.term))
      expect(one?.frequency).toBe(node?.data.passages)
      expect([...(node?.vector ?? [])]).toEqual([...quantize(one?.sum ?? [])])
    }
  })
})

describe('keywords drafted in steps', () => {
  const begun = (at: ReturnType<typeof world>) => keywordBuilder.consolidating?.(at.graph, at.settings) as Iterator<number, Update>
  const atOnce = (at: ReturnType<typeof world>) => keywordBuilder.consolidate?.(at.graph, at.settings)
  /** To the end, with something done after every so many steps. */
  const ended = (steps: Iterator<number, Update>, every = Number.POSITIVE_INFINITY, meanwhile = () => {}) => {
    const taken: number[] = []
    for (let one = steps.next(); ; one = steps.next()) {
      if (one.done) return { update: one.value, taken }
      taken.push(one.value)
      if (taken.length % every === 0) meanwhile()
    }
  }

  it('[K16] are those of all at once, and no step takes more than a chunk or a page', () => {
    const at = world()
    at.change({ add: docs('a', 60) })
    const { update, taken } = ended(begun(at))
    expect([update, update.patch.length > 20]).toEqual([atOnce(at), true])
    expect([taken.length > 120, Math.max(...taken) <= 100]).toEqual([true, true])
  })

  it('[K16] a text that leaves between two steps leaves nothing in them, however often', () => {
    const at = world()
    const all = docs('a', 60)
    at.change({ add: all })
    const { update } = ended(begun(at), 70, () => at.change({ remove: all.splice(0, 1) }))
    expect([update, all.length < 60, all.length > 40]).toEqual([atOnce(at), true, true])
  })

  it('[K16] what comes between two steps takes no keyword out of its band, and is in the next draft', () => {
    const at = world()
    at.change({ add: docs('a', 60) })
    const more = docs('b', 40)
    const { update } = ended(begun(at), 20, () => at.change({ add: more.splice(0, 2) }))
    const passages = update.patch.flatMap((one) => (one.op === 'put-node' ? [Number(one.node.data.passages)] : []))
    expect([passages.length > 0, Math.min(...passages) >= band.min, Math.max(...passages) <= band.max]).toEqual([true, true, true])
    at.graph.apply(update.patch)
    at.consolidate()
    const truth = counted(at)
    const known = at.graph.page('keyword', '', 1e6).map((id) => String(at.graph.node(id)?.data.term))
    const wanted = [...truth].filter(([, one]) => one.frequency >= band.min && one.frequency <= band.max && one.count > 0)
    expect(known.sort()).toEqual(wanted.map(([term]) => term).sort())
  })
})

describe('one graph whatever its history', () => {
  it.each([
    ['without a model', false],
    ['with a model', true],
  ])('[K14] insert then delete gives back the same graph, %s', (_, writer) => {
    const at = world(settingsWith({}, writer))
    at.change({ add: docs('a', 45) })
    at.settle()
    at.consolidate()
    at.settle()
    const before = at.hash()
    at.change({ add: docs('b', 30) })
    at.settle()
    expect(at.hash()).not.toBe(before)
    at.change({ remove: docs('b', 30).slice(0, 11) })
    at.change({ remove: docs('b', 30).slice(11) })
    expect(at.hash()).toBe(before)
    at.change({ remove: docs('a', 45) })
    expect(at.hash()).toBe(world().hash())
  })

  it.each([
    ['without a model', false],
    ['with a model', true],
  ])('[K14] the order of arrival does not matter, %s', (_, writer) => {
    const all = docs('a', 40)
    const hashes = ['one', 'two', 'three'].map((seed) => {
      const at = world(settingsWith({}, writer))
      const order = random(seed).shuffle(all)
      for (let i = 0; i < order.length; i += seed === 'three' ? 40 : 7) at.change({ add: order.slice(i, i + (seed === 'three' ? 40 : 7)) })
      at.settle()
      return at.hash()
    })
    expect(new Set(hashes).size).toBe(1)
  })
})

describe('skeleton', () => {
  it('[K3] beyond a number of chunks near ones are still found, without comparing all', () => {
    const at = world()
    const numbers = random('many')
    const words = Array.from({ length: 400 }, (_, i) => `w${i.toString(36)}o`)
    const text = (): string => Array.from({ length: 6 }, () => words[numbers.below(words.length)]).join(' ')
    at.change({ add: Array.from({ length: 1600 }, (_, i) => ({ id: `d${i}`, title: '', text: `${text()} n${i}.` })) })
    const ids = at.graph.page('chunk', '', 1e6)
    const reads = { vectors: 0 }
    const counting = new Proxy(at.graph, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'vector') reads.vectors++
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const order = byCentrality(counting, ids, 2)
    expect(reads.vectors).toBe(ids.length)
    expect([...order].sort()).toEqual([...ids].sort())
    expect(byCentrality(at.graph, ids, 2)).toEqual(order)
  })

  it('[K19] a model reads exactly the share of chunks that is central, once', () => {
    const at = world(settingsWith({ share: 0.4, rest: 'nothing' }, true))
    at.change({ add: docs('a', 30) })
    at.settle()
    const early = at.read.length
    at.consolidate()
    at.settle()
    const chunks = at.graph.count('chunk')
    expect(early).toBeLessThan(at.read.length)
    expect(at.read.length).toBe(Math.ceil(0.4 * chunks))
    expect(new Set(at.read).size).toBe(at.read.length)
    const left = at.graph.page('chunk', '', 1e6).filter((id) => !at.read.includes(id))
    const order = byCentrality(at.graph, at.graph.page('chunk', '', 1e6), 2).filter((id) => !at.read.slice(0, early).includes(id))
    expect(at.read.slice(early).sort()).toEqual(order.slice(0, at.read.length - early).sort())
    expect(left.every((id) => knowledgeOf(at.graph, id) === undefined)).toBe(true)
    at.consolidate()
    expect(at.tasks.size).toBe(0)
  })

  it('[K19] a share of nothing reads nothing, a share of one everything', () => {
    for (const [share, count] of [
      [0, 0],
      [1, 12],
    ] as const) {
      const at = world(settingsWith({ share, select: 'uniform' }, true))
      at.change({ add: docs('a', 12).map((one) => ({ ...one, text: one.text.slice(0, 60) })) })
      at.consolidate()
      expect(at.tasks.size).toBe(count)
    }
  })

  it("[K3] overlap makes no chunks each other's neighbours: the repeated text is not compared", () => {
    const at = world()
    const long = Array.from({ length: 40 }, (_, i) => `Word${i} stands beside other${i} in row ${i}.`).join(' ')
    at.change({ add: [{ id: 'long', title: '', text: long }, ...docs('a', 6)] })
    const ids = at.graph.page('chunk', '', 1e6)
    const own = ids.map((id) => at.graph.chunk(id)).map((chunk) => terms(chunk?.text.slice(chunk.own) ?? ''))
    expect(ids.some((id) => (at.graph.chunk(id)?.own ?? 0) > 0)).toBe(true)
    const numbered = own.flatMap((list) => list.filter((term) => /^word\d+$/.test(term)))
    expect(new Set(numbered).size).toBe(numbered.length)
    expect([...byCentrality(at.graph, ids, 2)].sort()).toEqual([...ids].sort())
  })

  it('[K26] a relation names the units that support it, and only entities their chunk mentions', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: docs('a', 20) })
    at.settle()
    const edges = at.graph.page('entity', '', 1e6).flatMap((id) => at.graph.edges('relates', id))
    expect(edges.length).toBeGreaterThan(5)
    for (const edge of edges) {
      expect(edge.weight).toBe(bearings(edge).reduce((sum, one) => sum + one.strength, 0))
      for (const { chunk, unit } of bearings(edge)) {
        expect(at.graph.edge('mentions', chunk, edge.source)).toBeDefined()
        expect(at.graph.edge('mentions', chunk, edge.target)).toBeDefined()
        expect(at.graph.chunk(chunk)?.units[unit]).toBeDefined()
      }
    }
    expect(at.graph.node(nodeId('entity', 'harbour'))?.text).toBe('harbour')
  })

  it('[K26] what a model names that occurs in the passage is kept, related to something or not; what does not occur is refused', () => {
    const text = 'The keeper of the lamp slept. 😀'
    const chunk = { text, units: [{ id: 'u', start: 0, end: text.length, passage: 0 }] } as unknown as Chunk
    const entity = (name: string) => ({ name, type: 'thing', description: `${name} is told of` })
    const relation = { source: 'keeper', target: 'lamp', description: `${'x'.repeat(239)}😀 and more`, strength: 5 }
    const drawn = fromExtraction(chunk, [], {
      units: [],
      entities: [entity('ghost'), entity('slept'), entity('keeper'), entity('lamp')],
      relations: [relation],
    })
    expect(drawn.strangers.map((one) => one.key)).toEqual(['keeper', 'lamp', 'slept'])
    expect(drawn.knowledge.entities.map((one) => one.description).sort()).toEqual(
      ['keeper', 'lamp', 'slept'].map((one) => `${one} is told of`),
    )
    expect(drawn.knowledge.relations[0]?.description.endsWith('😀')).toBe(true)
  })

  it('[K260] what is said of one entity alone, or finds no room as a relation, is in its description; the rest is counted by its reason', () => {
    const places = Array.from({ length: 40 }, (_, i) => `Place${i}`)
    const text = `Rod Laver played golf in a summer of 1938. ${places.join(' and ')} are towns.`
    const chunk = { title: '', text, units: [{ id: 'u', start: 0, end: text.length, passage: 0 }] } as unknown as Chunk
    const entity = (name: string) => nodeId('entity', nameKey(name))
    const mentioned = ['Rod Laver', ...places].map((name) => ({ entity: entity(name), key: nameKey(name), units: [0], surfaces: [] }))
    const said = (source: string, target: string, strength = 1) => ({ source, target, description: `${source} to ${target}`, strength })
    const drawnFrom = (relations: Extraction['relations']) =>
      fromExtraction(chunk, mentioned, { units: [], entities: [], relations }).knowledge
    const told = ({ entities }: Knowledge, name: string) => entities.find((one) => one.entity === entity(name))?.description
    // A number, other words of the sentence, and itself; then what the text does not say, and two that are no entities.
    const about = ['1938', 'summer golf', 'Rod Laver', 'tennis'].map((target) => said('Rod Laver', target))
    const one = drawnFrom([...about, said('summer', 'golf')])
    expect([told(one, 'Rod Laver'), one.dropped]).toEqual([
      'Rod Laver to 1938. Rod Laver to summer golf. Rod Laver to Rod Laver',
      { absent: 2, room: 0 },
    ])
    // The weakest relations beyond the last there is room for are statements about one of their ends.
    const many = drawnFrom(places.slice(1).map((name, i) => said('Place0', name, i + 1)))
    const statements = many.entities.flatMap((one) => one.description.split('. '))
    expect([many.relations.length, statements.sort(), many.dropped]).toEqual([
      knowledgeLimits.relations,
      places.slice(1, places.length - knowledgeLimits.relations).map((name) => `Place0 to ${name}`),
      undefined,
    ])
    const full = drawnFrom(Array.from({ length: 9 }, (_, i) => ({ ...said('Place1', 'towns'), description: `${i} ${'x'.repeat(98)}` })))
    expect([told(full, 'Place1')?.length, full.dropped]).toEqual([406, { absent: 0, room: 5 }])
    for (const knowledge of [one, many, full]) expect(unpackedKnowledge(packedKnowledge(knowledge))).toEqual(knowledge)
  })

  it('[K14] feeding the same chunks again changes nothing', () => {
    const at = world()
    at.change({ add: docs('a', 20) })
    const hash = at.hash()
    const chunks = at.graph.page('chunk', '', 1e6).flatMap((id) => at.graph.chunk(id) ?? [])
    const delta = { added: chunks.slice(0, 7), removed: [], documents: { added: [], removed: [] }, replies: [] }
    for (const builder of [knowledgeBuilder, keywordBuilder]) at.graph.apply(builder.update(at.graph, delta, at.settings).patch)
    expect(at.hash()).toBe(hash)
  })

  it('[K19] a chunk no model has read yet speaks through its units, and is read all the same', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: docs('a', 3) })
    const ids = at.graph.page('chunk', '', 1e6)
    expect(new Set(ids.map((id) => knowledgeOf(at.graph, id)?.by))).toEqual(new Set(['units']))
    at.consolidate()
    at.settle()
    expect(new Set(ids.map((id) => knowledgeOf(at.graph, id)?.by))).toEqual(new Set(['model']))
  })

  it('[K19] a chunk the model could not read speaks through its units', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: docs('a', 3) })
    const builder = at.tasks.values().next().value
    const [chunk = ''] = at.tasks.keys()
    const reply = { node: chunk, input: builder?.input ?? '', kind: 'unusable' as const, reason: 'invalid' }
    const delta = { added: [], removed: [], documents: { added: [], removed: [] }, replies: [reply] }
    at.graph.apply(knowledgeBuilder.update(at.graph, delta, at.settings).patch)
    expect(knowledgeOf(at.graph, chunk)?.by).toBe('unusable')
    expect(knowledgeOf(at.graph, chunk)?.relations.length).toBeGreaterThan(0)
    expect(knowledgeBuilder.consolidate?.(at.graph, at.settings).tasks.some((task) => task.node === chunk)).toBe(false)
  })
})

it('[K19] centrality agrees with the definition on random graphs', () => {
  const numbers = random('centrality')
  for (let round = 0; round < 20; round++) {
    const n = 1 + numbers.below(12)
    const ties = Array.from({ length: n }, () => new Set<number>())
    for (let e = numbers.below(2 * n); e > 0; e--) {
      const [a, b] = [numbers.below(n), numbers.below(n)]
      if (a === b) continue
      ties[a]?.add(b)
      ties[b]?.add(a)
    }
    const lists = ties.map((set) => [...set])
    const scores = centrality(lists)
    const loose = lists.reduce((sum, list, i) => sum + (list.length === 0 ? (scores[i] ?? 0) : 0), 0)
    scores.forEach((score, i) => {
      const flow = (lists[i] ?? []).reduce((sum, j) => sum + (scores[j] ?? 0) / (lists[j]?.length ?? 1), 0)
      expect(score).toBeCloseTo(0.15 / n + 0.85 * (flow + loose / n), 3)
    })
  }
})
