/**
 * Units with respect to a question: which of its terms they cover, which entities they lead to. One reading of the graph for one question: every chunk is
 * read and every unit analysed at most once, and no more than `chunks` and `units` of them.
 */
import { ABOUT, mentionedIn } from '../builders/mention-list'
import { memoize } from '../builders/said-names'
import { unitPassage } from '../builders/units'
import type { GraphReader, MentionedIn } from '../graph/reader'
import type { Chunk, Edge, Hit, Stemmed } from '../graph/types'
import { chunkOf, ordinalOf, unitId } from '../ids'
import { termCover } from '../text/term-cover'
import { type Clue, Opened, type Reading, UnitClue } from './clue'
import type { Weighted } from './lexical'

export const clueLimits = {
  degree: 256, // mentions read of one entity; of a name in more chunks only these are known
  perEntity: 12, // chunks opened for one entity, unless the caller wants fewer: those the keyword channel ranks best, then the heaviest mentions
  chunks: 240, // chunks opened for one question; bounds the time of a walk
  units: 1500, // units analysed for one question: chunks of long documents have fifty each
} as const

export interface ClueOptions {
  /** A unit knows its document's name: in its text, and as an entity. */
  readonly titles: boolean
  readonly admits?: (chunk: string) => boolean
  /** Units are compared with the question by vector. */
  readonly vectors?: boolean
  /** Units to skip, as if they did not exist. */
  readonly lacks?: (unit: string) => boolean
  /** Chunks opened for one entity. */
  readonly perEntity?: number
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
  /** The same of one of a chunk's sentences, which is looked at once. */
  coversSentence(chunk: Chunk, ordinal: number): number
  /** Is a unit skipped, as if it did not exist? */
  lacks(unit: string): boolean
  /** What a chunk mentions. */
  mentions(chunk: string): readonly MentionedIn[]
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
  const sentences = memoize((_: Chunk): (number | undefined)[] => [])
  const coversSentence = (chunk: Chunk, ordinal: number): number => {
    const known = sentences(chunk)
    const mask = known[ordinal] ?? cover(chunk.text.slice(chunk.units[ordinal]?.start, chunk.units[ordinal]?.end))
    known[ordinal] = mask
    return mask
  }
  const covers = (text: string, language?: Stemmed): number => (language === undefined ? common(text) : cover(text, language))
  const reading: Reading = { graph, titles: options.titles, covers, coversSentence }
  const chunks = new Map<string, Opened | undefined>()
  let known = 0
  const mentions = memoize((chunk: string): readonly MentionedIn[] => mentionedIn(graph, chunk))

  const read = (id: string): Opened | undefined => {
    const chunk = chunks.size < clueLimits.chunks && (options.admits?.(id) ?? true) ? graph.chunk(id) : undefined
    return chunk && new Opened(graph, chunk, () => mentions(id))
  }
  const open = (id: string): Opened | undefined => {
    const held = chunks.get(id)
    if (held || chunks.has(id)) return held
    const opened = read(id)
    chunks.set(id, opened)
    return opened
  }
  const clue = (of: Opened, ordinal: number): UnitClue[] => {
    const seen = of.clues[ordinal]
    if (seen) return [seen]
    if (known >= clueLimits.units || options.lacks?.(unitId(of.chunk.id, ordinal))) return []
    const passage = unitPassage(of.chunk, ordinal, of.written)
    if (passage === undefined) return []
    const made = new UnitClue(reading, of, ordinal, passage)
    of.clues[ordinal] = made
    known++
    return [made]
  }
  const most = options.perEntity ?? clueLimits.perEntity
  /** The heaviest mentions, but first those in chunks that the question likes. */
  const mentionsTo = memoize((entity: string): readonly Edge[] => {
    const edges = graph.edgesTo('mentions', entity, clueLimits.degree)
    if (edges.length <= most) return edges
    const rank = ({ source }: Edge): number => liked.get(source) ?? 0
    const first = edges.filter((edge) => rank(edge) > 0).sort((a, b) => rank(b) - rank(a))
    if (first.length < most) first.push(...edges.filter((edge) => rank(edge) <= 0).slice(0, most))
    return first.slice(0, most)
  })
  const isAbout = (edge: Edge): boolean => options.titles && ((edge.data ?? []) as readonly number[]).includes(ABOUT)
  const mentioning = (entity: string): readonly Clue[] =>
    mentionsTo(entity).flatMap((edge) => {
      const of = open(edge.source)
      if (!of) return []
      const chosen = isAbout(edge) ? of.stands() : ((edge.data ?? []) as readonly number[]).filter((ordinal) => ordinal !== ABOUT)
      return chosen.flatMap((ordinal) => clue(of, ordinal))
    })
  const asked = new Map<string, readonly Clue[]>()
  const entities = ({ chunk, ordinal }: Clue): readonly string[] =>
    mentions(chunk)
      .filter((entry) => entry.units.includes(ordinal) || (options.titles && entry.units[0] === ABOUT))
      .map((entry) => entry.entity)
  return {
    of(entity) {
      const held = asked.get(entity) ?? mentioning(entity)
      asked.set(entity, held)
      return held
    },
    in(passage) {
      const of = open(chunkOf(passage))
      if (!of) return []
      const at = ordinalOf(passage)
      const held = of.byPassage.get(at)
      if (held) return held
      const found = of
        .stands()
        .filter((ordinal) => unitPassage(of.chunk, ordinal, of.written) === at)
        .flatMap((ordinal) => clue(of, ordinal))
      if (known < clueLimits.units) of.byPassage.set(at, found)
      return found
    },
    at(id, ordinal) {
      const of = open(id)
      return of ? clue(of, ordinal) : []
    },
    entities(one) {
      if (!(one instanceof UnitClue)) return entities(one)
      one.entities ??= entities(one)
      return one.entities
    },
    covers: common,
    coversSentence,
    lacks: (unit) => options.lacks?.(unit) ?? false,
    mentions,
    expect({ chunks: own = [], entities = [] }) {
      if (!graph.preload) return
      const unread = entities.filter((entity) => !asked.has(entity))
      graph.preload({ incident: [{ kind: 'mentions', end: 'target', ids: unread }] })
      const edges = unread.flatMap(mentionsTo)
      const wanted = [...new Set([...own, ...edges.map((edge) => edge.source)])]
      const unopened = wanted.filter((id) => !chunks.has(id) && (options.admits?.(id) ?? true))
      const opened = unopened.slice(0, Math.max(0, clueLimits.chunks - chunks.size))
      const listed = [...own, ...edges.filter(isAbout).map((edge) => edge.source)]
      graph.preload({ chunks: opened, vectors: { units: options.vectors ? opened : [] }, mentioned: listed })
    },
  }
}
