/** What of a document a piece of evidence shows: a passage with those beside it, its chunk, or the document, letter for letter. */
import { describe, expect, it } from 'vitest'
import { type Evidence, type Limits, present, tokensOf } from '../../src/core/evidence'
import type { Found } from '../../src/core/strategy'
import { doc, settingsWith, world } from './builders/worlds'

const sentence = (n: number) => `Entry ${n} of the log says that the heron stood on pier ${n * 7} and ate ${n + 3} small fish before noon.`
const LONG = Array.from({ length: 240 }, (_, n) => sentence(n)).join(' ')
const SHORT = 'A harbour is a place. Herons come to it.'

function corpus() {
  const at = world([], settingsWith({ chunking: { chunk: 1200, overlap: 100, passage: 150 } }))
  at.change({ add: [doc('log', 'Log', LONG), doc('note', 'Note', SHORT)] })
  const chunks = at.graph.document('log')?.chunks ?? []
  const passage = (chunk: number, ordinal: number) => at.graph.chunk(chunks[chunk]?.chunk ?? '')?.passages[ordinal]?.id ?? ''
  return { at, chunks, passage }
}

const found = (...ids: readonly string[]): Found[] => ids.map((id, i) => ({ id, score: 1 - i / 100, via: 'keyword' }))
const limits = (more: Partial<Limits> = {}): Limits => ({ topK: 10, budget: 100_000, ...more })
const isExact = ({ text, start, end }: Pick<Evidence, 'text' | 'start' | 'end'>) => LONG.slice(start ?? 0, end ?? 0) === text

describe('granularity', () => {
  it('[Q522] of a chunk each is shown once, whole', () => {
    const { at, chunks, passage } = corpus()
    const shown = present(at.graph, found(passage(1, 2), passage(1, 0), passage(0, 0)), limits({ granularity: 'chunk' }))
    expect(shown.map((one) => [one.kind, one.id, isExact(one)])).toEqual([1, 0].map((i) => ['chunk', chunks[i]?.chunk, true]))
  })

  it('[Q522] of a document each is shown once, whole where the budget has room, else as much around what was found', () => {
    const { at, passage } = corpus()
    const note = at.graph.chunk(at.graph.document('note')?.chunks[0]?.chunk ?? '')?.passages[0]?.id ?? ''
    const wanted = found(passage(2, 1), note, passage(0, 0))
    const whole = present(at.graph, wanted, limits({ granularity: 'document' }))
    expect(whole.map((one) => [one.kind, one.id, one.text])).toEqual([
      ['document', 'log', LONG],
      ['document', 'note', SHORT],
    ])
    const [part, other] = present(at.graph, wanted, limits({ granularity: 'document', budget: 3000 }))
    expect([part?.id, part && isExact(part), (part?.tokens ?? 0) <= 3000, (part?.tokens ?? 0) > 1500, other?.id]).toEqual([
      'log',
      true,
      true,
      true,
      'note',
    ])
    const [little] = present(at.graph, wanted, limits({ granularity: 'document', budget: 400 }))
    expect([little?.kind, little?.id]).toEqual(['passage', passage(2, 1)])
  })
})

describe('neighbours', () => {
  it('[Q523] the passages before and after are given with it, over the borders of chunks, and count for the budget', () => {
    const { at, chunks, passage } = corpus()
    const passages = chunks.flatMap(
      ({ chunk, start }) => at.graph.chunk(chunk)?.passages.map((one) => ({ start: start + one.start, end: start + one.end })) ?? [],
    )
    const last = (at.graph.chunk(chunks[0]?.chunk ?? '')?.passages.length ?? 0) - 1
    const [one] = present(at.graph, found(passage(0, last)), limits({ neighbours: 2 }))
    expect(one?.context).toMatchObject({ start: passages[last - 2]?.start, end: passages[last + 2]?.end })
    expect(one?.context && isExact(one.context)).toBe(true)
    expect(one && tokensOf(one)).toBeGreaterThan(4 * (one?.tokens ?? 0))
    const [first] = present(at.graph, found(passage(0, 0)), limits({ neighbours: 1 }))
    expect([first?.context?.start, first?.context?.end]).toEqual([0, passages[1]?.end])
    const poor = present(at.graph, found(passage(0, 0), passage(1, 1)), limits({ neighbours: 1, budget: 700 }))
    expect([poor.length, poor.map((piece) => piece.context !== undefined)]).toEqual([2, [true, false]])
    expect(poor.reduce((sum, piece) => sum + tokensOf(piece), 0)).toBeLessThanOrEqual(700)
  })
})
