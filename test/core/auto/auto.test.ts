import { describe, expect, it } from 'vitest'
import type { GraphReader } from '../../../src/core/graph/reader'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { auto } from '../../../src/core/strategies/auto/auto'
import { isTuning } from '../../../src/core/strategies/auto/calibration'
import { grid, probeRanks, proved, restrained, unrefuted, weightsFrom } from '../../../src/core/strategies/auto/measure'
import { probesOf } from '../../../src/core/strategies/auto/probes'
import { type ByName, calibrationOf, defaultWeights, type Weights } from '../../../src/core/strategies/auto/weights'
import { HYBRID_WEIGHT } from '../../../src/core/strategies/baselines/hybrid'
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

  it('[Q473] the trace says what each channel gives a passage, and from which document a link led to it', () => {
    const at = world(auto.builders)
    at.change({ add: CHAIN })
    const retrieved = at.ask(auto, 'Where did the author of The Quiet Foundry study?', { own: { links: 1, paths: 0, dense: 0 } })
    if (retrieved.kind !== 'evidence') throw new Error('nothing was found')
    const { found } = retrieved.trace as unknown as { found: { id: string; keyword: number; links: number; from?: string }[] }
    expect(found.map((one) => one.id)).toEqual(retrieved.found.map((one) => one.id))
    const [book, woman] = ['book', 'woman'].map((id) => found.find((one) => at.graph.placements(chunkOf(one.id))[0]?.document === id))
    expect(book).toMatchObject({ keyword: 1, links: 1 })
    expect(book).not.toHaveProperty('from')
    expect(woman).toMatchObject({ from: 'book' })
  })

  it('[Q27] channels are measured on probes made from the corpus; meaningless vectors get no weight', () => {
    const at = grown()
    at.consolidate()
    expect([...at.tasks.values()].map((task) => [task.kind, task.urgent, task.background])).toEqual([['embed', false, true]])
    measuredBy(at, embedded)
    const measured = calibrationOf(at.graph)
    expect([measured?.named.dense, measured?.unnamed.dense, measured?.passages]).toEqual([0, 0, at.graph.count('passage')])
    const weights = (question: string): unknown => traced(at.ask(auto, question))?.weights
    expect([weights('Ada Brant'), weights('Who is it?')]).toEqual([measured?.named, measured?.unnamed])
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
    expect(calibrationOf(at.graph)?.named.dense).toBeGreaterThan(0)
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

  it('[Q27] vectors keep the weight of hybrid unless another gains more than one standard error over it', () => {
    const weightOf = (rankFor: (dense: number, probe: number) => number) => {
      const probe = (i: number) =>
        `u${grid.dense.map((dense) => String(rankFor(dense, i)).repeat(grid.paths.length)).join('')}${'0'.repeat(grid.links.length)}`
      return weightsFrom(
        Array.from({ length: 60 }, (_, i) => probe(i)),
        true,
      ).unnamed.dense
    }
    expect(weightOf(() => 1)).toBe(HYBRID_WEIGHT) // nothing gained, nothing lost
    expect(weightOf((dense) => (dense > 0 ? 2 : 1))).toBe(0) // they lose whatever their weight
    expect(weightOf((dense) => (dense === 2 ? 0 : 1))).toBe(2)
    expect(weightOf((dense, i) => (dense === 2 && i < 2 ? 2 * i : 1))).toBe(HYBRID_WEIGHT) // one found sooner, one later: chance
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

  it('[Q27] probes are put three at a time and weigh the channels as all at once would', () => {
    const at = grown()
    at.consolidate()
    const probes = probesOf(at.graph)
    const all = probes.map((probe) => ({ probe }))
    const expected = weightsFrom(probeRanks(at.graph, all, []), false)
    const texts = measuredBy(at, (task, { kind }) => {
      expect([kind, task.background]).toEqual(['embed', true])
      return { node: task.node, input: task.input, kind: 'unusable', reason: 'down' }
    })
    const few = Array.from({ length: Math.ceil(probes.length / 3) }, (_, i) => 2 * Math.min(3, probes.length - 3 * i))
    expect([few.length > 2, texts]).toEqual([true, few])
    const { named, unnamed } = calibrationOf(at.graph) ?? defaultWeights
    expect({ named, unnamed }).toEqual(expected)
  })

  it('[Q280] links are refuted for questions that say a document’s name by probes that say one alone, and for the others by the others', () => {
    const pairs = '0'.repeat(grid.dense.length * grid.paths.length)
    const probes = (kind: 'n' | 'u', count: number, links: string) => Array.from({ length: count }, () => kind + pairs + links)
    const good = '0'.repeat(grid.links.length)
    const bad = `${'5'.repeat(grid.links.length - 1)}0` // found first without links alone
    const links = ({ named, unnamed }: ByName<Weights>) => [named.links, unnamed.links]
    expect(links(weightsFrom([...probes('n', 20, good), ...probes('u', 200, bad)], false))).toEqual([1, 0])
    expect(links(weightsFrom([...probes('n', 20, bad), ...probes('u', 200, good)], false))).toEqual([0, 1])
    // Of too few nothing is said: the guess serves.
    expect(links(weightsFrom([...probes('n', 8, bad), ...probes('u', 200, good)], false))).toEqual([defaultWeights.named.links, 1])
    expect(links(weightsFrom([...probes('n', 200, good), ...probes('u', 8, good)], false))).toEqual([1, defaultWeights.unnamed.links])
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
    const measured = calibrationOf(at.graph)
    expect([weights(`Who knows ${name}?`), weights('Who knows?')]).toEqual([measured?.named, measured?.unnamed])
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

  it('[Q281] measuring is due at 64 passages and whenever a fifth has come or gone since the last began, beside jobs when there are four times as many, 1,024 at most, and not while it is under way', () => {
    const at = world(auto.builders)
    const isDue = (isBusy = false) => auto.builders.some((builder) => builder.isDue?.(at.graph, at.settings, isBusy))
    at.change({ add: CHAIN })
    expect(isDue()).toBe(false)
    at.change({ add: docs('crowd', 90) })
    expect([isDue(), isDue(true)]).toEqual([true, true])
    at.consolidate()
    expect(isDue()).toBe(false)
    at.settle(embedded)
    at.change({ add: docs('more', 60) }) // comes in while it is under way, which goes on
    const begun = calibrationOf(at.graph)
    expect([isDue(), begun, at.tasks.size]).toEqual([false, undefined, 1])
    measuredBy(at, embedded)
    const measured = calibrationOf(at.graph)?.passages ?? 0
    expect([isDue(), isDue(true), measured < at.graph.count('passage')]).toEqual([true, false, true])
    const grown = (passages: number) => ({ count: () => passages, value: at.graph.value.bind(at.graph) }) as unknown as GraphReader
    const beside = (passages: number) => auto.builders.some((builder) => builder.isDue?.(grown(passages), at.settings, true))
    expect([beside(4 * measured), beside(4 * measured + 1), beside(1024), beside(1025)]).toEqual([false, true, true, false])
    const postponed = (passages: number) => auto.builders.some((builder) => builder.isPostponed?.(grown(passages)))
    expect([postponed(1024), postponed(1025)]).toEqual([false, true])
    at.consolidate()
    measuredBy(at, embedded)
    at.change({ add: docs('few', 2) })
    expect([isDue(), isTuning(at.graph, at.settings.models)]).toEqual([false, false])
  })

  it('[Q282] however documents came, a consolidation in the end measures the weights of those that are there', () => {
    const together = grown()
    together.consolidate()
    measuredBy(together, embedded)
    const apart = world(auto.builders)
    for (const some of [docs('crowd', 90).slice(0, 50), docs('crowd', 90).slice(50), CHAIN]) {
      apart.change({ add: some })
      apart.consolidate()
      apart.settle(embedded)
      apart.settle(embedded)
    }
    measuredBy(apart, embedded)
    apart.consolidate()
    measuredBy(apart, embedded)
    expect(apart.hash()).toBe(together.hash())
  })

  it('[Q283] the trace says whether the channels are being measured, and what was measured last', () => {
    const at = grown()
    const trace = () => traced(at.ask(auto, 'Ada Brant')) as unknown as { tuning: boolean; calibration: unknown }
    expect([trace().tuning, trace().calibration]).toEqual([true, 'not measured yet'])
    at.consolidate()
    measuredBy(at, embedded)
    expect([trace().tuning, trace().calibration]).toEqual([false, calibrationOf(at.graph)])
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
    expect(calibrationOf(at.graph)?.named.dense).toBe(defaultWeights.named.dense)
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
