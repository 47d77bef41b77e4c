/**
 * Relations between entities as edges: one per pair, its strength the sum over the chunks that state it, each named with the unit
 * that supports it. A pure function of those chunks' packed knowledge, so it is the same in whatever order they came.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Edge, Json } from '../graph/types'
import { type Knowledge, knowledgeLimits, knowledgeOf, type Related } from './knowledge-row'
import { unitAt, writtenUnits } from './units'

/** A chunk that states the relation. */
export interface Bearing {
  readonly chunk: string
  readonly unit: number
  readonly strength: number
}

export interface Rewritten {
  readonly chunk: string
  readonly before: Knowledge | undefined
  readonly after: Knowledge | undefined
}

/** Chunks that state a relation, by id. Believed to be what `stated` wrote. */
export function bearings(edge: Edge): readonly Bearing[] {
  const { from } = (edge.data ?? {}) as { readonly from?: readonly (readonly [string, number, number])[] }
  return (from ?? []).map(([chunk, unit, strength]) => ({ chunk, unit, strength }))
}

/** The patch that makes chunks state what they do now instead of what they did. */
export function updateRelations(graph: GraphReader, changes: readonly Rewritten[]): Change[] {
  const pairs = new Map<
    string,
    { readonly source: string; readonly target: string; readonly gone: Set<string>; readonly come: [string, Related][] }
  >()
  const pair = ({ source, target }: Related) => {
    const key = `${source} ${target}`
    const known = pairs.get(key) ?? { source, target, gone: new Set(), come: [] }
    pairs.set(key, known)
    return known
  }
  for (const { chunk, before, after } of changes) {
    for (const one of before?.relations ?? []) pair(one).gone.add(chunk)
    for (const one of after?.relations ?? []) pair(one).come.push([chunk, one])
  }
  const fresh = new Map(changes.map((change) => [change.chunk, change.after]))
  const order = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
  graph.preload?.({ edges: order.map(([, { source, target }]) => ({ kind: 'relates', source, target })) })
  return order.flatMap(([, { source, target, gone, come }]): Change[] => {
    const edge = graph.edge('relates', source, target)
    const arrived = new Set(come.map(([chunk]) => chunk))
    const kept = edge ? bearings(edge).filter(({ chunk }) => !gone.has(chunk) && !arrived.has(chunk)) : []
    const from = [...kept, ...merged(come)].sort((a, b) => (a.chunk < b.chunk ? -1 : 1))
    if (from.length === 0) return edge ? [{ op: 'drop-edge', kind: 'relates', source, target }] : []
    const knowledge = (chunk: string): Knowledge | undefined => fresh.get(chunk) ?? knowledgeOf(graph, chunk)
    return [{ op: 'put-edge', edge: stated(graph, source, target, from, knowledge) }]
  })
}

/** A chunk that states a relation twice states it once, as strong as both together. */
function merged(come: readonly (readonly [string, Related])[]): Bearing[] {
  const byChunk = new Map<string, Bearing>()
  for (const [chunk, { unit, strength }] of come) {
    const known = byChunk.get(chunk)
    byChunk.set(chunk, known ? { chunk, unit: Math.min(unit, known.unit), strength: known.strength + strength } : { chunk, unit, strength })
  }
  return [...byChunk.values()]
}

export function stated(
  graph: GraphReader,
  source: string,
  target: string,
  from: readonly Bearing[],
  knowledge: (chunk: string) => Knowledge | undefined,
): Edge {
  const strength = from.reduce((sum, one) => sum + one.strength, 0)
  const best = from.reduce((a, b) => (b.strength > a.strength ? b : a))
  const said = knowledge(best.chunk)?.relations.find((one) => one.source === source && one.target === target)?.description
  const description = said || unitText(graph, best)
  const data: { readonly [key: string]: Json } = { description, strength, from: from.map((one) => [one.chunk, one.unit, one.strength]) }
  return { kind: 'relates', source, target, weight: strength, data }
}

function unitText(graph: GraphReader, { chunk, unit }: Bearing): string {
  const held = graph.chunk(chunk)
  const text = (held && unitAt(held, unit, () => writtenUnits(graph, chunk))?.text) ?? ''
  return [...text].slice(0, knowledgeLimits.description).join('')
}
