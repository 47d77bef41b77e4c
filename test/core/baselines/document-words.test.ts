import { describe, expect, it } from 'vitest'
import { VisibleGraph } from '../../../src/core/access/visible-graph'
import { DOCUMENT_WEIGHT, documentWords } from '../../../src/core/channels/document-words'
import { lexical } from '../../../src/core/channels/lexical'
import { homesOf } from '../../../src/core/graph/homes'
import type { GraphReader } from '../../../src/core/graph/reader'
import { chunkOf } from '../../../src/core/ids'
import { auto } from '../../../src/core/strategies/auto/auto'
import { hybrid } from '../../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../../src/core/strategies/baselines/keyword'
import { distinct, terms } from '../../../src/core/text/terms'
import { type Doc, doc, documentsOf, world } from '../builders/worlds'

const FILLER = 'The keeper wrote down the weather, the visitors and the price of bread before noon.'

/** So many paragraphs; some say something of their own. */
function page(id: string, paragraphs: number, said: { readonly [at: number]: string }): Doc {
  const texts = Array.from({ length: paragraphs }, (_, i) => `Entry ${id} ${i}. ${said[i] ?? ''} ${FILLER}`)
  return doc(id, '', texts.join('\n\n'))
}

function pages(...added: readonly Doc[]) {
  const at = world([])
  at.change({ add: [...added, ...Array.from({ length: 6 }, (_, i) => page(`other${i}`, 4, {}))] })
  return at
}

function shareOf(graph: GraphReader, text: string): (document: string) => number {
  const words = lexical(graph, { text, terms: distinct(terms(text)), near: {} }, 100)
  const shares = documentWords(graph, words)
  return (document) =>
    Math.max(0, ...[...shares].flatMap(([id, share]) => (graph.placements(chunkOf(id))[0]?.document === document ? share : [])))
}

const QUESTION = 'heron lantern'
const RETURNING = { 0: 'A heron at the lock.', 2: 'The heron again.', 4: 'A lantern, lit.', 5: 'A heron by the lantern room.' }

describe('what a document says as a whole', () => {
  it('[P2500] of two pages as long, of which one passage each says the same, the one that comes back to it is first, by hybrid and auto', () => {
    const said = 'A heron by the lantern room.'
    const at = pages(page('a', 6, { 5: said }), page('z', 6, RETURNING))
    expect(documentsOf(at, at.ask(keyword, QUESTION))[0]).toBe('a') // the scores are equal, and it has the smaller id
    for (const strategy of [hybrid, auto]) expect(documentsOf(at, at.ask(strategy, QUESTION, { vector: false }))[0]).toBe('z')
  })

  it('[P2501] the same counts for less in a longer page, and no document adds more than the weight', () => {
    const at = pages(page('long', 60, RETURNING), page('short', 6, RETURNING))
    const share = shareOf(at.graph, QUESTION)
    expect(share('short')).toBeGreaterThan(1.5 * share('long'))
    expect(share('long')).toBeGreaterThan(0)
    expect(share('short')).toBeLessThanOrEqual(DOCUMENT_WEIGHT)
    expect(share('other1')).toBe(0)
  })

  it('[P2502] nothing is added where every document is one passage, and little where most are', () => {
    const notes = Array.from({ length: 30 }, (_, i) => doc(`n${i}`, '', `Note ${i} about a heron${i % 2 ? ' and a lantern' : ''}.`))
    const at = world([])
    at.change({ add: notes })
    expect(at.graph.count('passage')).toBe(at.graph.count('document'))
    expect(shareOf(at.graph, QUESTION)('n1')).toBe(0)
    at.change({ add: [page('a', 6, RETURNING)] })
    const { graph } = at
    const most = DOCUMENT_WEIGHT * (1 - graph.count('document') / graph.count('passage'))
    const shares = graph.page('document', '', 100).map(shareOf(graph, QUESTION))
    expect(Math.max(...shares)).toBeCloseTo(most)
    expect(most).toBeLessThan(DOCUMENT_WEIGHT / 2)
  })

  it('[P2503] the length of a document is counted in at most sixteen of its chunks, evenly spaced', () => {
    const at = pages(page('long', 300, {}), page('short', 12, {}))
    const counts = (id: string) => (at.graph.document(id)?.chunks ?? []).map(({ chunk }) => at.graph.chunk(chunk)?.passages.length ?? 0)
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
    const first = (id: string): string => at.graph.document(id)?.chunks[0]?.chunk ?? ''
    const [long, short, none] = homesOf(at.graph, [first('long'), first('short'), 'c_nobody'])
    expect(counts('long').length).toBeGreaterThan(48)
    expect(Math.abs((long?.passages ?? 0) / sum(counts('long')) - 1)).toBeLessThan(0.2)
    expect(long?.passages).not.toBe(sum(counts('long')))
    expect(short).toEqual({ document: 'short', passages: sum(counts('short')) })
    expect(none).toBeUndefined()
  })

  it('[P2504] an asker who may not read a document is told nothing by it: what it shares with another counts for that one', () => {
    const shared = { 0: 'A heron at the lock.', 1: 'A lantern, lit.' }
    const at = pages({ ...page('b', 3, shared), id: 'a' }, page('b', 3, shared), page('c', 4, RETURNING))
    const sees = (document: string): boolean => document !== 'a'
    const chunk = (id: string): boolean => at.graph.placements(id).some((one) => sees(one.document))
    const seen = new VisibleGraph(at.graph, { document: sees, chunk, derived: () => true }, () => true)
    const chunks = at.graph.document('b')?.chunks.map((one) => one.chunk) ?? []
    expect(new Set(homesOf(at.graph, chunks).map((home) => home?.document))).toEqual(new Set(['a']))
    expect(new Set(homesOf(seen, chunks).map((home) => home?.document))).toEqual(new Set(['b']))
    expect(shareOf(seen, QUESTION)('b')).toBeGreaterThan(0)
  })

  it('[P2505] the trace of auto says what a passage owes to its document', () => {
    const at = pages(page('z', 6, RETURNING))
    const asked = at.ask(auto, QUESTION, { vector: false })
    if (asked.kind !== 'evidence') throw new Error('nothing was found')
    const { found } = asked.trace as unknown as { readonly found: readonly { readonly keyword: number; readonly document: number }[] }
    expect(found[0]).toMatchObject({ keyword: 1 })
    expect(found[0]?.document).toBeGreaterThan(0.5)
  })
})
