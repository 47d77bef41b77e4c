/**
 * Passages as a question sees them: which of its terms each says, sentence by sentence, and which entities occur in it. A chunk is read at most
 * once for a question, only when one of its passages is asked for, and its sentences only when someone asks what they say.
 */
import { ABOUT } from '../../builders/mention-list'
import { memoize } from '../../builders/said-names'
import { unitPassage, writtenUnits } from '../../builders/units'
import { once } from '../../channels/clue'
import type { Clues } from '../../channels/clues'
import type { Weighted } from '../../channels/lexical'
import type { GraphReader } from '../../graph/reader'
import type { Chunk } from '../../graph/types'
import { chunkOf, ordinalOf, unitId } from '../../ids'
import { type Word, wordsOf } from '../../text/occurrences'

const CHARACTERS = 4.5 // per token of English, near enough for what a sentence costs

export interface ReadUnit {
  readonly text: string
  /** One bit per term of the question, including those in the document's name: a sentence that only says "it" is still about something. */
  readonly covers: number
  readonly tokens: number
}

export interface ReadPassage {
  readonly id: string
  readonly chunk: string
  readonly document: string
  /** Counted as for a unit, including the title. */
  readonly covers: () => number
  readonly units: () => readonly ReadUnit[]
}

export interface PassageReading {
  /** Undefined if it is gone or may not be seen. */
  passage(id: string): ReadPassage | undefined
  /** Entities that a passage mentions, and those in its document's name. */
  entities(passage: ReadPassage): readonly string[]
  /** The words of a sentence, as names are looked for in it. */
  words(unit: ReadUnit): readonly Word[]
  /** How much of the question these terms are, by rarity. */
  share(covers: number): number
}

/** `source`: units already read by the channels, so that no sentence is analysed twice. */
export function passageReading(
  graph: GraphReader,
  source: Clues,
  question: readonly Weighted[],
  admits: ((chunk: string) => boolean) | undefined,
): PassageReading {
  const total = question.reduce((sum, one) => sum + one.idf, 0) || 1
  const weights = question.map((one) => one.idf / total)
  const open = memoize((id: string) => {
    const chunk = admits?.(id) === false ? undefined : graph.chunk(id)
    const document = graph.placements(id)[0]?.document
    return chunk && document !== undefined ? { chunk, document } : undefined
  })
  const unitsOf = (chunk: Chunk, ordinal: number): readonly ReadUnit[] => {
    const name = source.covers(chunk.name)
    const units: ReadUnit[] = []
    for (const [at, { id, passage, start, end }] of chunk.units.entries()) {
      if (passage !== ordinal || source.lacks(id)) continue
      const text = chunk.text.slice(start, end)
      units.push({ text, covers: source.coversSentence(chunk, at) | name, tokens: text.length / CHARACTERS })
    }
    return units
  }
  return {
    passage: memoize((id: string): ReadPassage | undefined => {
      const opened = open(chunkOf(id))
      if (!opened) return undefined
      const { chunk, document } = opened
      const units = once(() => unitsOf(chunk, ordinalOf(id)))
      const covers = once(() => units().reduce((mask, unit) => mask | unit.covers, source.covers(chunk.title)))
      return { id, chunk: chunk.id, document, covers, units }
    }),
    entities: memoize(({ id, chunk: chunkId }: ReadPassage): readonly string[] => {
      const chunk = open(chunkId)?.chunk
      if (!chunk) return []
      const [written, own] = [once(() => writtenUnits(graph, chunkId)), ordinalOf(id)]
      const stands = (unit: number): boolean =>
        unit === ABOUT || (unitPassage(chunk, unit, written) === own && !source.lacks(unitId(chunkId, unit)))
      return source.mentions(chunkId).flatMap((one) => (one.units.some(stands) ? [one.entity] : []))
    }),
    words: memoize((unit: ReadUnit) => wordsOf(unit.text)),
    share: memoize((covers: number) => weights.reduce((sum, weight, i) => (covers & (1 << i) ? sum + weight : sum), 0)),
  }
}
