/**
 * The passages of documents that an overview is made of: of each the one it begins with, then those that say most of what it says often; of a comparison,
 * what both sides speak of; of what documents have in common, what most of them say. Documents beyond the room are chosen for what they add to one another.
 * Of a long document so many chunks are read, evenly.
 */
import type { GraphReader } from '../../graph/reader'
import type { DocumentRecord } from '../../graph/types'
import { mostSaid, type Piece, saidBy, type WeightOf, weightBy } from '../../reader/overview/most-said'
import type { OverviewKind } from '../../reader/overview/question'
import type { Query } from '../../strategy'
import { entities } from '../../text/entities'
import { distinct, terms } from '../../text/terms'
import { evenly } from './documents'

const limits = {
  chunks: 64, // read for one question beside the first of each document, shared out among those shown
  each: 24, // of one document
} as const
const BEGINS = 1.5 // the first passage beside another that says as much
const NAMED = 1.5 // a word of a name that several passages say

interface Read extends Piece {
  readonly id: string
}

interface Document {
  readonly id: string
  readonly passages: readonly Read[]
}

export interface Choice {
  readonly kind: OverviewKind
  readonly sides: readonly (readonly DocumentRecord[])[]
  /** Passages wanted. */
  readonly count: number
  /** Of one document at most. */
  readonly perDocument: number
}

export interface Chosen {
  /** Passages, round by round: one of each document, then the next. */
  readonly passages: readonly string[]
  /** In the order of the sides. */
  readonly documents: readonly string[]
  /** Names that several documents say, those in most first; of one document, several passages. */
  readonly names: readonly string[]
}

export function choosePassages(graph: GraphReader, query: Query, { kind, sides, count, perDocument }: Choice): Chosen {
  const room = Math.max(1, Math.floor(count / Math.max(1, sides.length)))
  const shown = sides.map((side) => shownOf(graph, query, side, room))
  const documents = shown.flat()
  const chunks = Math.max(1, Math.min(limits.each, Math.floor(limits.chunks / Math.max(1, documents.length))))
  const read = shown.map((side) => side.map((one) => ({ id: one.id, passages: passagesOf(graph, query, one, chunks) })))
  const names = frequentNames(graph, read.flat())
  const weights = weightsFor(kind, read, new Set(names.flatMap((name) => terms(name))))
  const chosen = read.map((side, i) => {
    const each = Math.max(1, Math.min(perDocument, Math.floor(room / Math.max(1, side.length))))
    return side.map((one) =>
      mostSaid(one.passages, each, weights(i, one), one.passages.length > 0 ? [0] : []).map((at) => one.passages[at]?.id ?? ''),
    )
  })
  return { passages: rounds(chosen.flat()), documents: documents.map((one) => one.id), names }
}

/** Those that together say most of what several begin with. */
function shownOf(graph: GraphReader, query: Query, side: readonly DocumentRecord[], room: number): readonly DocumentRecord[] {
  if (side.length <= room) return side
  const begins = side.map((one) => ({
    words: distinct(passagesOf(graph, query, one, 1).flatMap((passage) => [...passage.words])),
    prior: 1,
  }))
  return mostSaid(begins, room, weightBy(saidBy(begins)))
    .sort((a, b) => a - b)
    .flatMap((at) => side[at] ?? [])
}

function passagesOf(graph: GraphReader, { admits }: Query, { chunks }: DocumentRecord, count: number): Read[] {
  return evenly(chunks, count)
    .filter(({ chunk }) => !admits || admits(chunk))
    .flatMap(({ chunk }, at) => {
      const found = graph.chunk(chunk)
      return (found?.passages ?? []).map(({ id, start, end }, i) => ({
        id,
        words: distinct(terms(found?.text.slice(start, end) ?? '', found?.language)),
        prior: at === 0 && i === 0 ? BEGINS : 1,
      }))
    })
}

/** By the side, and the document in it. */
function weightsFor(kind: OverviewKind, sides: readonly (readonly Document[])[], names: ReadonlySet<string>) {
  const ofSide = sides.map((side) => saidBy(side.flatMap((one) => one.passages)))
  const ofDocuments = saidBy(sides.flat().map(({ passages }) => ({ words: distinct(passages.flatMap(({ words }) => [...words])) })))
  return (side: number, { passages }: Document): WeightOf => {
    const own = weightBy(saidBy(passages))
    return (word) => {
      const named = names.has(word) ? NAMED : 1
      if (kind === 'common') return named * ((ofDocuments.get(word) ?? 0) - 1)
      if (kind === 'comparison') return named * own(word) * (ofSide.some((words, i) => i !== side && words.has(word)) ? 2 : 1)
      return named * own(word)
    }
  }
}

const NAMES = 8

function frequentNames(graph: GraphReader, documents: readonly Document[]): string[] {
  const counts = new Map<string, { readonly surface: string; count: number }>()
  for (const { passages } of documents) {
    const texts = passages.map(({ id }) => graph.text(id)?.text ?? '')
    const pieces = documents.length > 1 ? [texts.join('\n')] : texts
    for (const piece of pieces) {
      const said = entities(piece).filter((one) => one.type !== 'date')
      for (const { key, surface } of new Map(said.map((one) => [one.key, one])).values()) {
        const known = counts.get(key) ?? { surface, count: 0 }
        known.count++
        counts.set(key, known)
      }
    }
  }
  return [...counts.values()]
    .filter((one) => one.count > 1)
    .sort((a, b) => b.count - a.count || (a.surface < b.surface ? -1 : 1))
    .slice(0, NAMES)
    .map((one) => one.surface)
}

function rounds(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return distinct(Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat())
}
