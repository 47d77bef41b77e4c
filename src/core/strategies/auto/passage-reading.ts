/**
 * Passages as a question sees them: which of its terms each says, sentence by sentence, and which entities stand in it. A chunk is read at most once
 * for a question, and only when a passage of it is asked for.
 */
import { ABOUT, type Mentioned, mentionsOf } from '../../builders/mention-list'
import { memoize } from '../../builders/said-names'
import { unitAt, writtenUnits } from '../../builders/units'
import type { Weighted } from '../../channels/lexical'
import type { GraphReader } from '../../graph/reader'
import type { Chunk } from '../../graph/types'
import { chunkOf, ordinalOf } from '../../ids'
import { type Word, wordsOf } from '../../text/occurrences'
import { termCover } from '../../text/term-cover'

const CHARACTERS = 4.5 // of a token of English, near enough for what a sentence costs

export interface ReadUnit {
  readonly text: string
  /** One bit per term of the question, those of the document's name included: a sentence that only says "it" is still about something. */
  readonly covers: number
  readonly tokens: number
}

export interface ReadPassage {
  readonly id: string
  readonly chunk: string
  readonly document: string
  /** As of a unit, the title included. */
  readonly covers: number
  readonly units: readonly ReadUnit[]
}

export interface PassageReading {
  /** None where it is gone or may not be seen. */
  passage(id: string): ReadPassage | undefined
  /** Entities that a passage mentions, and that of its document's name. */
  entities(passage: ReadPassage): readonly string[]
  /** The words of a sentence, as names are looked for in it. */
  words(unit: ReadUnit): readonly Word[]
  /** Share of the question, by rarity, that these terms are. */
  share(covers: number): number
}

interface Opened {
  readonly chunk: Chunk
  readonly document: string
  readonly name: number
  readonly title: number
}

export function passageReading(
  graph: GraphReader,
  question: readonly Weighted[],
  admits: ((chunk: string) => boolean) | undefined,
): PassageReading {
  const total = question.reduce((sum, one) => sum + one.idf, 0) || 1
  const weights = question.map((one) => one.idf / total)
  const coveredBy = termCover(question.map((one) => one.term))
  const open = memoize((id: string): Opened | undefined => {
    const chunk = admits?.(id) === false ? undefined : graph.chunk(id)
    const document = graph.placements(id)[0]?.document
    return chunk && document !== undefined ? { chunk, document, name: coveredBy(chunk.name), title: coveredBy(chunk.title) } : undefined
  })
  const mentions = memoize((chunk: string): readonly Mentioned[] => mentionsOf(graph, chunk))
  return {
    passage: memoize((id: string): ReadPassage | undefined => {
      const opened = open(chunkOf(id))
      if (!opened) return undefined
      const { chunk, document, name, title } = opened
      const own = chunk.units.filter((unit) => unit.passage === ordinalOf(id))
      const units = own.map((unit): ReadUnit => {
        const text = chunk.text.slice(unit.start, unit.end)
        return { text, covers: coveredBy(text) | name, tokens: text.length / CHARACTERS }
      })
      return { id, chunk: chunk.id, document, covers: units.reduce((mask, unit) => mask | unit.covers, title), units }
    }),
    entities: memoize(({ id, chunk: chunkId }: ReadPassage): readonly string[] => {
      const chunk = open(chunkId)?.chunk
      if (!chunk) return []
      const passageOf = memoize((ordinal: number) => unitAt(chunk, ordinal, () => writtenUnits(graph, chunk.id))?.passage)
      const stands = (unit: number): boolean => unit === ABOUT || passageOf(unit) === ordinalOf(id)
      return mentions(chunkId).flatMap((one) => (one.units.some(stands) ? [one.entity] : []))
    }),
    words: memoize((unit: ReadUnit) => wordsOf(unit.text)),
    share: memoize((covers: number) => weights.reduce((sum, weight, i) => (covers & (1 << i) ? sum + weight : sum), 0)),
  }
}
