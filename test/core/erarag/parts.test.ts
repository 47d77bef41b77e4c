/** EraRAG over a corpus in parts: every part's tree is hashed by the same planes, and a walk over all of them shows what each has. */
import { describe, expect, it } from 'vitest'
import type { MemoryGraph } from '../../../src/core/graph/memory'
import type { Hit } from '../../../src/core/graph/types'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { JointGraph } from '../../../src/core/joint/joint-graph'
import { partOf } from '../../../src/core/joint/part-of'
import { answerReads, countsOf, openedOf } from '../../../src/core/joint/reads'
import { erarag } from '../../../src/core/strategies/erarag/erarag'
import { segmentOf, spaceOf } from '../../../src/core/strategies/erarag/tree'
import type { Query } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine } from '../../../src/core/vectors'
import { jointRounds } from '../../../src/flows/partitions/walking'
import { type Doc, docs, settingsWith, world } from './worlds'

const PARTS = 3
const ALL = docs('parts', 150)
const settings = settingsWith({})
const homeOf = ({ record }: Doc): number => partOf(record.id, PARTS)
const question = ALL[7] as Doc

function grown(some: readonly Doc[]): MemoryGraph {
  const { graph, change, settle } = world(settings)
  change({ add: some })
  settle()
  return graph
}

const whole = grown(ALL)
const parts = Array.from({ length: PARTS }, (_, part) => grown(ALL.filter((one) => homeOf(one) === part)))

const best = (hits: readonly Hit[]): Hit[] => [...hits].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
const asked = (own: object) => ({ topK: 40, budget: 100_000, trace: true, own: own as never })

interface Limits {
  readonly admitted?: (document: string) => boolean
  /** The question has no vector. */
  readonly isPlain?: boolean
}

/** As an index of vectors that shows all of a graph. */
function near(graph: MemoryGraph, vector: Int8Array): { passage: Hit[]; summary: Hit[] } {
  const scored = (ids: readonly string[]) =>
    best(ids.flatMap((id) => [graph.vector(id)].flatMap((own) => (own ? [{ id, score: cosine(vector, own) }] : []))))
  const passages = graph.page('chunk', '', 1000).flatMap((id) => graph.chunk(id)?.passages.map((one) => one.id) ?? [])
  return { passage: scored(passages), summary: scored(graph.page('summary', '', 1000)) }
}

function queryFor(
  graph: { placements(chunk: string): readonly { document: string }[] },
  hits: Query['near'],
  { admitted, isPlain = false }: Limits = {},
): Query {
  const text = 'theme of fact 7'
  const vector = question.vectors.passages[0] as Int8Array
  const admits = admitted && ((chunk: string) => graph.placements(chunk).some((one) => admitted(one.document)))
  return { text, terms: distinct(terms(text)), near: isPlain ? {} : hits, ...(isPlain ? {} : { vector }), ...(admits ? { admits } : {}) }
}

function askWhole(own: object) {
  const query = queryFor(whole, near(whole, question.vectors.passages[0] as Int8Array))
  const found = erarag.retrieve(whole, query, new Map(), asked(own), settings)
  if (found.kind !== 'evidence') throw new Error('it wants scores')
  return found.found
}

function askParts(own: object, bounds: Limits = {}) {
  const joint = new JointGraph({ count: PARTS, partOf: (id) => partOf(id, PARTS) })
  const entered = parts.map((graph) => near(graph, question.vectors.passages[0] as Int8Array))
  for (let round = 0; ; round++) {
    const merged = { passage: best(entered.flatMap((one) => one.passage)), summary: best(entered.flatMap((one) => one.summary)) }
    const query = queryFor(joint, round > 0 ? merged : {}, bounds)
    const found = erarag.retrieve(joint, query, new Map(), asked(own), settings)
    if (found.kind !== 'evidence') throw new Error('it wants scores')
    const lacking = joint.take()
    if (round > 0 && (lacking.size === 0 || round > jointRounds(bounds.isPlain !== true, erarag)))
      return { found: found.found, joint, trace: found.trace }
    if (round === 0) joint.begin(parts.map(countsOf))
    for (const [part, graph] of parts.entries()) {
      const reads = lacking.get(part) ?? []
      joint.put(part, reads, answerReads(graph, reads, undefined, erarag.trees?.(graph, queryFor(graph, {}, bounds))))
      const { passage = [], summary = [] } = entered[part] ?? {}
      const opened = passage.slice(0, 8).map((hit) => hit.id)
      if (round === 0 && !bounds.isPlain) joint.enter(part, [...passage, ...summary], openedOf(graph, opened))
    }
  }
}

const partWith = (summary: string): number => parts.findIndex((graph) => graph.node(summary) !== undefined)
const documentsBelow = (summary: string): readonly string[] => {
  const graph = parts[partWith(summary)] as MemoryGraph
  return leavesOf(graph, summary).flatMap((chunk) => graph.placements(chunk).map((one) => one.document))
}
const leavesOf = (graph: MemoryGraph, id: string): readonly string[] => {
  const node = graph.node(id)
  return node ? segmentOf(node).members.flatMap((one) => (kindOf(one) === 'chunk' ? [one] : leavesOf(graph, one))) : []
}

describe('EraRAG in parts', () => {
  it('[P2390] the leaves of a part stand in the order of the whole tree: all are hashed by the same planes', () => {
    const order = (graph: MemoryGraph) => graph.order(spaceOf(0), { limit: 1000 }).map((place) => [place.key, place.id].join(' '))
    const all = order(whole)
    expect(all.length).toBe(ALL.length)
    for (const graph of parts) {
      const own = new Set(order(graph))
      expect(own.size).toBeGreaterThan(30)
      expect([...own]).toEqual(all.filter((one) => own.has(one)))
    }
  })

  it('[P2391] ranks passages by cosine as one graph does, score by score', () => {
    const wish = { rank: 'cosine', mode: 'detailed', p: 1 }
    const shown = (found: readonly { id: string; score: number }[]) => found.map(({ id, score }) => [id, score.toFixed(9)])
    expect(shown(askParts(wish).found)).toEqual(shown(askWhole(wish)))
  })

  it('[P2391] shows summaries of all parts by one measure, each with passages below it', () => {
    const { found, joint } = askParts({ rank: 'cosine', mode: 'summarised', p: 0.5 })
    const summaries = found.filter((one) => one.via === 'summary')
    expect(new Set(summaries.map((one) => partWith(one.id)))).toEqual(new Set([0, 1, 2]))
    for (const { id, score, support = [] } of summaries) {
      const graph = parts[partWith(id)] as MemoryGraph
      expect(score).toBeCloseTo(cosine(question.vectors.passages[0] as Int8Array, graph.vector(id) as Int8Array), 9)
      expect(joint.node(id)?.text).toBe(graph.node(id)?.text)
      expect(support.length).toBeGreaterThan(0)
      expect(leavesOf(graph, id)).toEqual(expect.arrayContaining(support.map(chunkOf)))
      for (const passage of support) expect(joint.text(passage), 'it came along').toBeDefined()
    }
  })

  it('[P2391] shows a summary under a filter only if everything below it is admitted', () => {
    const wish = { mode: 'summarised', p: 0.5 }
    const open = askParts(wish).found.filter((one) => one.via === 'summary')
    // Of every second summary that is shown without the filter, one document is not admitted.
    const closed = new Set(open.filter((_, i) => i % 2 === 0).flatMap(({ id }) => documentsBelow(id)[0] ?? []))
    const { found } = askParts(wish, { admitted: (id) => !closed.has(id) })
    const summaries = found.filter((one) => one.via === 'summary').map((one) => one.id)
    expect(summaries.length).toBeGreaterThan(0)
    expect(summaries.flatMap(documentsBelow).filter((id) => closed.has(id))).toEqual([])
    expect(summaries).not.toEqual(expect.arrayContaining(open.slice(0, 1).map((one) => one.id)))
  })

  it('[P2391] without vectors finds what stands above the best passages', () => {
    const { found, trace } = askParts({ mode: 'summarised', p: 0.5 }, { isPlain: true })
    const summaries = found.filter((one) => one.via === 'summary').map((one) => one.id)
    expect(summaries.length).toBeGreaterThan(0)
    expect(found.filter((one) => one.via === 'passage').length).toBeGreaterThan(0)
    expect(trace).toMatchObject({ mode: 'summarised', stale: { waiting: [] } })
  })
})
