/** A unit as a question looks at it: which of its terms it covers, where it stands. Nothing is read or computed before it is asked for. */
import { unitAt, unitVector, type WrittenUnit, writtenUnits } from '../builders/units'
import type { GraphReader, MentionedIn } from '../graph/reader'
import type { Chunk, Stemmed, Vector } from '../graph/types'
import { passageId, unitId } from '../ids'
import { countTokens } from '../text/tokens'

export interface Clue {
  readonly id: string
  readonly chunk: string
  readonly ordinal: number
  readonly passage: string
  /** With the document's name in front: a sentence that only says "it" is still about something. */
  readonly text: string
  tokens(): number
  /** One bit per term of the question. */
  covers(): number
  vector(): Vector | undefined
}

/** A chunk that has been opened, with what has been found out about it. */
export class Opened {
  readonly clues: (UnitClue | undefined)[] = []
  readonly byPassage = new Map<number, readonly Clue[]>()
  readonly written: () => readonly WrittenUnit[]
  /** Ordinals of the units it stands for: the model's where there are any, else its sentences. */
  readonly stands: () => readonly number[]

  constructor(
    graph: GraphReader,
    readonly chunk: Chunk,
    mentioned: () => readonly MentionedIn[],
  ) {
    const sentences = chunk.units.length
    this.written = once(() => writtenUnits(graph, chunk.id))
    this.stands = once(() => {
      const isWritten = mentioned().some((entry) => (entry.units[entry.units.length - 1] ?? 0) >= sentences)
      return isWritten ? this.written().map((_, i) => sentences + i) : chunk.units.map((_, ordinal) => ordinal)
    })
  }
}

/** What the units of one reading share. */
export interface Reading {
  readonly graph: GraphReader
  readonly titles: boolean
  readonly covers: (text: string, language?: Stemmed) => number
  readonly coversSentence: (chunk: Chunk, ordinal: number) => number
}

/** The tokens of a chunk's sentences as far as they have been counted, by any question, for as long as the chunk is remembered. */
const counts = new WeakMap<Chunk, number[]>()

/** Only what a scorer requests is computed, once. */
export class UnitClue implements Clue {
  readonly id: string
  readonly passage: string
  entities: readonly string[] | undefined
  readonly #of: Opened
  readonly #reading: Reading
  #tokens = -1
  #covers: number | undefined
  #vector: { readonly value: Vector | undefined } | undefined

  constructor(
    reading: Reading,
    of: Opened,
    readonly ordinal: number,
    passage: number,
  ) {
    const { chunk } = of
    this.#reading = reading
    this.#of = of
    this.id = chunk.units[ordinal]?.id ?? unitId(chunk.id, ordinal)
    this.passage = chunk.passages[passage]?.id ?? passageId(chunk.id, passage)
  }

  get chunk(): string {
    return this.#of.chunk.id
  }

  get text(): string {
    const { chunk } = this.#of
    return this.#reading.titles && chunk.name ? `${chunk.name}: ${this.#own()}` : this.#own()
  }

  tokens(): number {
    if (this.#tokens < 0) this.#tokens = this.#counted()
    return this.#tokens
  }

  covers(): number {
    this.#covers ??= this.#covered()
    return this.#covers
  }

  vector(): Vector | undefined {
    this.#vector ??= { value: unitVector(this.#reading.graph, this.#of.chunk, this.ordinal) }
    return this.#vector.value
  }

  #counted(): number {
    const { chunk } = this.#of
    if (this.ordinal >= chunk.units.length) return countTokens(this.#own())
    const known = counts.get(chunk) ?? []
    if (known.length === 0) counts.set(chunk, known)
    const count = known[this.ordinal] ?? countTokens(this.#own())
    known[this.ordinal] = count
    return count
  }

  #own(): string {
    return unitAt(this.#of.chunk, this.ordinal, this.#of.written)?.text ?? ''
  }

  #covered(): number {
    const { chunk } = this.#of
    const { covers, coversSentence, titles } = this.#reading
    const isSentence = this.ordinal < chunk.units.length && chunk.language === undefined
    const own = isSentence ? coversSentence(chunk, this.ordinal) : covers(this.#own(), chunk.language)
    return own | covers(titles ? chunk.name : '', chunk.language)
  }
}

/** Computed when first requested. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
