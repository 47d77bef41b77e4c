/**
 * Relations that people have added: part of the edge between two entities, in addition to what the texts state. One row lists all that are in effect and
 * where each was put, so that a commit that touches none of their ends reads only that row. An edge exists while both of its ends do.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Edge, Json } from '../graph/types'
import type { Rules } from './decided-chunk'
import { type Decision, decisionOf, meantEntity } from './decision-list'
import { bearings, type PersonRelation, peopleIn, withPeople } from './relations'

const RELATIONS = 'decisions/relations'

/** A decision's number, its ends as they were named, and the ends of the edge it is part of today; null: of none. */
type Row = readonly [n: number, a: string, b: string, source: string | null, target: string | null]

export function hasPeopleRelations(graph: GraphReader): boolean {
  return rowsOf(graph).length > 0
}

export function countRelations(graph: GraphReader): number {
  return rowsOf(graph).length
}

export function addedRelation(graph: GraphReader, { n, entity, other = '' }: Decision): readonly Row[] {
  return [...rowsOf(graph), [n, entity, other, null, null]]
}

/**
 * The changes that put each where its ends are now. `graph`: with what the commit changed of nodes and of edges. `touched`: entities that came,
 * went or have another rule; absent: look at all. `without`: a decision that is undone.
 */
export function placeRelations(
  graph: GraphReader,
  rules: Rules,
  { rows = rowsOf(graph), touched, without }: { rows?: readonly Row[]; touched?: ReadonlySet<string>; without?: number } = {},
): Change[] {
  if (rows.length === 0) return []
  const edges = new Map<string, { readonly source: string; readonly target: string; readonly edge: Edge | undefined }>()
  const at = (source: string, target: string) => {
    const key = `${source} ${target}`
    const known = edges.get(key) ?? { source, target, edge: graph.edge('relates', source, target) }
    edges.set(key, known)
    return { key, ...known }
  }
  const change = (source: string, target: string, make: (people: readonly PersonRelation[]) => readonly PersonRelation[]): void => {
    const { key, edge } = at(source, target)
    edges.set(key, { source, target, edge: withPeople({ kind: 'relates', source, target }, edge, make(edge ? peopleIn(edge) : [])) })
  }
  const meant = (id: string): string | null => {
    const { entity } = meantEntity(rules, id, () => new Set())
    return entity !== null && graph.node(entity) ? entity : null
  }
  const isConcerned = (row: Row): boolean => !touched || row.some((one) => typeof one === 'string' && touched.has(one)) || row[3] === null
  const after = rows.flatMap((row): Row[] => {
    const [n, a, b, from, to] = row
    if (n !== without && !isConcerned(row)) return [row]
    const ends = n === without ? [] : [meant(a), meant(b)].flatMap((one) => (one === null ? [] : [one])).sort()
    const [source = null, target = null] = ends.length === 2 && ends[0] !== ends[1] ? ends : []
    if (from !== null && to !== null && (from !== source || to !== target))
      change(from, to, (people) => people.filter((one) => one.n !== n))
    const decision = decisionOf(graph, n)
    if (source !== null && target !== null && decision) {
      const own: PersonRelation = {
        n,
        description: decision.text ?? '',
        strength: decision.strength ?? 1,
        source: 'people',
        by: decision.by,
        at: decision.at,
      }
      change(source, target, (people) => [...people.filter((one) => one.n !== n), own].sort((x, y) => x.n - y.n))
    }
    return n === without ? [] : [[n, a, b, source, target]]
  })
  const out: Change[] = []
  for (const { source, target, edge } of edges.values()) {
    const before = graph.edge('relates', source, target)
    if (!edge) {
      if (before) out.push({ op: 'drop-edge', kind: 'relates', source, target })
    } else if (JSON.stringify(edge) !== JSON.stringify(before)) out.push({ op: 'put-edge', edge })
  }
  if (after.length === 0) return [...out, { op: 'drop-value', space: RELATIONS, key: 'all' }]
  if (JSON.stringify(after) === JSON.stringify(rowsOf(graph))) return out
  return [...out, { op: 'put-value', space: RELATIONS, key: 'all', value: after as unknown as Json }]
}

/** Is anything of it stated by texts? */
export function isStated(edge: Edge): boolean {
  return bearings(edge).length > 0
}

/** Believed to be what `placeRelations` wrote. */
function rowsOf(graph: GraphReader): readonly Row[] {
  return (graph.value(RELATIONS, 'all') ?? []) as unknown as readonly Row[]
}
