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

/** What a person has added to an edge. */
export interface PersonRelation {
  /** Number of the decision. */
  readonly n: number
  readonly description: string
  readonly strength: number
  readonly source: 'people'
  readonly by: string
  readonly at: number
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

/** What people have added to it; empty: it is only what texts state. Believed to be what `withPeople` wrote. */
export function peopleIn(edge: Edge): readonly PersonRelation[] {
  const { people } = (edge.data ?? {}) as { readonly people?: readonly PersonRelation[] }
  return people ?? []
}

/** The weight of an edge that several graphs have: what texts state adds up; what people added to it is the same in each. */
export function joinedWeight(edges: readonly { readonly weight: number; readonly data?: unknown }[]): number {
  const people = edges.map(({ data }) => strengthOf(peopleIn({ data } as Edge)))
  const all = edges.reduce((sum, { weight }) => sum + weight, 0)
  return all - people.reduce((sum, one) => sum + one, 0) + Math.max(0, ...people)
}

export const strengthOf = (all: readonly { readonly strength: number }[]): number => all.reduce((sum, one) => sum + one.strength, 0)

/** The edge with new statements by people instead of the earlier ones; undefined: nobody says anything. */
export function withPeople(
  ends: Pick<Edge, 'kind' | 'source' | 'target'>,
  edge: Edge | undefined,
  people: readonly PersonRelation[],
): Edge | undefined {
  const from = edge ? bearings(edge) : []
  if (from.length + people.length === 0) return undefined
  const before = edge ? peopleIn(edge) : []
  const { people: _, ...data } = (edge?.data ?? {}) as { readonly [key: string]: Json }
  const strength = (edge ? edge.weight - strengthOf(before) : 0) + strengthOf(people)
  const description =
    from.length > 0
      ? data.description
      : people
          .map((one) => one.description)
          .filter(Boolean)
          .join(' ')
  const said: { readonly [key: string]: Json } = {
    ...data,
    description: description ?? '',
    strength,
    from: data.from ?? [],
    ...(people.length > 0 ? { people: people as unknown as Json } : {}),
  }
  return { ...ends, weight: strength, data: said }
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
    const people = edge ? peopleIn(edge) : []
    const knowledge = (chunk: string): Knowledge | undefined => fresh.get(chunk) ?? knowledgeOf(graph, chunk)
    const said = from.length > 0 ? stated(graph, source, target, from, knowledge) : undefined
    const whole = people.length > 0 ? withPeople({ kind: 'relates', source, target }, said, people) : said
    if (whole) return [{ op: 'put-edge', edge: whole }]
    return edge ? [{ op: 'drop-edge', kind: 'relates', source, target }] : []
  })
}

/** A chunk that states a relation twice counts once, with the strength of both together. */
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
  const said = knowledge(best.chunk)?.relations.find((one) => one.source === source && one.target === target)
  const description = said?.description || unitText(graph, best)
  const data: { readonly [key: string]: Json } = {
    description,
    strength,
    from: from.map((one) => [one.chunk, one.unit, one.strength]),
    ...kindData(said?.kind),
  }
  return { kind: 'relates', source, target, weight: strength, data }
}

/** As the ontology calls it, from which end; or that it is outside of it. */
function kindData(kind: Related['kind']): { readonly [key: string]: Json } {
  if (kind === undefined) return {}
  return kind === null ? { outside: true } : { relation: kind.name, subject: kind.subject }
}

function unitText(graph: GraphReader, { chunk, unit }: Bearing): string {
  const held = graph.chunk(chunk)
  const text = (held && unitAt(held, unit, () => writtenUnits(graph, chunk))?.text) ?? ''
  return [...text].slice(0, knowledgeLimits.description).join('')
}
