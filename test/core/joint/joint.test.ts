/** A graph in parts, read as one: beside the same documents in one graph. */
import { describe, expect, it } from 'vitest'
import { links } from '../../../src/core/builders/links'
import { mentions } from '../../../src/core/builders/mentions'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { DocumentRecord } from '../../../src/core/graph/types'
import { chunkOf } from '../../../src/core/ids'
import { answerReads, countsOf, openedOf } from '../../../src/core/joint/answering'
import { JointGraph } from '../../../src/core/joint/joint-graph'
import { matchJointly } from '../../../src/core/joint/match'
import { partOf } from '../../../src/core/joint/part-of'
import type { MatchRead, Read } from '../../../src/core/joint/reads'
import { random as seeded } from '../../../src/core/random'
import { auto } from '../../../src/core/strategies/auto/auto'
import { hybrid } from '../../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../../src/core/strategies/baselines/keyword'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { Strategy } from '../../../src/core/strategy'
import { divide } from '../../../src/core/text/divide'
import { distinct, terms } from '../../../src/core/text/terms'
import { jointRounds, moreRounds, omittedBy } from '../../../src/flows/partitions/walking'

interface Text {
  readonly id: string
  readonly title: string
  readonly text: string
}

const PARTS = 4

function graphOf(texts: readonly Text[]): MemoryGraph {
  const graph = new MemoryGraph(8)
  const divided = texts.map((one) => ({ one, ...divide(one, defaultSettings.chunking) }))
  const added = divided.flatMap(({ chunks }) => chunks)
  const documents = divided.map(({ one, name, placed }): DocumentRecord => ({ ...one, name, url: null, metadata: {}, chunks: placed }))
  graph.apply([
    ...added.map((chunk) => ({ op: 'put-chunk' as const, chunk, vectors: { passages: [], units: [] } })),
    ...documents.map((document) => ({ op: 'put-document' as const, document })),
  ])
  const delta = { added, removed: [], documents: { added: documents, removed: [] }, replies: [] }
  for (const builder of [mentions, links]) graph.apply(builder.update(graph, delta, defaultSettings).patch)
  return graph
}

function inParts(texts: readonly Text[], count: number): readonly MemoryGraph[] {
  return Array.from({ length: count }, (_, part) => graphOf(texts.filter((one) => partOf(one.id, count) === part)))
}

/** `entries`: passages that an index of vectors shows. */
function askJointly(parts: readonly MemoryGraph[], strategy: Strategy, text: string, topK: number, entries: readonly string[] = []) {
  const rounds = 1 + jointRounds(entries.length > 0, strategy) // one of counts, the others of reading
  const passage = entries.map((id, i) => ({ id, score: 1 - i / 10 }))
  const joint = new JointGraph({ count: parts.length, partOf: (id) => partOf(id, parts.length) })
  for (let round = 0; ; round++) {
    const query = { text, terms: distinct(terms(text)), near: round > 0 && passage.length > 0 ? { passage } : {} }
    const found = strategy.retrieve(joint, query, new Map(), { topK, budget: 4000, trace: false, own: {} }, defaultSettings)
    if (found.kind !== 'evidence') throw new Error('it wants scores')
    const more = moreRounds(joint, found.found, topK)
    const lacking = joint.take()
    if (round > 0 && (lacking.size === 0 || round >= rounds + more)) return { found: found.found, rounds: round, joint }
    if (round === 0) {
      joint.begin(parts.map(countsOf))
      for (const [part, graph] of parts.entries()) {
        const own = passage.filter(({ id }) => graph.chunk(chunkOf(id)))
        joint.enter(
          part,
          own,
          openedOf(
            graph,
            own.map(({ id }) => id),
          ),
        )
      }
    }
    for (const [part, reads] of lacking) joint.put(part, reads, answerReads(parts[part] as MemoryGraph, reads))
  }
}

/** Words by a power law, so that parts differ in how rare each is. */
function worldOf(seed: number, size: number): readonly Text[] {
  const random = seeded(seed)
  const word = (): string => `w${Math.floor(300 ** (random.below(10_000) / 10_000))}q`
  return Array.from({ length: size }, (_, i) => ({
    id: `d${i}`,
    title: `t${i}`,
    text: Array.from({ length: 20 + random.below(200) }, word).join(' '),
  }))
}

describe('a graph in parts', () => {
  it('[P1220] finds by words what one graph finds: the same passages in the same order with the same scores', () => {
    for (const seed of [1, 2, 3]) {
      const texts = worldOf(seed, 120)
      const [one, parts] = [graphOf(texts), inParts(texts, PARTS)]
      for (let n = 0; n < 12; n++) {
        const text = `w${1 + n}q w${7 + 3 * n}q w${40 + 5 * n}q w${200 + n}q`
        const query = { text, terms: distinct(terms(text)), near: {} }
        const whole = keyword.retrieve(one, query, new Map(), { topK: 30, budget: 4000, trace: false, own: {} }, defaultSettings)
        const { found } = askJointly(parts, keyword, text, 30)
        const shown = (all: readonly { id: string; score: number }[]) => all.map(({ id, score }) => [id, score.toFixed(9)])
        expect(whole.kind === 'evidence' && shown(whole.found)).toEqual(shown(found))
      }
    }
  })

  it('[P2506] weighs long documents by hybrid as one graph does: their lengths come with the passages that words find', () => {
    const pages = worldOf(6, 60).map((one, i) => ({ ...one, text: Array.from({ length: 1 + (i % 5) }, () => one.text).join('\n\n') }))
    const texts = pages.map((one, i) => ({ ...one, text: `${one.text}\n\n${pages[(i * 7) % pages.length]?.text}` }))
    const [one, parts] = [graphOf(texts), inParts(texts, PARTS)]
    expect(one.count('passage')).toBeGreaterThan(2 * one.count('document'))
    for (let n = 0; n < 12; n++) {
      const text = `w${1 + n}q w${7 + 3 * n}q w${40 + 5 * n}q w${200 + n}q`
      const query = { text, terms: distinct(terms(text)), near: {} }
      const whole = hybrid.retrieve(one, query, new Map(), { topK: 30, budget: 4000, trace: false, own: {} }, defaultSettings)
      const { found, rounds } = askJointly(parts, hybrid, text, 30)
      const shown = (all: readonly { id: string; score: number }[]) => all.map(({ id, score }) => [id, score.toFixed(9)])
      expect(whole.kind === 'evidence' && shown(whole.found)).toEqual(shown(found))
      expect(rounds).toBeLessThanOrEqual(3)
    }
  })

  it('[P1220] reads more of a part that has more than its share of the best', () => {
    const ids = Array.from({ length: 400 }, (_, i) => `d${i}`).filter((id) => partOf(id, PARTS) === 2)
    const apart = ids.map((id, i) => ({ id, title: '', text: `${'heron '.repeat(1 + (i % 7))}${'pond '.repeat(i % 11)}stands ${i}` }))
    const texts = [...apart, ...worldOf(4, 60).map((one) => ({ ...one, id: `${one.id}x`, text: `${one.text} heron` }))]
    const query = { text: 'heron', terms: distinct(terms('heron')), near: {} }
    const whole = keyword.retrieve(graphOf(texts), query, new Map(), { topK: 90, budget: 4000, trace: false, own: {} }, defaultSettings)
    const { found } = askJointly(inParts(texts, PARTS), keyword, 'heron', 90)
    expect(whole.kind === 'evidence' && whole.found.map((one) => one.id)).toEqual(found.map((one) => one.id))
  })

  it('[P2490] reads on where the best are in one part, until they are those of one graph and there is a text for each', () => {
    const ponds = Array.from({ length: 60 }, (_, i) => `A heron stands in pond ${i}. ${'reed '.repeat(60 + i)}`)
    const texts = [
      { id: 'long', title: 'Herons', text: ponds.join('\n\n') },
      ...worldOf(5, 60).map((one) => ({ ...one, id: `${one.id}x` })),
    ]
    const [one, parts] = [graphOf(texts), inParts(texts, PARTS)]
    const other = parts.find((part) => !part.document('long'))
    const entry = other?.chunk(other.page('chunk', '', 1)[0] ?? '')?.passages[0]?.id ?? expect.fail()
    const query = { text: 'heron', terms: distinct(terms('heron')), near: {} }
    const whole = keyword.retrieve(one, query, new Map(), { topK: 40, budget: 4000, trace: false, own: {} }, defaultSettings)
    const { found, joint } = askJointly(parts, keyword, 'heron', 40, [entry])
    expect(whole.kind === 'evidence' && whole.found.map(({ id }) => id)).toEqual(found.map(({ id }) => id))
    expect(found.length).toBe(40)
    expect(found.filter(({ id }) => !joint.text(id))).toEqual([])
    expect(askJointly(parts, keyword, 'w3q w40q', 5, [entry]).rounds).toBe(2) // no more than else where the best are spread
  })

  it('[P1221] reads as much of a part as it takes to leave nothing better unread, and no more than it must', () => {
    const texts = worldOf(9, 200)
    const [one, part] = [graphOf(texts), graphOf(texts.filter((_, i) => i % 5 === 0))]
    const asked = distinct(terms('w3q w90q w150q'))
    const counts = one.frequency(asked)
    const statistics = {
      passages: one.count('passage'),
      mean: one.lexicon.meanLength(),
      frequencies: asked.map((term, i) => [term, counts[i] ?? 0] as const),
    }
    const own = new Set(part.match(asked, 10_000).map((hit) => hit.id))
    const expected = one.match(asked, 10_000).filter((hit) => own.has(hit.id))
    for (const limit of [1, 5, 20]) {
      const found = matchJointly(part, asked, { limit, exact: limit, statistics })
      expect(found.map((hit) => hit.id)).toEqual(expected.slice(0, limit).map((hit) => hit.id))
    }
  })

  it('[P2510] tells a walk that reads only texts neither names nor links, and one without vectors none, and it finds the same', () => {
    const texts = worldOf(6, 60).map((one, i) => ({ ...one, text: `${one.text} Harrow Mill stands there, says Note ${i + 1}.` }))
    const [part] = inParts(texts, PARTS)
    if (!part) expect.fail()
    const asked = ['mill', 'w3q']
    const counts = part.frequency(asked)
    const statistics = {
      passages: part.count('passage'),
      mean: part.lexicon.meanLength(),
      frequencies: asked.map((term, i) => [term, counts[i] ?? 0] as const),
    }
    const reads: readonly Read[] = [['match', asked, { limit: 20, exact: 20, statistics }]]
    const [all, few] = [{}, { omits: omittedBy(keyword, false) }].map((telling) => answerReads(part, reads, telling)[0] as MatchRead)
    expect(few?.hits).toEqual(all?.hits)
    expect(few?.chunks.map(({ chunk }) => chunk.text)).toEqual(all?.chunks.map(({ chunk }) => chunk.text))
    expect(all?.chunks.some(({ mentions }) => mentions !== undefined)).toBe(true)
    expect(few?.chunks.every(({ mentions }) => mentions === undefined)).toBe(true)
    expect([(all?.homes ?? []).length > 0, few?.homes, few?.vectors]).toEqual([true, [], []])
    expect(few?.documents.flatMap(({ out, back }) => [...out, ...back])).toEqual([])
    expect([omittedBy(hybrid, true), omittedBy(hybrid, false), omittedBy(keyword, true)]).toEqual([
      ['names'],
      ['names', 'vectors'],
      ['names', 'vectors', 'homes'],
    ])
    expect([omittedBy(auto, true), omittedBy(keyword, true, true)], 'what follows names, or is told how it was reached').toEqual([[], []])
  })

  it('[P1222] follows a name from a text of one part to the document of another, and back', () => {
    const texts = [
      { id: 'mill', title: 'Harrow Mill', text: 'Harrow Mill was built by Ottilie Brandt in the valley.' },
      { id: 'brandt', title: 'Ottilie Brandt', text: 'She was born in Lindau and studied bridges.' },
      ...Array.from({ length: 40 }, (_, i) => ({ id: `x${i}`, title: `Note ${i}`, text: `Paragraph ${i} is about cheese number ${i}.` })),
    ]
    const count = Array.from({ length: 30 }, (_, i) => i + 2).find((n) => partOf('mill', n) !== partOf('brandt', n)) ?? 2
    const parts = inParts(texts, count)
    const entry = parts.flatMap((part) => part.chunk(part.document('mill')?.chunks[0]?.chunk ?? '')?.passages[0]?.id ?? [])
    for (const entries of [[], entry]) {
      const { found, rounds, joint } = askJointly(parts, auto, 'Where was the builder of Harrow Mill born?', 5, entries)
      const documents = found.map((one) => joint.placements(joint.text(one.id)?.chunk ?? '')[0]?.document)
      expect(documents.slice(0, 2).sort()).toEqual(['brandt', 'mill'])
      expect(joint.edges('links', 'mill').map((edge) => edge.target)).toContain('brandt')
      expect(joint.edgesTo('links', 'brandt').map((edge) => edge.source)).toContain('mill')
      expect(rounds).toBe(entries.length > 0 ? 2 : 3)
    }
    expect(parts.flatMap((part) => part.edges('links', 'mill'))).toEqual([])
  })
})
