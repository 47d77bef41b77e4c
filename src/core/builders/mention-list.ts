/**
 * What one chunk mentions: its entities, in which units, under which surfaces. A pure function of the chunk (and of the model's
 * units where there are any), packed in one value per chunk, so that an insert and a delete are exact opposites.
 */
import type { GraphReader, MentionedIn } from '../graph/reader'
import type { Chunk, Json, Value } from '../graph/types'
import { nodeId } from '../ids'
import { acronyms, says } from '../text/acronyms'
import { chunkNames } from '../text/chunk-names'
import { bareTitle, nameKey } from '../text/names'
import { fullNames } from '../text/same-person'

export const MENTIONS = 'mentions' // space of the packed lists; key = chunk id
/** Not a unit: the chunk as a whole is about the entity, because its document has the name. */
export const ABOUT = -1
const MAX = 32 // entities kept per chunk, beside the document's own name: a row each; names in several units come first, then long ones

export interface Mentioned {
  readonly entity: string
  readonly key: string
  /** Ascending; `ABOUT` first where the document has the name; from `chunk.units.length` on, the model's units. */
  readonly units: readonly number[]
  /** Surface forms with how often each occurs. */
  readonly surfaces: readonly (readonly [string, number])[]
}

/** Entities of a chunk by id. `written` are the texts of the model's units, empty without. */
export function findMentions(chunk: Chunk, written: readonly string[] = []): readonly Mentioned[] {
  const gathered = new Map<string, { units: Set<number>; surfaces: Map<string, number> }>()
  const note = (key: string, unit: number, surface: string): void => {
    const entry = gathered.get(key) ?? { units: new Set(), surfaces: new Map() }
    gathered.set(key, entry)
    entry.units.add(unit)
    entry.surfaces.set(surface, (entry.surfaces.get(surface) ?? 0) + 1)
  }
  // Where the model has written, its units stand for the chunk; their ordinals follow those of the sentences.
  const texts = written.length > 0 ? written : chunk.units.map((unit) => chunk.text.slice(unit.start, unit.end))
  const first = written.length > 0 ? chunk.units.length : 0
  // A day is not a thing: it would link everything that happened on it.
  const found = chunkNames(texts, chunk.language).map((list) => list.filter(({ type }) => type !== 'date'))
  const full = fullNames(new Set(found.flatMap((list) => list.flatMap((one) => (one.type === 'name' ? [one.surface] : [])))))
  const long = acronyms(texts.map((text, i) => ({ text, names: found[i] ?? [] })))
  found.forEach((list, i) => {
    for (const one of list) {
      const whole = full.get(one.surface)
      note(whole === undefined ? one.key : nameKey(whole), first + i, one.surface)
    }
  })
  // A short name also stays a separate name: other chunks may say only that.
  for (const [short, meant] of long) {
    texts.forEach((text, i) => {
      if (says(text, short)) note(nameKey(meant), first + i, short)
    })
  }
  const name = bareTitle(chunk.name)
  const own = nameKey(name)
  if (own) note(own, ABOUT, name)
  const rank = (key: string): number => (key === own ? Infinity : (gathered.get(key)?.units.size ?? 0) + (key.includes(' ') ? 1 : 0))
  const kept = [...gathered.keys()]
    .sort((a, b) => rank(b) - rank(a) || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MAX + (own ? 1 : 0))
  return kept
    .map((key): Mentioned => {
      const entry = gathered.get(key)
      return {
        entity: nodeId('entity', key),
        key,
        units: [...(entry?.units ?? [])].sort((a, b) => a - b),
        surfaces: [...(entry?.surfaces ?? [])].sort((a, b) => (a[0] < b[0] ? -1 : 1)),
      }
    })
    .sort((a, b) => (a.entity < b.entity ? -1 : 1))
}

export function packed(list: readonly Mentioned[]): Json {
  return list.map((one) => [one.entity, one.key, one.units, one.surfaces])
}

export function mentionsOf(graph: GraphReader, chunk: string): readonly Mentioned[] {
  return unpackedMentions(graph.value(MENTIONS, chunk))
}

/** The same, but only which entities and in which units. */
export function mentionedIn(graph: GraphReader, chunk: string): readonly MentionedIn[] {
  return graph.mentioned?.(chunk) ?? mentionsOf(graph, chunk)
}

/** What a reader that has `mentioned` keeps of a list. */
export function withoutSurfaces(value: Value | undefined): readonly MentionedIn[] {
  return unpackedMentions(value).map(({ entity, units }) => ({ entity, units }))
}

/** Believed to be what `packed` made. */
export function unpackedMentions(value: Value | undefined): readonly Mentioned[] {
  const rows = (value ?? []) as readonly [string, string, number[], [string, number][]][]
  return rows.map(([entity, key, units, surfaces]) => ({ entity, key, units, surfaces }))
}
