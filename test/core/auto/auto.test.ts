import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../src/core/ids'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { auto } from '../../../src/core/strategies/auto/auto'
import { isTuning } from '../../../src/core/strategies/auto/calibration'
import { linkRanks, linkWeight, proved, restrained, seedRanks, seedWeights, unrefuted } from '../../../src/core/strategies/auto/measure'
import { probesOf } from '../../../src/core/strategies/auto/probes'
import { calibrationOf, defaultWeights, type Weights } from '../../../src/core/strategies/auto/weights'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { eraBuilder } from '../../../src/core/strategies/erarag/build'
import { knowledge } from '../../../src/core/strategies/shared-builders'
import type { Brief, Reply, Retrieved, Task } from '../../../src/core/strategy'
import { doc, docs, documentsOf, vectorFor, type World, world } from '../builders/worlds'

const CHAIN = [
  doc('book', 'The Quiet Foundry', 'A novel by Cyra Dunn, printed in Ulm.'),
  doc('woman', 'Cyra Dunn', 'She studied in Vigo.'),
  doc('other', 'Novels', 'A novel is printed. An author may study anywhere; the author of a novel may study where it is printed.'),
]

/** Vectors by content, that say nothing of meaning: passages, sentences and probes alike. */
function embedded(task: Task, brief: Brief): Reply {
  if (brief.kind !== 'embed') throw new Error('unexpected brief')
  return { node: task.node, input: task.input, kind: 'embed', vectors: brief.texts.map(vectorFor) }
}

function grown(count = 90): World {
  const at = world(auto.builders)
  at.change({ add: [...CHAIN, ...docs('crowd', count)] })
  return at
}

/** Answers until the measuring has come to its end; the number of texts embedded at a time. */
function measuredBy(at: World, reply: (task: Task, brief: Brief) => Reply): number[] {
  const texts: number[] = []
  const counted = (task: Task, brief: Brief): Reply => {
    texts.push(brief.kind === 'embed' ? brief.texts.length : 0)
    return reply(task, brief)
  }
  while (at.tasks.size > 0 && texts.length < 100) at.settle(counted)
  return texts
}

const traced = (retrieved: Retrieved) =>
  retrieved.kind === 'evidence' ? (retrieved.trace as unknown as { weights: Weights; calibration: unknown }) : undefined

describe('auto', () => {
  it('[Q29] a link leads to the document the question does not describe', () => {
    const at = world(auto.builders)
    at.change({ add: CHAIN })
    const top = (own: { links: number; paths: number }): string[] =>
      documentsOf(at, at.ask(auto, 'Where did the author of The Quiet Foundry study?', { own: { ...own, dense: 0 } })).slice(0, 2)
    expect(top({ links: 1, paths: 0 })).toEqual(['book', 'woman'])
    expect(top({ links: 0, paths: 1 })).toEqual(['book', 'woman'])
    expect(top({ links: 0, paths: 0 })).toEqual(['book', 'other'])
  })

  it('[Q27] channels are measured on probes made from the corpus; meaningless vectors get no weight', () => {
    const at = grown()
    at.consolidate()
    expect([...at.tasks.values()].map((task) => [task.kind, task.urgent])).toEqual([['embed', false]])
    measuredBy(at, embedded)
    const measured = calibrationOf(at.graph)
    expect({ dense: measured?.dense, passages: measured?.passages }).toEqual({ dense: 0, passages: at.graph.count('passage') })
    expect(traced(at.ask(auto, 'Ada Brant'))?.weights).toEqual({ dense: 0, paths: measured?.paths, links: measured?.links })
  })

  it('[Q27] vectors that know the passage of every probe get a weight', () => {
    const at = grown()
    at.consolidate()
    // An oracle: the question's and the rest's vector are that of the whole passage the rest belongs to.
    const whole = new Map(
      at.graph
        .page('chunk', '', 1e6)
        .flatMap((id) => at.graph.chunk(id)?.passages.map((one) => [at.graph.text(one.id)?.text ?? '', one.id] as const) ?? []),
    )
    measuredBy(at, (task, brief) => {
      const texts = brief.kind === 'embed' ? brief.texts : []
      const of = (text: string) =>
        [...whole].find(([passage]) => text.split(/\s+/).filter((word) => passage.includes(word)).length > 0.9 * text.split(/\s+/).length)
      const vectors = texts.map((_, i) => {
        const rest = texts[i - (i % 2) + 1] ?? ''
        return at.graph.vector(of(rest.split('\n').at(-1) ?? '')?.[1] ?? '') ?? vectorFor(rest)
      })
      return { node: task.node, input: task.input, kind: 'embed', vectors }
    })
    expect(calibrationOf(at.graph)?.dense).toBeGreaterThan(0)
  })

  it('[Q27] vectors must gain more than one standard error, paths and links must not lose more than one', () => {
    const probes = Array.from({ length: 100 }, (_, i) => i % 2)
    const gaining = (share: number) => (value: number) => probes.map((one, i) => one + (value > 0 && i < share * 100 ? value : 0))
    expect(proved([0, 0.5, 1], gaining(0.2))).toBe(1)
    expect(proved([0, 0.5, 1], gaining(0))).toBe(0)
    expect(proved([0, 1], (value) => probes.map((one, i) => one + (value > 0 ? (i % 2 ? 1.05 : -1) : 0)))).toBe(0)
    const losing = (value: number) => probes.map((one, i) => one - (value > 0.5 && i < 20 ? value : 0))
    expect(unrefuted([1, 0.7, 0.5, 0], losing)).toBe(0.5)
    expect(unrefuted([1, 0.7, 0.5, 0], gaining(0))).toBe(1)
    expect(restrained({ dense: 0, paths: 1, links: 0 })).toEqual({ dense: 0, paths: 0.3, links: 0 })
    expect(restrained({ dense: 0, paths: 1, links: 0.5 })).toEqual({ dense: 0, paths: 0.5, links: 0.5 })
  })

  it('[Q28] under 64 passages a safe guess serves; measuring is asked for again only when a fifth has changed', () => {
    const few = world(auto.builders)
    few.change({ add: CHAIN })
    few.consolidate()
    expect([few.tasks.size, traced(few.ask(auto, 'novel'))?.weights]).toEqual([0, defaultWeights.unnamed])
    const at = grown()
    at.consolidate()
    measuredBy(at, embedded)
    at.consolidate()
    expect(at.tasks.size).toBe(0)
    at.change({ add: docs('more', 60) })
    at.consolidate()
    expect(at.tasks.size).toBe(1)
  })

  it('[Q37] of a text that is deleted while measuring is under way no word is left, and measuring goes on with the others', () => {
    const at = world(auto.builders)
    const secret = (n: number) =>
      doc(
        `secret${n}`,
        'A report',
        `The zyxwvut ${n} was counted twice in the northern harbour. Nobody wrote down why it was counted there again.`,
      )
    at.change({ add: [...docs('crowd', 80), ...Array.from({ length: 20 }, (_, n) => secret(n))] })
    at.consolidate()
    for (let few = 0; few < 3; few++) at.settle(embedded)
    const held = () => JSON.stringify(at.graph.values('auto', '', 10))
    expect(held()).toContain('zyxwvut')
    at.change({ remove: Array.from({ length: 10 }, (_, n) => `secret${n}`) })
    const chunks = [...held().matchAll(/"chunk":"([^"]+)"/g)].map(([, id]) => at.graph.chunk(id ?? ''))
    expect([chunks.length > 50, chunks.every((chunk) => chunk !== undefined)]).toEqual([true, true])
    at.change({ remove: Array.from({ length: 10 }, (_, n) => `secret${10 + n}`) })
    expect(held()).not.toContain('zyxwvut')
    measuredBy(at, embedded)
    expect(calibrationOf(at.graph)?.passages).toBe(at.graph.count('passage'))
  })

  it('[Q27] probes are put four at a time, twice, and weigh the channels as all at once would', () => {
    const at = grown()
    at.consolidate()
    const first = [...at.tasks.values()][0]?.input
    const probes = probesOf(at.graph)
    const all = probes.map((probe) => ({ probe }))
    const chosen = seedWeights(seedRanks(at.graph, all, []), false)
    const links = linkWeight(linkRanks(at.graph, all, [], chosen))
    const texts = measuredBy(at, (task, { kind }) => {
      expect([kind, task.urgent]).toEqual(['embed', task.input !== first])
      return { node: task.node, input: task.input, kind: 'unusable', reason: 'down' }
    })
    const few = Array.from({ length: Math.ceil(probes.length / 4) }, (_, i) => 2 * Math.min(4, probes.length - 4 * i))
    expect([few.length > 2, texts]).toEqual([true, [...few, ...few]])
    const { dense, paths, links: walked } = calibrationOf(at.graph) ?? defaultWeights.named
    expect({ dense, paths, links: walked }).toEqual(restrained({ ...chosen, links }))
  })

  it('[Q28] until the channels are measured the links are walked only where the question says a document’s name', () => {
    const at = grown()
    const weights = (question: string): unknown => traced(at.ask(auto, question))?.weights
    const name = 'Cyra Dunn'
    expect(isTuning(at.graph, defaultSettings.models)).toBe(true)
    expect([weights(`Who knows ${name}?`), weights('Who knows?')]).toEqual([defaultWeights.named, defaultWeights.unnamed])
    at.consolidate()
    expect(isTuning(at.graph, defaultSettings.models)).toBe(true)
    measuredBy(at, embedded)
    expect(isTuning(at.graph, defaultSettings.models)).toBe(false)
    expect(weights('Who knows?')).toEqual(weights(`Who knows ${name}?`))
  })

  it('[Q28] a corpus that grows keeps the weights it has measured until they are measured anew', () => {
    const at = grown()
    at.consolidate()
    measuredBy(at, embedded)
    const before = traced(at.ask(auto, 'Who knows?'))?.weights
    at.change({ add: docs('more', 60) })
    expect(traced(at.ask(auto, 'Who knows?'))?.weights).toEqual(before)
    at.consolidate()
    at.settle(embedded)
    expect(isTuning(at.graph, defaultSettings.models)).toBe(true)
    expect(traced(at.ask(auto, 'Who knows?'))?.weights).toEqual(before)
    measuredBy(at, embedded)
    expect(calibrationOf(at.graph)?.passages).toBe(at.graph.count('passage'))
  })

  it('[Q28] the same graph makes the same probes and weights', () => {
    const [one, other] = [grown(), grown()]
    for (const at of [one, other]) {
      at.consolidate()
      measuredBy(at, embedded)
    }
    expect(other.hash()).toBe(one.hash())
  })

  it('[Q28] without an embedding model the graph’s channels are measured all the same', () => {
    const at = grown()
    at.consolidate()
    measuredBy(at, (task) => ({ node: task.node, input: task.input, kind: 'unusable', reason: 'down' }))
    expect(calibrationOf(at.graph)?.dense).toBe(defaultWeights.named.dense)
  })

  it('[Q29] works without a question vector, without entry points, on an empty corpus, and inside a filter', () => {
    const at = grown(20)
    const banned = at.graph.document('woman')?.chunks[0]?.chunk
    const question = 'Where did the author of The Quiet Foundry study?'
    expect(documentsOf(at, at.ask(auto, question, { vector: false }))).toContain('book')
    expect(documentsOf(at, at.ask(auto, question, { near: false })).length).toBeGreaterThan(0)
    expect(documentsOf(world(auto.builders), world(auto.builders).ask(auto, question))).toEqual([])
    expect(documentsOf(at, at.ask(auto, question, { admits: (chunk) => chunk !== banned }))).not.toContain('woman')
  })

  it('[Q29] insert and delete give back the same graph', () => {
    const at = grown(10)
    const before = at.hash()
    const guests = docs('guest', 6)
    at.change({ add: guests })
    at.change({ remove: guests.map((one) => one.id) })
    expect(at.hash()).toBe(before)
  })

  it('[Q34] a question about much at once begins with summaries; one for a thing, a filter and the switch do not', () => {
    const at = world([...auto.builders, eraBuilder])
    at.change({ add: docs('crowd', 60) })
    measuredBy(at, embedded)
    const kinds = (text: string, asking: Parameters<World['ask']>[2] = {}): string[] => {
      const answer = at.ask(auto, text, asking)
      return answer.kind === 'evidence' ? answer.found.map((one) => kindOf(one.id) ?? '') : []
    }
    const broad = 'What overall is known and took the mark?'
    const answer = at.ask(auto, broad)
    const first = answer.kind === 'evidence' ? answer.found[0] : undefined
    expect(kindOf(first?.id ?? '')).toBe('summary')
    expect(first?.support?.length).toBeGreaterThanOrEqual(2)
    expect(kinds(broad)).toContain('passage')
    expect(kinds(broad).filter((kind) => kind === 'summary').length).toBeLessThanOrEqual(3)
    expect(kinds('What overall is known of Ada Brant?')).not.toContain('summary')
    expect(kinds(broad, { admits: () => true })).not.toContain('summary')
    expect(kinds(broad, { own: { overview: false } })).not.toContain('summary')
    expect(kinds('Where is Ada Brant known?', { own: { overview: true } })[0]).toBe('summary')
  })

  it('[Q34] without summaries it begins with reports of communities', () => {
    const at = world([...auto.builders, knowledge, archBuilder])
    at.change({ add: docs('crowd', 60) })
    measuredBy(at, embedded)
    const answer = at.ask(auto, 'What overall is known and took the mark?')
    const found = answer.kind === 'evidence' ? answer.found : []
    const reports = found.filter((one) => kindOf(one.id) === 'community')
    expect(kindOf(found[0]?.id ?? '')).toBe('community')
    expect(reports.length).toBeLessThanOrEqual(3)
    for (const one of reports) {
      expect(at.graph.node(one.id)?.text).not.toBe('')
      expect(one.support?.length).toBeGreaterThanOrEqual(2)
    }
    const plain = at.ask(auto, 'Where is Ada Brant known?')
    expect(plain.kind === 'evidence' && plain.found.some((one) => kindOf(one.id) === 'community')).toBe(false)
  })
})
