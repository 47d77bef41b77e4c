/**
 * What one chunk contributes to the knowledge graph: entities as a model describes them, and relations, each with the unit that supports it.
 * Either read by a model or, without one, from the units: two entities named in one sentence are related, and the sentence
 * says how. One packed value per chunk, so that a chunk takes away exactly what it brought.
 */
import type { GraphReader } from '../graph/reader'
import type { Chunk, Json, Value } from '../graph/types'
import { nodeId } from '../ids'
import type { Extraction } from '../strategy'
import { nameKey } from '../text/names'
import { ABOUT, type Mentioned } from './mention-list'

export const KNOWLEDGE = 'knowledge' // space; key = chunk id
export const knowledgeLimits = {
  pairs: 16, // relations of a chunk without a model: the pairs most often together
  relations: 32, // relations of a chunk from a model, strongest first
  entities: 48, // described entities of a chunk
  strangers: 16, // entities of a chunk that only the model found: a mention each
  description: 240, // characters of a description kept on an edge
} as const

export interface Described {
  readonly entity: string
  readonly type: string
  readonly description: string
}

export interface Related {
  readonly source: string
  readonly target: string
  /** The model's words; empty where the unit itself is the description. */
  readonly description: string
  readonly strength: number
  /** Ordinal of the unit that names both, or the one that comes nearest to it. */
  readonly unit: number
}

export interface Knowledge {
  /** unusable: a model was asked and gave nothing, so the units speak. */
  readonly by: 'model' | 'units' | 'unusable'
  readonly entities: readonly Described[]
  readonly relations: readonly Related[]
}

export function packedKnowledge({ by, entities, relations }: Knowledge): Json {
  const told = entities.map((one) => [one.entity, one.type, one.description])
  return [by, told, relations.map((one) => [one.source, one.target, one.description, one.strength, one.unit])]
}

/** Entities it describes. */
export function entitiesOf({ entities, relations }: Knowledge): readonly string[] {
  return [...entities.map((one) => one.entity), ...relations.flatMap((one) => [one.source, one.target])]
}

export function knowledgeOf(graph: GraphReader, chunk: string): Knowledge | undefined {
  return unpackedKnowledge(graph.value(KNOWLEDGE, chunk))
}

/** Believed to be what `packedKnowledge` made. */
export function unpackedKnowledge(value: Value | undefined): Knowledge | undefined {
  if (!Array.isArray(value)) return undefined
  const [by, told, related] = value as unknown as [Knowledge['by'], [string, string, string][], [string, string, string, number, number][]]
  return {
    by,
    entities: told.map(([entity, type, description]) => ({ entity, type, description })),
    relations: related.map(([source, target, description, strength, unit]) => ({ source, target, description, strength, unit })),
  }
}

/** Without a model: entities that share units, the document's own name being in all of them. */
export function fromUnits(mentioned: readonly Mentioned[], by: 'units' | 'unusable'): Knowledge {
  const relations: Related[] = []
  mentioned.forEach((a, i) => {
    for (const b of mentioned.slice(i + 1)) {
      const shared = unitsTogether(a, b)
      if (shared.length === 0 || isNested(a.key, b.key)) continue
      const [source, target] = a.entity < b.entity ? [a.entity, b.entity] : [b.entity, a.entity]
      relations.push({ source, target, description: '', strength: shared.length, unit: shared[0] ?? 0 })
    }
  })
  return { by, entities: [], relations: strongest(relations, knowledgeLimits.pairs) }
}

function unitsTogether(a: Mentioned, b: Mentioned): readonly number[] {
  const said = (one: Mentioned): readonly number[] => one.units.filter((unit) => unit !== ABOUT)
  if (a.units[0] === ABOUT) return said(b)
  if (b.units[0] === ABOUT) return said(a)
  const other = new Set(said(b))
  return said(a).filter((unit) => other.has(unit))
}

/** "Oslo" stands in every "University of Oslo": that relates nothing. */
function isNested(a: string, b: string): boolean {
  return ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)
}

function strongest(relations: readonly Related[], count: number): readonly Related[] {
  const order = (a: Related, b: Related): number =>
    b.strength - a.strength || a.unit - b.unit || (a.source + a.target < b.source + b.target ? -1 : 1)
  return [...relations].sort(order).slice(0, count)
}

export interface ExtractedKnowledge {
  readonly knowledge: Knowledge
  /** Mentions of entities only the model found. */
  readonly strangers: readonly Mentioned[]
}

/**
 * From a model's reply, and the names its sentences say: of nothing else, so that it is the same whatever another model has made of the chunk.
 * An entity must be one of those names or occur in a sentence; others are left out.
 */
export function fromExtraction(chunk: Chunk, said: readonly Mentioned[], { entities, relations }: Extraction): ExtractedKnowledge {
  const units = chunk.units.map((unit) => ` ${nameKey(chunk.text.slice(unit.start, unit.end))} `)
  const places = new Map(said.map((one) => [one.entity, one.units]))
  const wanted = new Set(relations.flatMap((one) => [nameKey(one.source), nameKey(one.target)]))
  const strangers: Mentioned[] = []
  // Where there are too many, those first that relations name.
  const [ends, alone] = [true, false].map((end) => entities.filter(({ name }) => wanted.has(nameKey(name)) === end))
  for (const { name } of [...(ends ?? []), ...(alone ?? [])]) {
    const key = nameKey(name)
    const entity = nodeId('entity', key)
    if (key === '' || places.has(entity) || strangers.length >= knowledgeLimits.strangers) continue
    const within = units.flatMap((unit, ordinal) => (unit.includes(` ${key} `) ? [ordinal] : []))
    if (within.length === 0) continue
    places.set(entity, within)
    strangers.push({ entity, key, units: within, surfaces: [[name, within.length]] })
  }
  const described = entities.map(
    (one): Described => ({ entity: nodeId('entity', nameKey(one.name)), type: one.type, description: one.description }),
  )
  const related = relations.flatMap((one): Related[] => {
    const ends = [nodeId('entity', nameKey(one.source)), nodeId('entity', nameKey(one.target))].sort()
    const [source = '', target = ''] = ends
    if (source === target || !places.has(source) || !places.has(target)) return []
    const unit = bearing(places.get(source) ?? [], places.get(target) ?? [])
    return [
      {
        source,
        target,
        description: [...one.description].slice(0, knowledgeLimits.description).join(''),
        strength: Math.round(one.strength),
        unit,
      },
    ]
  })
  const kept = described.filter((one) => places.has(one.entity)).sort((a, b) => (a.entity < b.entity ? -1 : 1))
  const knowledge: Knowledge = {
    by: 'model',
    entities: kept.slice(0, knowledgeLimits.entities),
    relations: strongest(related, knowledgeLimits.relations),
  }
  return { knowledge, strangers }
}

/** A unit that names both, else one that names the later of the two. */
function bearing(a: readonly number[], b: readonly number[]): number {
  const said = (units: readonly number[]): readonly number[] => units.filter((unit) => unit !== ABOUT)
  const [mine, others] = [said(a), said(b)]
  return mine.find((unit) => others.includes(unit)) ?? Math.max(mine[0] ?? 0, others[0] ?? 0)
}
