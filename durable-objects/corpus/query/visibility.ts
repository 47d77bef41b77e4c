/** The graph as an asker may see it, and the rows of the read model that they may see: D1 holds the rows for everybody, the object knows who may see them. */
import type { Asker } from '../../../src/core/access/labels'
import { VisibleGraph } from '../../../src/core/access/visible-graph'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { GraphNode } from '../../../src/core/graph/types'
import { isVisibleValue } from '../../../src/core/strategies/registry'
import type { Dates } from '../../../src/core/text/iso-date'
import type { Seeable, Seen } from '../../../src/ports/visibility'
import { Kept } from '../../graph/kept'
import type { NumberedSight } from '../../graph/readable-documents'
import type { CorpusContext } from '../store'
import { listDated } from '../tables/dated'

type Seeing = Pick<CorpusContext, 'graph' | 'config'>
type Listing = Seeing & Pick<CorpusContext, 'sql'>

/** For questions, which exclude what is switched off. Undefined: everything is visible. */
export function sightOf({ graph, config }: Seeing, asker: Asker = []): NumberedSight | undefined {
  return graph.access.sight(asker, config.defaultAccess)
}

/** What an asker may read, including what is switched off. Undefined: everything. */
export function readableBy({ graph, config }: Seeing, asker: Asker = []): NumberedSight | undefined {
  return graph.access.sight(asker, config.defaultAccess, { withInactive: true })
}

interface View {
  readonly changes: number
  readonly graph: VisibleGraph
}

/** By sight: what was determined about the graph stays valid until it changes. access.ts remembers a few sights. */
const views = new Kept<NumberedSight, View>()

export function visibleGraph({ graph }: Seeing, sight: NumberedSight | undefined): GraphReader {
  if (!sight) return graph
  const { changes } = graph
  const known = views.get(sight)
  const view = known?.changes === changes ? known : { changes, graph: new VisibleGraph(graph, sight, isVisibleValue) }
  views.set(sight, view, view.graph.bytes, graph.occupant) // as large as earlier questions have made it
  return view.graph
}

export function visibleRows(
  context: Listing,
  { documents = [], chunks = [], nodes = [], edges = [], withInactive = false, existing = false }: Seeable,
  asker: Asker | undefined,
): Seen {
  const sight = withInactive ? readableBy(context, asker) : sightOf(context, asker)
  const isThere = (id: string): boolean => !existing || context.graph.document(id) !== undefined
  const labelled = documents
    .filter((id) => (!sight || sight.document(id)) && isThere(id))
    .map((id) => [id, context.graph.access.labelsOf(id)] as const)
  const own = Object.fromEntries(labelled)
  const inactive = Object.keys(own).filter((id) => !context.graph.access.isActive(id))
  const dates = Object.fromEntries(listDated(context.sql, Object.keys(own)).map((row) => [row.document, JSON.parse(row.dates) as Dates]))
  if (!sight) return { documents: own, inactive, dates, chunks: [], nodes: [], edges: [], all: true }
  const graph = visibleGraph(context, sight)
  return {
    documents: own,
    inactive,
    dates,
    chunks: chunks.filter((id) => sight.chunk(id)),
    nodes: nodes.flatMap((id) => withoutVectors(graph.node(id))),
    edges: edges.flatMap(({ kind, source, target }) => graph.edge(kind, source, target) ?? []),
    all: false,
  }
}

function withoutVectors(node: GraphNode | undefined): readonly Omit<GraphNode, 'vector' | 'sum'>[] {
  if (!node) return []
  const { vector: _, sum: __, ...rest } = node
  return [rest]
}
