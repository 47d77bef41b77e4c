/**
 * What one chunk contributes to the knowledge graph: entities as a model describes them, and relations, each with the unit that supports it. Either read by
 * a model (extracted-knowledge.ts) or, without one, from the units: two entities named in one sentence are related, and the sentence says how. One packed
 * value per chunk, so that deleting a chunk removes exactly what it added.
 */
import type { GraphReader } from '../graph/reader'
import type { Json, Value } from '../graph/types'
import { ABOUT, type Mentioned } from './mention-list'

export const KNOWLEDGE = 'knowledge' // space; key = chunk id
export const knowledgeLimits = {
  pairs: 16, // relations of a chunk without a model: the pairs most often together
  relations: 32, // relations of a chunk from a model, strongest first
  entities: 48, // described entities of a chunk
  strangers: 16, // entities of a chunk that only the model found: a mention each
  description: 240, // characters of a description kept on an edge
  facts: 480, // characters of statements added to a description
} as const

export interface Described {
  readonly entity: string
  readonly type: string
  readonly description: string
  /** Of no type of the ontology. */
  readonly outside?: true
}

export interface Related {
  readonly source: string
  readonly target: string
  /** The model's words; empty if the unit itself is the description. */
  readonly description: string
  readonly strength: number
  /** Ordinal of the unit that names both, or the one that comes nearest to it. */
  readonly unit: number
  /** Of the ontology's kinds, and which end is its subject; null: of none of them; absent: there are none. */
  readonly kind?: RelationKind | null
}

export interface RelationKind {
  readonly name: string
  readonly subject: string
}

/** Relations of a reply that are kept in no form, by the reason. */
export interface Dropped {
  /** Neither end occurs in the chunk, or the words of one do not. */
  readonly absent: number
  /** The description of the entity it is about is full, or there are too many described. */
  readonly room: number
}

export interface Knowledge {
  /** brought: it came with the document · unusable: a model was asked and gave nothing, so the units speak. */
  readonly by: 'model' | 'brought' | 'units' | 'unusable'
  readonly entities: readonly Described[]
  readonly relations: readonly Related[]
  /** Absent: none. */
  readonly dropped?: Dropped
}

export function packedKnowledge({ by, entities, relations, dropped }: Knowledge): Json {
  const told = entities.map((one) => [one.entity, one.type, one.description, ...(one.outside ? [1] : [])])
  const related = relations.map((one) => [one.source, one.target, one.description, one.strength, one.unit, ...packedKind(one)])
  return [by, told, related, ...(dropped ? [[dropped.absent, dropped.room]] : [])]
}

function packedKind({ kind }: Related): Json[] {
  return kind === undefined ? [] : [kind === null ? null : [kind.name, kind.subject]]
}

/** Entities it describes. */
export function entitiesOf({ entities, relations }: Knowledge): readonly string[] {
  return [...entities.map((one) => one.entity), ...relations.flatMap((one) => [one.source, one.target])]
}

export function knowledgeOf(graph: GraphReader, chunk: string): Knowledge | undefined {
  return unpackedKnowledge(graph.value(KNOWLEDGE, chunk))
}

/** What a model said about one entity in a chunk. */
export function descriptionIn(graph: GraphReader, chunk: string, entity: string): string | undefined {
  const value = graph.value(KNOWLEDGE, chunk) as readonly [string, readonly (readonly [string, string, string])[]] | undefined
  return value?.[1].find(([described]) => described === entity)?.[2]
}

/** Believed to be what `packedKnowledge` made. */
export function unpackedKnowledge(value: Value | undefined): Knowledge | undefined {
  if (!Array.isArray(value)) return undefined
  const [by, told, related, dropped] = value as unknown as [
    Knowledge['by'],
    [string, string, string, 1?][],
    [string, string, string, number, number, ([string, string] | null)?][],
    [number, number]?,
  ]
  return {
    by,
    entities: told.map(([entity, type, description, outside]) => ({ entity, type, description, ...(outside ? { outside: true } : {}) })),
    relations: related.map(([source, target, description, strength, unit, kind]) => ({
      source,
      target,
      description,
      strength,
      unit,
      ...(kind === undefined ? {} : { kind: kind && { name: kind[0], subject: kind[1] } }),
    })),
    ...(dropped ? { dropped: { absent: dropped[0], room: dropped[1] } } : {}),
  }
}

/** Without a model: entities that share units, the document's own name being in all of them. */
export function fromUnits(mentioned: readonly Mentioned[], by: 'units' | 'unusable'): Knowledge {
  return { by, entities: [], relations: relatedByUnits(mentioned, []) }
}

/** Relations of some names with each other and with others, by the units that they share. */
export function relatedByUnits(mentioned: readonly Mentioned[], others: readonly Mentioned[]): readonly Related[] {
  const relations = mentioned.flatMap((a, i) =>
    [...mentioned.slice(i + 1), ...others].flatMap((b): Related[] => {
      const shared = unitsTogether(a, b)
      if (shared.length === 0 || isNested(a.key, b.key)) return []
      const [source, target] = a.entity < b.entity ? [a.entity, b.entity] : [b.entity, a.entity]
      return [{ source, target, description: '', strength: shared.length, unit: shared[0] ?? 0 }]
    }),
  )
  return byStrength(relations).slice(0, knowledgeLimits.pairs)
}

function unitsTogether(a: Mentioned, b: Mentioned): readonly number[] {
  const said = (one: Mentioned): readonly number[] => one.units.filter((unit) => unit !== ABOUT)
  if (a.units[0] === ABOUT) return said(b)
  if (b.units[0] === ABOUT) return said(a)
  const other = new Set(said(b))
  return said(a).filter((unit) => other.has(unit))
}

/** "Oslo" is in every "University of Oslo": that relates nothing. */
function isNested(a: string, b: string): boolean {
  return ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)
}

export function byStrength(relations: readonly Related[]): readonly Related[] {
  const order = (a: Related, b: Related): number =>
    b.strength - a.strength || a.unit - b.unit || (a.source + a.target < b.source + b.target ? -1 : 1)
  return [...relations].sort(order)
}
