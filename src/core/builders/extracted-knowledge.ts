/**
 * What is kept of a model's reply about a chunk, and in which form. A relation joins two entities that the chunk's sentences say. One with a single such
 * end whose other words stand in the chunk (GPT-3.5: one triple in ten, "Rod Laver was born in 1938"), and one for which there is no room, is a statement
 * about that end, kept in its description. Everything else is dropped and counted by its reason.
 */
import type { Chunk } from '../graph/types'
import { nodeId } from '../ids'
import type { Extraction } from '../strategy'
import { nameKey } from '../text/names'
import { terms } from '../text/terms'
import { byStrength, type Described, type Knowledge, knowledgeLimits, type Related } from './knowledge-row'
import { ABOUT, type Mentioned } from './mention-list'

export interface ExtractedKnowledge {
  readonly knowledge: Knowledge
  /** Mentions of entities only the model found. */
  readonly strangers: readonly Mentioned[]
}

/** Ascending ordinals of the units that say an entity. */
type Places = ReadonlyMap<string, readonly number[]>

/**
 * Depends only on a model's reply and the names in the chunk's sentences, so that it is the same whatever another model has made of the chunk. An entity
 * must be one of those names or occur in a sentence; others are left out. `most`: how many entities that only the reply names.
 */
export function fromExtraction(
  chunk: Chunk,
  said: readonly Mentioned[],
  extraction: Extraction,
  most: number = knowledgeLimits.strangers,
): ExtractedKnowledge {
  const { places, strangers } = occurring(chunk, said, extraction, most)
  const { relations, facts, absent } = sorted(chunk, places, extraction.relations)
  const { entities, room } = describedBy(extraction.entities, places, facts)
  const dropped = absent + room > 0 ? { dropped: { absent, room } } : {}
  return { knowledge: { by: 'model', entities, relations, ...dropped }, strangers }
}

function occurring(
  chunk: Chunk,
  said: readonly Mentioned[],
  { entities, relations }: Extraction,
  most: number,
): { readonly places: Places; readonly strangers: readonly Mentioned[] } {
  const units = chunk.units.map((unit) => ` ${nameKey(chunk.text.slice(unit.start, unit.end))} `)
  const places = new Map(said.map((one) => [one.entity, one.units]))
  const wanted = new Set(relations.flatMap((one) => [nameKey(one.source), nameKey(one.target)]))
  const strangers: Mentioned[] = []
  // Where there are too many, those first that relations name.
  const [ends, alone] = [true, false].map((end) => entities.filter(({ name }) => wanted.has(nameKey(name)) === end))
  for (const { name } of [...(ends ?? []), ...(alone ?? [])]) {
    const key = nameKey(name)
    const entity = nodeId('entity', key)
    if (key === '' || places.has(entity) || strangers.length >= most) continue
    const within = units.flatMap((unit, ordinal) => (unit.includes(` ${key} `) ? [ordinal] : []))
    if (within.length === 0) continue
    places.set(entity, within)
    strangers.push({ entity, key, units: within, surfaces: [[name, within.length]] })
  }
  return { places, strangers }
}

interface Fact {
  readonly entity: string
  readonly text: string
}

interface Sorted {
  readonly relations: readonly Related[]
  readonly facts: readonly Fact[]
  readonly absent: number
}

function sorted(chunk: Chunk, places: Places, relations: Extraction['relations']): Sorted {
  const related: Related[] = []
  const facts: Fact[] = []
  const words = new Set(terms(`${chunk.title} ${chunk.text}`))
  let absent = 0
  for (const one of relations) {
    const own = [one.source, one.target].map((name) => nodeId('entity', nameKey(name)))
    const [source = '', target = ''] = [...own].sort()
    const description = [...one.description].slice(0, knowledgeLimits.description).join('')
    if (source !== target && places.has(source) && places.has(target)) {
      const unit = unitBearing(places.get(source) ?? [], places.get(target) ?? [])
      related.push({ source, target, description, strength: Math.round(one.strength), unit, ...kindOf(one, own[0] ?? source) })
      continue
    }
    const entity = own.find((id) => places.has(id))
    const other = entity === own[0] ? one.target : one.source
    if (entity === undefined || (source !== target && !isSaid(other, words))) absent++
    else facts.push({ entity, text: description })
  }
  const all = byStrength(related)
  const beyond = all.slice(knowledgeLimits.relations).map((one): Fact => ({ entity: one.source, text: one.description }))
  return { relations: all.slice(0, knowledgeLimits.relations), facts: [...facts, ...beyond], absent }
}

function kindOf({ relation, outside }: Extraction['relations'][number], subject: string): Pick<Related, 'kind'> {
  if (relation !== undefined) return { kind: { name: relation, subject } }
  return outside ? { kind: null } : {}
}

/** Do all its words stand among these terms of a text, in whatever order? */
export function isSaid(name: string, words: ReadonlySet<string>): boolean {
  const own = terms(name)
  return own.length > 0 && own.every((term) => words.has(term))
}

/** Entities that occur, with what the model says about them and the statements about them. */
function describedBy(
  entities: Extraction['entities'],
  places: Places,
  facts: readonly Fact[],
): { readonly entities: readonly Described[]; readonly room: number } {
  const described = new Map<string, Described>()
  for (const { name, type, description, outside } of entities) {
    const entity = nodeId('entity', nameKey(name))
    if (places.has(entity) && !described.get(entity)?.description)
      described.set(entity, { entity, type, description, ...(outside ? { outside } : {}) })
  }
  const added = new Map<string, number>() // characters
  let room = 0
  for (const { entity, text } of facts) {
    const known = described.get(entity) ?? { entity, type: '', description: '' }
    if (text === '' || known.description.includes(text)) continue
    const length = (added.get(entity) ?? 0) + text.length + 1
    if (length > knowledgeLimits.facts || (!described.has(entity) && described.size >= knowledgeLimits.entities)) {
      room++
      continue
    }
    added.set(entity, length)
    described.set(entity, { ...known, description: `${closed(known.description)}${text}` })
  }
  const kept = [...described.values()].sort((a, b) => (a.entity < b.entity ? -1 : 1))
  return { entities: kept.slice(0, knowledgeLimits.entities), room }
}

/** A text that another sentence may follow. */
function closed(text: string): string {
  return text === '' ? '' : /[.!?…。！？]$/u.test(text) ? `${text} ` : `${text}. `
}

/** A unit that names both, else one that names the later of the two. */
function unitBearing(a: readonly number[], b: readonly number[]): number {
  const said = (units: readonly number[]): readonly number[] => units.filter((unit) => unit !== ABOUT)
  const [mine, others] = [said(a), said(b)]
  return mine.find((unit) => others.includes(unit)) ?? Math.max(mine[0] ?? 0, others[0] ?? 0)
}
