/** The other names under which an entity is found: what texts or people call it besides its own. One place for each, exactly as its surfaces are. */
import type { GraphReader } from '../graph/reader'
import type { Change } from '../graph/types'
import { fingerprint, nodeId } from '../ids'
import { nameKey } from '../text/names'

export const ALIASES = 'mentions/aliases' // ordered; id of the name, then of the entity
const END = '!~' // behind every entity of a name

/** Entities that have this name, by its id, beside their own. */
export function namedAlso(graph: GraphReader, name: string, limit: number): readonly string[] {
  const [from, to] = aliasRange(name)
  return graph.order(ALIASES, { from, to, limit }).map((place) => place.id)
}

/** Where those entities stand in the index. */
export function aliasRange(name: string): readonly [from: string, to: string] {
  return [`${name}!`, name + END]
}

export function aliasPlace(key: string, entity: string): string {
  return `${nodeId('entity', key)}!${fingerprint(entity)}`
}

/** Keys of these surfaces that are not the entity's own. */
export function otherKeys(surfaces: Iterable<string>, own: string): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const surface of surfaces) if (surface.toLowerCase() !== own) keys.add(nameKey(surface))
  keys.delete(own)
  keys.delete('')
  return keys
}

/** The changes that leave an entity with these other names instead of those. */
export function replaceAliases(entity: string, before: ReadonlySet<string>, after: ReadonlySet<string>): Change[] {
  const gone = [...before].filter((key) => !after.has(key))
  const come = [...after].filter((key) => !before.has(key))
  return [
    ...gone.map((key): Change => ({ op: 'drop-place', space: ALIASES, key: aliasPlace(key, entity) })),
    ...come.map((key): Change => ({ op: 'put-place', space: ALIASES, key: aliasPlace(key, entity), id: entity })),
  ]
}
