/** An entity as described by the texts that an asker may read: it exists if one of them mentions it, under the names they use. Pure. */
import type { Mentioned } from '../builders/mention-list'
import { shownName } from '../builders/mentions'
import type { Edge, GraphNode } from '../graph/types'
import { countTokens } from '../text/tokens'

const limits = {
  first: 64, // mentions looked at to see that all may be seen
  read: 4096, // looked through for one that may be seen
  named: 32, // mentions that determine its name, if not all may be seen
} as const

export interface Mentions {
  /** Heaviest first. */
  readonly mentions: (limit: number) => readonly Edge[]
  /** What a chunk says of the entity. */
  readonly said: (chunk: string) => readonly Mentioned[]
  readonly sees: (chunk: string) => boolean
}

export function visibleEntity(node: GraphNode, { mentions, said, sees }: Mentions): GraphNode | undefined {
  let all = mentions(limits.first)
  if (all.length < limits.first && all.length > 0 && all.every((edge) => sees(edge.source))) return node
  if (all.length === limits.first) all = mentions(limits.read)
  const seen = all.filter((edge) => sees(edge.source))
  if (seen.length === 0) return undefined
  if (seen.length === all.length && all.length < limits.read) return node
  const names = new Map<string, number>()
  for (const { source } of seen.slice(0, limits.named)) {
    for (const { surfaces } of said(source)) for (const [name, times] of surfaces) names.set(name, (names.get(name) ?? 0) + times)
  }
  const aliases = [...names].sort(([a], [b]) => (a < b ? -1 : 1))
  const text = node.data.named === true ? node.text : shownName(node.id, aliases)
  const { vector: _vector, sum: _sum, ...rest } = node // of descriptions, those of texts that may not be read among them
  const data = { ...node.data, chunks: seen.length, aliases: Object.fromEntries(aliases) }
  return { ...rest, text, tokens: countTokens(text), data }
}
