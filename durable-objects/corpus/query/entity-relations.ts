/** What an entity is related to, and who says so: people, the graph that came with a document, a model, or rules that read the sentences. */
import type { EntityDetails } from '../../../src/contract/entities'
import { KNOWLEDGE, type Knowledge, knowledgeOf } from '../../../src/core/builders/knowledge-row'
import { bearings, peopleIn, strengthOf } from '../../../src/core/builders/relations'
import { nameId } from '../../../src/core/builders/sense-list'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Edge } from '../../../src/core/graph/types'
import { nameKey } from '../../../src/core/text/names'

type Relation = EntityDetails['relations'][number]
type Origin = Relation['by'][number]

const limits = {
  relations: 20,
  chunks: 20, // that state one, looked at: the strongest
  documents: 5, // named
} as const
const ORDER: readonly Origin[] = ['people', 'brought', 'model', 'rules']

export function relationsOf(graph: GraphReader, entity: string): readonly Relation[] {
  const edges = graph.edges('relates', entity, limits.relations)
  const others = edges.map(({ source, target }) => (source === entity ? target : source))
  const stating = edges.map((edge) => [...bearings(edge)].sort((a, b) => b.strength - a.strength).slice(0, limits.chunks))
  const chunks = [...new Set(stating.flatMap((all) => all.map(({ chunk }) => chunk)))]
  graph.preload?.({ nodes: others, values: [{ space: KNOWLEDGE, keys: chunks }], placements: chunks })
  return edges.flatMap((edge, i): Relation[] => {
    const [id = '', from = []] = [others[i], stating[i]]
    const node = graph.node(id)
    if (!node) return []
    const added = strengthOf(peopleIn(edge))
    const by = new Set([...(added > 0 ? ['people' as const] : []), ...from.map(({ chunk }) => originOf(graph, chunk, edge))])
    const documents = new Set(from.flatMap(({ chunk }) => graph.placements(chunk).map(({ document }) => document)))
    const { description } = (edge.data ?? {}) as { readonly description?: string }
    return [
      {
        id,
        name: node.text.split('\n')[0] ?? '',
        description: description ?? '',
        strength: edge.weight,
        ...(added > 0 ? { by_people: added } : {}),
        by: ORDER.filter((one) => by.has(one)),
        documents: [...documents].slice(0, limits.documents),
      },
    ]
  })
}

function originOf(graph: GraphReader, chunk: string, edge: Edge): Origin {
  const known = knowledgeOf(graph, chunk)
  if (known?.by === 'model') return 'model'
  return known?.by === 'brought' && isBrought(graph, chunk, edge, known) ? 'brought' : 'rules'
}

/** Where a document brings a graph, the relations that its sentences give stay beside it, without words of their own. */
function isBrought(graph: GraphReader, chunk: string, { source, target }: Edge, { relations }: Knowledge): boolean {
  if (relations.some((one) => one.source === source && one.target === target && one.description !== '')) return true
  const pair = [source, target].sort().join(' ')
  const sent = graph.chunk(chunk)?.brought?.relations ?? []
  return sent.some(
    (one) =>
      [one.source, one.target]
        .map((name) => nameId(nameKey(name)))
        .sort()
        .join(' ') === pair,
  )
}
