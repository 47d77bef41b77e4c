/**
 * What models said about entities: name, type, merged description, and what relates one to others, in the models' words. Descriptions are merged without a
 * model: each once, none that another contains, those of the chunks that the question's words rank best first, as far as there is room. Only chunks that
 * the asker may read and the filter admits are used, so everything is read again for each question and nothing is cached.
 */
import { KNOWLEDGE, type Knowledge, type Related, unpackedKnowledge } from '../builders/knowledge-row'
import { ABOUT } from '../builders/mention-list'
import type { Bearing } from '../builders/relations'
import type { GraphReader } from '../graph/reader'
import type { Edge } from '../graph/types'
import { passageId } from '../ids'
import type { Query } from '../strategy'
import { fold } from '../text/terms'
import { countTokens } from '../text/tokens'

const limits = {
  chunks: 8, // whose descriptions are read, those the words of the question rank best
  bearings: 2, // chunks read for what relates two entities, those that state it most strongly
  tokens: 75, // of a merged description: what a card of a frequent name may take of a small context
} as const

/** What a model said, and the passage that names what it is about. */
export interface Statement {
  readonly text: string
  readonly tokens: number
  readonly passage: string
}

export interface Described {
  /** Name, and type where there is one. */
  readonly head: string
  readonly statements: readonly Statement[]
  /** One that names it. */
  readonly passage: string
}

/** One reading of what models said, for one question: each chunk's row is read once. */
export class Readings {
  readonly #graph: GraphReader
  readonly #admits: (chunk: string) => boolean
  readonly #known = new Map<string, Knowledge | undefined>()

  constructor({ graph, query }: { readonly graph: GraphReader; readonly query: Pick<Query, 'admits'> }) {
    this.#graph = graph
    this.#admits = (chunk) => query.admits?.(chunk) !== false
  }

  /** Undefined if no model has described the entity in what may be read. `liked` ranks chunks. */
  describe(entity: string, liked: ReadonlyMap<string, number>, mentions: readonly Edge[]): Described | undefined {
    const order = [...mentions].sort((a, b) => (liked.get(b.source) ?? 0) - (liked.get(a.source) ?? 0)).slice(0, limits.chunks)
    this.#read(order.map((edge) => edge.source))
    const types: string[] = []
    const said: Omit<Statement, 'tokens'>[] = []
    for (const edge of order) {
      const one = this.#known.get(edge.source)?.entities.find((described) => described.entity === entity)
      if (one?.type) types.push(one.type)
      if (one?.description) said.push({ text: one.description, passage: this.#passageOf(edge) })
    }
    if (types.length + said.length === 0) return undefined
    const name = this.#graph.node(entity)?.text ?? ''
    const type = commonest(types)
    const [first] = order
    return { head: type === '' ? name : `${name} (${type})`, statements: merged(said), passage: first ? this.#passageOf(first) : '' }
  }

  /** How a model says that two entities are related, if one does: in the words of the chunk that states it most strongly. */
  relate(edge: Edge, said: readonly Bearing[]): string | undefined {
    const strongest = [...said].sort((a, b) => b.strength - a.strength).slice(0, limits.bearings)
    this.#read(strongest.map((one) => one.chunk))
    const isThis = (one: Related): boolean => one.source === edge.source && one.target === edge.target && one.description !== ''
    for (const { chunk } of strongest) {
      const found = this.#known.get(chunk)?.relations.find(isThis)
      if (found) return found.description
    }
    return undefined
  }

  #read(chunks: readonly string[]): void {
    const fresh = chunks.filter((chunk) => !this.#known.has(chunk))
    const rows = this.#graph.valuesOf(KNOWLEDGE, fresh)
    fresh.forEach((chunk, i) => {
      const knowledge = this.#admits(chunk) ? unpackedKnowledge(rows[i]) : undefined
      this.#known.set(chunk, knowledge?.by === 'model' ? knowledge : undefined)
    })
  }

  #passageOf({ source, data }: Edge): string {
    const unit = (Array.isArray(data) ? (data as readonly number[]) : []).find((ordinal) => ordinal !== ABOUT) ?? -1
    return passageId(source, this.#graph.chunk(source)?.units[unit]?.passage ?? 0)
  }
}

/** Each once, and as far as they fit: the first always does. */
export function merged(said: readonly Omit<Statement, 'tokens'>[], room: number = limits.tokens): readonly Statement[] {
  const folded = said.map((one) => fold(one.text))
  const isContained = (i: number): boolean =>
    folded.some((other, j) => j !== i && other.includes(folded[i] ?? '') && (other.length > (folded[i]?.length ?? 0) || j < i))
  const kept: Statement[] = []
  let left = room
  for (const [i, { text, passage }] of said.entries()) {
    if (left <= 0) break
    if (isContained(i)) continue
    const tokens = countTokens(text)
    if (kept.length > 0 && tokens > left) continue
    left -= tokens
    kept.push({ text, tokens, passage })
  }
  return kept
}

/** Among equally common ones, the first by code unit. */
function commonest(types: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? ''
}
