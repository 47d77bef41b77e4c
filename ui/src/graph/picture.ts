/** What is drawn: nodes and edges, from any answer. Putting two pictures together keeps each node and edge once. */

export interface PictureNode {
  readonly id: string
  readonly kind: string
  readonly layer: number
  readonly text: string
  /** For an entity that shares its name with another: a document about this one. */
  readonly about?: { readonly document: string; readonly title: string }
}

/** Words of a document that state an edge. */
export interface Said {
  readonly document: string
  readonly title: string
  readonly start: number
  readonly end: number
  readonly quote: string
}

export interface PictureEdge {
  readonly kind: string
  readonly source: string
  readonly target: string
  readonly weight: number
  /** If already known; otherwise it is looked up when the edge is selected. */
  readonly said?: Said
}

export interface Picture {
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly PictureEdge[]
  /** What the reader should know, for example that something is left out. */
  readonly note?: string
}

export const edgeKey = ({ kind, source, target }: Pick<PictureEdge, 'kind' | 'source' | 'target'>): string =>
  JSON.stringify([kind, source, target])

export function mergePictures(pictures: readonly Picture[]): Picture {
  const nodes = new Map<string, PictureNode>()
  const edges = new Map<string, PictureEdge>()
  for (const picture of pictures) {
    for (const node of picture.nodes) {
      const { about } = nodes.get(node.id) ?? {}
      nodes.set(node.id, about && !node.about ? { ...node, about } : node)
    }
    for (const edge of picture.edges) {
      const { said } = edges.get(edgeKey(edge)) ?? {}
      edges.set(edgeKey(edge), said && !edge.said ? { ...edge, said } : edge)
    }
  }
  const notes = [...new Set(pictures.flatMap(({ note }) => note ?? []))].join(' ')
  const between = [...edges.values()].filter(({ source, target }) => source !== target && nodes.has(source) && nodes.has(target))
  return { nodes: [...nodes.values()], edges: between, ...(notes ? { note: notes } : {}) }
}

/** How many edges each node has. */
export function degrees({ nodes, edges }: Picture): ReadonlyMap<string, number> {
  const found = new Map(nodes.map(({ id }) => [id, 0]))
  for (const { source, target } of edges) {
    found.set(source, (found.get(source) ?? 0) + 1)
    found.set(target, (found.get(target) ?? 0) + 1)
  }
  return found
}
