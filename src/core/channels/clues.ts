/**
 * Units with respect to a question: which of its terms they cover, which entities they lead to. One reading of the graph for one question: every chunk is
 * read and every unit analysed at most once, and no more than `chunks` and `units` of them.
 */
import { ABOUT, MENTIONS, type Mentioned, mentionsOf } from '../builders/mention-list'
import { memoize } from '../builders/said-names'
import { unitAt, unitPassage, unitVector, writtenUnits } from '../builders/units'
import type { GraphReader } from '../graph/reader'
import type { Chunk, Edge, Hit, Stemmed, Vector } from '../graph/types'
import { chunkOf, ordinalOf, passageId, unitId } from '../ids'
import { termCover } from '../text/term-cover'
import { countTokens } from '../text/tokens'
import type { Weighted } from './lexical'

export const clueLimits = {
  degree: 256, // mentions read of one entity; of a name in more chunks only these are known
  perEntity: 12, // chunks opened for one entity: those the keyword channel ranks best, then the heaviest mentions
  chunks: 240, // chunks opened for one question; bounds the time of a walk
  units: 1500, // units analysed for one question: chunks of long documents have fifty each
} as const

export interface Clue {
  readonly id: string
  readonly chunk: string
  readonly ordinal: number
  readonly passage: string
  /** With the document's name in front: a sentence that only says "it" is still about something. */
  readonly text: string
  readonly tokens: () => number
  /** One bit per term of the question. */
  readonly covers: () => number
  readonly vector: () => Vector | undefined
}

export interface ClueOptions {
  /** A unit knows its document's name: in its text, and as an entity. */
  readonly titles: boolean
  readonly admits?: (chunk: string) => boolean
  /** Units are compared with the question by vector. */
  readonly vectors?: boolean
  /** Units to skip, as if they did not exist. */
  readonly lacks?: (unit: string) => boolean
}

export interface Clues {
  /** Units that mention the entity, in total order. */
  of(entity: string): readonly Clue[]
  /** Units of a passage. */
  in(passage: string): readonly Clue[]
  /** One unit by its chunk and ordinal; none where it is gone or may not be seen. */
  at(chunk: string, ordinal: number): readonly Clue[]
  /** Entities a unit leads on to. */
  entities(clue: Clue): readonly string[]
  /** Which of the question's terms a text says, one bit each; a text is looked at once. */
  covers(text: string): number
  /** Is a unit skipped, as if it did not exist? */
  lacks(unit: string): boolean
  /** What a chunk mentions. */
  mentions(chunk: string): readonly Mentioned[]
  /** A hint: units of these chunks will be asked for, and those that mention these entities. */
  expect(of: { readonly chunks?: readonly string[]; readonly entities?: readonly string[] }): void
}

/** Of each chunk, the score of its best passage. */
export function bestByChunk(passages: readonly Hit[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>()
  for (const { id, score } of passages) best.set(chunkOf(id), Math.max(score, best.get(chunkOf(id)) ?? 0))
  return best
}

/** `liked` ranks chunks for an entity with more mentions than can be read: scores of the keyword channel by chunk. */
export function clues(graph: GraphReader, question: readonly Weighted[], liked: ReadonlyMap<string, number>, options: ClueOptions): Clues {
  const cover = termCover(question.map((one) => one.term))
  const common = memoize((text: string) => cover(text))
  const coveredBy = (text: string, language?: Stemmed): number => (language === undefined ? common(text) : cover(text, language))
  const chunks = new Map<string, Chunk | undefined>()
  const known = new Map<string, Clue>()
  const mentions = memoize((chunk: string): readonly Mentioned[] => mentionsOf(graph, chunk))

  const open = (id: string): Chunk | undefined => {
    if (!chunks.has(id)) chunks.set(id, chunks.size < clueLimits.chunks && (options.admits?.(id) ?? true) ? graph.chunk(id) : undefined)
    return chunks.get(id)
  }
  const clue = (chunk: Chunk, ordinal: number): Clue[] => {
    const id = unitId(chunk.id, ordinal)
    const seen = known.get(id)
    if (seen) return [seen]
    if (known.size >= clueLimits.units || options.lacks?.(id)) return []
    const unit = unitAt(chunk, ordinal, () => writtenUnits(graph, chunk.id))
    if (!unit) return []
    const name = options.titles ? chunk.name : ''
    const made: Clue = {
      id,
      chunk: chunk.id,
      ordinal,
      passage: passageId(chunk.id, unit.passage),
      text: name ? `${name}: ${unit.text}` : unit.text,
      // Only what a scorer requests is computed, once.
      tokens: once(() => countTokens(unit.text)),
      covers: once(() => coveredBy(unit.text, chunk.language) | coveredBy(name, chunk.language)),
      vector: once(() => unitVector(graph, chunk, ordinal)),
    }
    known.set(id, made)
    return [made]
  }
  const rank = (chunk: string): number => liked.get(chunk) ?? 0
  const mentionsTo = (entity: string): readonly Edge[] => {
    const edges = graph.edgesTo('mentions', entity, clueLimits.degree)
    const order = edges.length > clueLimits.perEntity ? [...edges].sort((a, b) => rank(b.source) - rank(a.source)) : edges
    return order.slice(0, clueLimits.perEntity)
  }
  const mentioning = (entity: string): readonly Clue[] => {
    return mentionsTo(entity).flatMap((edge) => {
      const chunk = open(edge.source)
      if (!chunk) return []
      const ordinals = (edge.data ?? []) as readonly number[]
      const about = options.titles && ordinals.includes(ABOUT)
      const chosen = about ? all(graph, chunk, mentions(chunk.id)) : ordinals.filter((ordinal) => ordinal !== ABOUT)
      return chosen.flatMap((ordinal) => clue(chunk, ordinal))
    })
  }
  const asked = new Map<string, readonly Clue[]>()
  return {
    of(entity) {
      const held = asked.get(entity) ?? mentioning(entity)
      asked.set(entity, held)
      return held
    },
    in(passage) {
      const chunk = open(chunkOf(passage))
      if (!chunk) return []
      const at = ordinalOf(passage)
      return all(graph, chunk, mentions(chunk.id))
        .filter((ordinal) => unitPassage(chunk, ordinal, () => writtenUnits(graph, chunk.id)) === at)
        .flatMap((ordinal) => clue(chunk, ordinal))
    },
    at(id, ordinal) {
      const chunk = open(id)
      return chunk ? clue(chunk, ordinal) : []
    },
    entities(one) {
      return mentions(one.chunk)
        .filter((entry) => entry.units.includes(one.ordinal) || (options.titles && entry.units[0] === ABOUT))
        .map((entry) => entry.entity)
    },
    covers: common,
    lacks: (unit) => options.lacks?.(unit) ?? false,
    mentions,
    expect({ chunks: own = [], entities = [] }) {
      if (!graph.preload) return
      const unread = entities.filter((entity) => !asked.has(entity))
      graph.preload({ incident: [{ kind: 'mentions', end: 'target', ids: unread }] })
      const wanted = [...new Set([...own, ...unread.flatMap((entity) => mentionsTo(entity).map((edge) => edge.source))])]
      const unopened = wanted.filter((id) => !chunks.has(id) && (options.admits?.(id) ?? true))
      const opened = unopened.slice(0, Math.max(0, clueLimits.chunks - chunks.size))
      graph.preload({ chunks: opened, vectors: { units: options.vectors ? opened : [] }, values: [{ space: MENTIONS, keys: own }] })
    },
  }
}

/** Ordinals of the units a chunk stands for: the model's where there are any, else its sentences. */
function all(graph: GraphReader, chunk: Chunk, mentioned: readonly Mentioned[]): readonly number[] {
  const sentences = chunk.units.length
  const written = mentioned.some((entry) => (entry.units[entry.units.length - 1] ?? 0) >= sentences)
  if (!written) return chunk.units.map((_, ordinal) => ordinal)
  return writtenUnits(graph, chunk.id).map((_, i) => sentences + i)
}

/** Computed when first requested. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
