/** EraRAG over a corpus in parts: every part's tree is hashed by the same planes, and a walk over all of them shows what each has. */
import { describe, expect, it, vi } from 'vitest'
import { discriminativeTerms } from '../../../src/core/channels/lexical'
import { membersIn } from '../../../src/core/graph/members'
import type { MemoryGraph } from '../../../src/core/graph/memory'
import type { GraphNode, Hit } from '../../../src/core/graph/types'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { answerReads, countsOf, openedOf } from '../../../src/core/joint/answering'
import { JointGraph } from '../../../src/core/joint/joint-graph'
import { searchIn } from '../../../src/core/joint/match'
import { partOf } from '../../../src/core/joint/part-of'
import type { BelowRead, Read } from '../../../src/core/joint/reads'
import { summariesAbove, topsOf, treeAbove } from '../../../src/core/strategies/erarag/above'
import { erarag } from '../../../src/core/strategies/erarag/erarag'
import { keywordScore, summaryScore } from '../../../src/core/strategies/erarag/measure'
import { segmentOf, spaceOf } from '../../../src/core/strategies/erarag/tree'
import type { Query } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine, quantize } from '../../../src/core/vectors'
import { jointRounds } from '../../../src/flows/partitions/walking'
import { type Doc, docs, settingsWith, world } from './worlds'

const PARTS = 3
const ALL = docs('parts', 150)
const settings = settingsWith({})
const homeOf = ({ record }: Doc): number => partOf(record.id, PARTS)
const question = ALL[7] as Doc
const asks = question.vectors.passages[0] as Int8Array

function grown(some: readonly Doc[]): MemoryGraph {
  const { graph, change, settle } = world(settings)
  change({ add: some })
  settle()
  return graph
}

const whole = grown(ALL)
const parts = Array.from({ length: PARTS }, (_, part) => grown(ALL.filter((one) => homeOf(one) === part)))

const raised = treeAbove(
  parts.flatMap((graph) => topsOf(graph, settings)),
  settings,
)
const isRaised = (id: string): boolean => (raised.node(id)?.layer ?? 0) > settings.erarag.layers

const best = (hits: readonly Hit[]): Hit[] => [...hits].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
const asked = (own: object) => ({ topK: 40, budget: 100_000, trace: true, own: own as never })

interface Limits {
  readonly admitted?: (document: string) => boolean
  /** The question has no vector. */
  readonly isPlain?: boolean
  /** Above the parts' trees stands another. */
  readonly isRaised?: boolean
  /** Instead of that of the question. */
  readonly vector?: Int8Array
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
  { admitted, isPlain = false, vector = asks }: Limits = {},
): Query {
  const text = 'theme of fact 7'
  const admits = admitted && ((chunk: string) => graph.placements(chunk).some((one) => admitted(one.document)))
  return { text, terms: distinct(terms(text)), near: isPlain ? {} : hits, ...(isPlain ? {} : { vector }), ...(admits ? { admits } : {}) }
}

function askWhole(own: object) {
  const query = queryFor(whole, near(whole, asks))
  const found = erarag.retrieve(whole, query, new Map(), asked(own), settings)
  if (found.kind !== 'evidence') throw new Error('it wants scores')
  return found.found
}

function askParts(own: object, bounds: Limits = {}) {
  const { vector = asks } = bounds
  const joint = new JointGraph({ count: PARTS, partOf: (id) => partOf(id, PARTS) })
  const entered = parts.map((graph) => near(graph, vector))
  for (let round = 0; ; round++) {
    const merged = { passage: best(entered.flatMap((one) => one.passage)), summary: best(entered.flatMap((one) => one.summary)) }
    if (bounds.isRaised && round > 0) merged.summary = best([...merged.summary, ...joint.trees.near(vector)])
    const query = queryFor(joint, round > 0 ? merged : {}, bounds)
    const found = erarag.retrieve(joint, query, new Map(), asked(own), settings)
    if (found.kind !== 'evidence') throw new Error('it wants scores')
    const lacking = joint.take()
    if (round > 0 && (lacking.size === 0 || round > jointRounds(bounds.isPlain !== true, erarag)))
      return { found: found.found, joint, trace: found.trace }
    if (round === 0) joint.begin(parts.map(countsOf))
    if (bounds.isRaised && round === 1) joint.trees.raise(summariesAbove(raised, settings, partWith, bounds.isPlain ? undefined : vector))
    for (const [part, graph] of parts.entries()) {
      const reads = lacking.get(part) ?? []
      const search = searchIn(graph)
      joint.put(part, reads, answerReads(graph, reads, { search, trees: erarag.trees?.(graph, queryFor(graph, {}, bounds), search) }))
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
      expect(score).toBeCloseTo(cosine(asks, graph.vector(id) as Int8Array), 9)
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

  it('[P2511] a part searches its keyword index once by the same words for what is wanted and for what bears its summaries out', () => {
    const [summary = ''] = whole.page('summary', '', 1)
    // In more passages than the walk wants, but not more than a summary's are ranked among.
    const term = Array.from({ length: 20 }, (_, n) => String(n)).find((one) => whole.match([one], 1000).length > 26) ?? expect.fail()
    const count = whole.match([term], 1000).length
    expect(count).toBeLessThan(78)
    const query = { ...queryFor(whole, {}), terms: [term] }
    const statistics = { passages: ALL.length, mean: whole.lexicon.meanLength(), frequencies: [[term, count]] as const }
    const reads: readonly Read[] = [
      ['match', [term], { limit: 10, exact: 10, statistics }],
      ['below', summary],
    ]
    const match = vi.spyOn(whole, 'match')
    const search = searchIn(whole)
    const [found, below] = answerReads(whole, reads, { search, trees: erarag.trees?.(whole, query, search) })
    expect(match).toHaveBeenCalledTimes(1)
    match.mockRestore()
    expect([found, below]).toEqual(reads.map((read) => answerReads(whole, [read], { trees: erarag.trees?.(whole, query) })[0]))
    expect((below as BelowRead).support.length).toBeGreaterThan(0)
  })

  it('[P2512] reads on while it is not known what bears out a summary that would be shown', () => {
    const joint = new JointGraph({ count: PARTS, partOf: (id) => partOf(id, PARTS) })
    const graph = parts[0] as MemoryGraph
    const [chunk = ''] = graph.page('chunk', '', 1)
    const trees = erarag.trees?.(graph, queryFor(graph, {}))
    const above: readonly Read[] = [['above', chunk, true]]
    joint.put(0, above, answerReads(graph, above, { trees }))
    const [summary = ''] = joint.trees.above(chunk)
    expect([joint.node(summary)?.text, joint.chunk(chunk)?.id]).toEqual([graph.node(summary)?.text, chunk])
    expect([joint.take().size, joint.isCutShort]).toEqual([0, false])
    expect([joint.trees.support(summary), joint.isCutShort]).toEqual([[], true])
    const below = joint.take().get(0) ?? []
    expect(below).toEqual([['below', summary]])
    joint.put(0, below, answerReads(graph, below, { trees }))
    expect(joint.trees.support(summary)).toEqual(trees?.support(summary))
    expect([joint.trees.support(summary).length > 0, joint.isCutShort]).toEqual([true, false])
  })

  it('[P2513] ranks a summary by the words that its part has counted as by its text, and by its text where they are not all counted', () => {
    const graph = parts[0] as MemoryGraph
    const [id = ''] = graph.page('summary', '', 1)
    const node = graph.node(id) as GraphNode
    const words = discriminativeTerms(graph, distinct(terms(node.text)).slice(0, 8))
    const told = erarag.trees?.(graph, { ...queryFor(graph, {}), terms: words.map(({ term }) => term) }).summary(id)
    const score = keywordScore(node.text, words)
    expect(score).toBeGreaterThan(0)
    expect(told?.said?.length).toBe(words.length)
    expect(summaryScore({ node: { ...node, text: '' }, said: told?.said ?? [] }, words)).toBe(score)
    expect(summaryScore({ node, said: told?.said?.slice(1) ?? [] }, words)).toBe(score)
  })

  it('[P2433] shows summaries of what several parts say, by the same measure, each with passages below it', () => {
    const [one] = summariesAbove(raised, settings, partWith)
    const vector = one?.node.vector as Int8Array
    const { found, joint } = askParts({ rank: 'cosine', mode: 'summarised', p: 0.2 }, { isRaised: true, vector })
    const above = found.filter((one) => one.via === 'summary' && isRaised(one.id))
    expect(above.length).toBeGreaterThan(0)
    for (const { id, score, support = [] } of above) {
      const node = raised.node(id)
      expect(new Set(membersIn(node as GraphNode).map(partWith)).size).toBeGreaterThan(1)
      expect([score.toFixed(9), joint.node(id)?.text]).toEqual([cosine(vector, quantize(node?.sum as Int32Array)).toFixed(9), node?.text])
      expect(support.length).toBe(3)
      const below = membersIn(node as GraphNode).flatMap((top) => leavesOf(parts[partWith(top)] as MemoryGraph, top))
      expect(below).toEqual(expect.arrayContaining(support.map(chunkOf)))
      for (const passage of support) expect(joint.text(passage), 'it came along').toBeDefined()
    }
    expect(askParts({ rank: 'cosine', mode: 'summarised', p: 0.2 }, { vector }).found.some(({ id }) => isRaised(id))).toBe(false)
  })

  it('[P2433] without vectors climbs to them from the best passages', () => {
    const { found } = askParts({ mode: 'summarised', p: 0.5 }, { isPlain: true, isRaised: true })
    const above = found.filter((one) => one.via === 'summary' && isRaised(one.id))
    expect(above.length).toBeGreaterThan(0)
    for (const { support = [] } of above) expect(support.length).toBeGreaterThan(0)
  })
})
