/** A neighbourhood in readable form: without raw texts (a chunk is represented by its document) and with the closest of the near nodes. */
import { mergePictures, type Picture, type PictureEdge } from './picture'

/** Chunks other than `kept` are replaced by their documents; edges that coincide are added up. */
export function withoutChunks({ nodes, edges, note }: Picture, kept: string | null = null): Picture {
  const chunks = new Set(nodes.filter(({ id, kind }) => kind === 'chunk' && id !== kept).map(({ id }) => id))
  const holders = new Map<string, string[]>()
  for (const { kind, source, target } of edges)
    if (kind === 'contains' && chunks.has(target)) holders.set(target, [...(holders.get(target) ?? []), source])
  const ends = (id: string): readonly string[] => (chunks.has(id) ? (holders.get(id) ?? []) : [id])
  const sums = new Map<string, PictureEdge>()
  for (const edge of edges) {
    for (const source of ends(edge.source)) {
      for (const target of ends(edge.target)) {
        if (source === target) continue
        const key = JSON.stringify([edge.kind, source, target])
        sums.set(key, { ...edge, source, target, weight: edge.weight + (sums.get(key)?.weight ?? 0) })
      }
    }
  }
  const left = nodes.filter(({ id }) => !chunks.has(id))
  return mergePictures([{ nodes: left, edges: [...sums.values()], ...(note ? { note } : {}) }])
}

const FEW = 3 // shares: names may take all of `most`, each other kind a third

/** A node and the closest of its neighbours, by how strongly they are tied to it; and how many were left out. */
export function nearest(picture: Picture, root: string, most: number): { readonly picture: Picture; readonly left: number } {
  const weights = new Map<string, number>()
  for (const { source, target, weight } of picture.edges) {
    const other = source === root ? target : target === root ? source : undefined
    if (other !== undefined) weights.set(other, (weights.get(other) ?? 0) + weight)
  }
  const taken = new Map<string, number>()
  const near = picture.nodes
    .filter(({ id }) => weights.has(id))
    .sort((a, b) => (weights.get(b.id) ?? 0) - (weights.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1))
    .filter(({ kind }) => {
      const before = taken.get(kind) ?? 0
      taken.set(kind, before + 1)
      return before < (kind === 'entity' ? most : Math.ceil(most / FEW))
    })
  const shown = new Set([root, ...near.map(({ id }) => id)])
  return {
    picture: mergePictures([{ nodes: picture.nodes.filter(({ id }) => shown.has(id)), edges: picture.edges }]),
    left: weights.size - near.length,
  }
}
