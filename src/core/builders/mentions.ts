/**
 * Entities and which chunks mention them: one node per name, one `mentions` edge per chunk and name, walked from the entity. Shared by every strategy that
 * asks "where is X mentioned?". Exact: deleting removes what inserting added, and an entity that no chunk mentions is gone. Per chunk at most 33 edges, one
 * packed list, and one write of each entity's node.
 */
import type { GraphReader, Preload } from '../graph/reader'
import type { Change, GraphNode, Json, Patch } from '../graph/types'
import { nodeId } from '../ids'
import type { Builder } from '../strategy'
import { nameKey } from '../text/names'
import { countTokens } from '../text/tokens'
import { otherKeys, replaceAliases } from './aliases'
import { findMentions, MENTIONS, type Mentioned, mentionsOf, packed } from './mention-list'

/** What an entity node carries beside its display name. */
export interface EntityData {
  readonly key: string
  /** Chunks that mention it. */
  readonly chunks: number
  /** Surface forms, with how often each occurs. */
  readonly aliases: { readonly [surface: string]: number }
}

export interface Remention {
  readonly chunk: string
  readonly before: readonly Mentioned[]
  readonly after: readonly Mentioned[]
}

const NONE: ReadonlySet<string> = new Set()

export const mentions: Builder = {
  name: 'mentions',
  builds: ['entity'],
  update(graph, delta) {
    graph.preload?.({ values: [{ space: MENTIONS, keys: delta.removed.map(({ chunk }) => chunk.id) }] })
    const gone = delta.removed.map(({ chunk }) => ({ chunk: chunk.id, before: mentionsOf(graph, chunk.id), after: [] }))
    const come = delta.added.map((chunk) => ({ chunk: chunk.id, before: [], after: findMentions(chunk) }))
    return { patch: remention(graph, [...gone, ...come]), tasks: [] }
  },
}

/** The patch that makes chunks mention what they do now instead of what they did. */
export function remention(graph: GraphReader, changes: readonly Remention[]): Patch {
  const patch: Change[] = []
  const counts = new Map<string, { key: string; chunks: number; aliases: Map<string, number> }>()
  const count = (one: Mentioned, sign: 1 | -1): void => {
    const entry = counts.get(one.entity) ?? { key: one.key, chunks: 0, aliases: new Map() }
    if (entry.key === '') entry.key = one.key
    counts.set(one.entity, entry)
    entry.chunks += sign
    for (const [surface, times] of one.surfaces) entry.aliases.set(surface, (entry.aliases.get(surface) ?? 0) + sign * times)
  }
  for (const { chunk, before, after } of changes) {
    const now = new Map(after.map((one) => [one.entity, one]))
    const unchanged = new Set(before.filter((one) => isEqual(one, now.get(one.entity))).map((one) => one.entity))
    for (const one of before) {
      if (unchanged.has(one.entity)) continue
      count(one, -1)
      if (!now.has(one.entity)) patch.push({ op: 'drop-edge', kind: 'mentions', source: chunk, target: one.entity })
    }
    for (const one of after) {
      if (unchanged.has(one.entity)) continue
      count(one, 1)
      patch.push({
        op: 'put-edge',
        edge: { kind: 'mentions', source: chunk, target: one.entity, weight: one.units.length, data: one.units },
      })
    }
    if (after.length > 0) patch.push({ op: 'put-value', space: MENTIONS, key: chunk, value: packed(after) })
    else if (before.length > 0) patch.push({ op: 'drop-value', space: MENTIONS, key: chunk })
  }
  graph.preload?.({ nodes: [...counts.keys()] })
  for (const [id, change] of [...counts].sort((a, b) => (a[0] < b[0] ? -1 : 1))) patch.push(...recountEntity(graph.node(id), id, change))
  return patch
}

function isEqual(a: Mentioned, b: Mentioned | undefined): boolean {
  return b !== undefined && JSON.stringify([a.units, a.surfaces]) === JSON.stringify([b.units, b.surfaces])
}

function recountEntity(
  known: GraphNode | undefined,
  id: string,
  change: { readonly key: string; readonly chunks: number; readonly aliases: ReadonlyMap<string, number> },
): Change[] {
  const before = known ? entityData(known) : undefined
  const chunks = (before?.chunks ?? 0) + change.chunks
  const named = before ? otherKeys(Object.keys(before.aliases), before.key) : NONE
  if (chunks <= 0) return known ? [{ op: 'drop-node', id }, ...replaceAliases(id, named, NONE)] : []
  const aliases = new Map(Object.entries(before?.aliases ?? {}))
  for (const [surface, times] of change.aliases) aliases.set(surface, (aliases.get(surface) ?? 0) + times)
  const left = [...aliases].filter(([, times]) => times > 0).sort((a, b) => (a[0] < b[0] ? -1 : 1))
  const text = shownName(id, left)
  const key = ownKey(id, change.key, left, text)
  const data: { readonly [key: string]: Json } = { key, chunks, aliases: Object.fromEntries(left) }
  // What others have counted for it (descriptions) is independent of its name.
  const counted = known?.sum ? { sum: known.sum, ...(known.vector ? { vector: known.vector } : {}) } : {}
  const others = otherKeys(
    left.map(([surface]) => surface),
    key,
  )
  return [
    { op: 'put-node', node: { id, kind: 'entity', layer: 0, text, tokens: countTokens(text), data, ...counted } },
    ...replaceAliases(id, named, others),
  ]
}

/**
 * The commonest of its own surfaces, whatever else was merged into it or stands for it in a chunk; of all, where no text says one. Of equally common ones the
 * first by code unit, so that arrival order does not matter.
 */
export function shownName(id: string, aliases: readonly (readonly [string, number])[]): string {
  const byTimes = [...aliases].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const own = byTimes.length > 1 ? byTimes.find(([surface]) => nodeId('entity', nameKey(surface)) === id) : undefined
  return (own ?? byTimes[0] ?? [''])[0]
}

/** The name of an entity that several graphs have: as people call it, else by all its surfaces. */
export function joinedName(same: readonly { readonly id: string; readonly text: string; readonly data?: unknown }[]): string {
  const own = same.map(({ data }) => (data ?? {}) as { readonly aliases?: EntityData['aliases']; readonly named?: unknown })
  const called = same.find((_, i) => own[i]?.named !== undefined)
  if (called || own.some(({ aliases }) => aliases === undefined)) return (called ?? same[0])?.text ?? ''
  const times = new Map<string, number>()
  for (const { aliases = {} } of own)
    for (const [surface, count] of Object.entries(aliases)) times.set(surface, (times.get(surface) ?? 0) + count)
  return shownName(same[0]?.id ?? '', [...times])
}

/** Of an entity that people have merged others into, its own key while a text says that, else that of the name it is shown under. */
function ownKey(id: string, key: string, aliases: readonly (readonly [string, number])[], text: string): string {
  if (key !== '' && aliases.some(([surface]) => surface.toLowerCase() === key || nameKey(surface) === key)) return key
  const own = aliases.map(([surface]) => nameKey(surface)).find((one) => nodeId('entity', one) === id)
  return own ?? nameKey(text)
}

/** The key of what a chunk mentions, also where people have decided what it stands for. */
export function keyOf(graph: GraphReader, { entity, key }: Mentioned): string {
  const node = key === '' ? graph.node(entity) : undefined
  return node ? entityData(node).key : key
}

/** Chunks that mention it, without the rest of its node where the graph can tell; undefined: there is no such entity. */
export function mentionCount(graph: GraphReader, entity: string): number | undefined {
  if (graph.field) return graph.field(entity, COUNT)
  const node = graph.node(entity)
  return node && entityData(node).chunks
}

/** Those will be asked for. */
export function mentionCounts(entities: readonly string[]): Preload {
  return { fields: { name: COUNT, nodes: entities } }
}

const COUNT: keyof EntityData = 'chunks'

/** Believed to be what `recounted` wrote. */
export function entityData(node: GraphNode): EntityData {
  return node.data as unknown as EntityData
}
