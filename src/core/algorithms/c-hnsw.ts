/**
 * C-HNSW (ArchRAG, arXiv 2502.09891, §3.1.3 and Algorithm 2): layers of links between near vectors, each node in exactly one layer, and from every
 * node one link down to the nearest in the layer below. Nodes come and go without a rebuild. Links go both ways, and a link is only dropped if a
 * third node joins its ends; ends that a deletion separates are joined again by a spanning tree. So every layer stays connected, whatever comes and
 * goes. Which links there are depends on the order of arrival; what is found hardly does. Reads and writes through the layers it is given; it knows
 * nothing of what the nodes stand for.
 */
import type { Layers, Linked } from './c-hnsw-layers'
import { chosenLinks, spanning } from './c-hnsw-links'
import { best, type Counter, descend, type Scored, searchLayer } from './c-hnsw-search'
import { closeness } from './nearness'

export interface Shape {
  /** M: links a new node makes. A node keeps at most twice as many, unless dropping one would cut the layer. */
  readonly links: number
  /** efConstruction: candidates considered for these links. */
  readonly candidates: number
}

const SHRUNK = 1.5 // times M links are left to a node that had more than 2 M: some room, so that not every new link needs a choice

/** Inserts a node, and returns what is near it. If it is already there, it is removed first. */
export function insert(layers: Layers, layer: number, id: string, vector: Int8Array, shape: Shape): readonly Scored[] {
  if (layers.read(layer, id)) remove(layers, layer, id, shape)
  const above = layer < layers.top() ? descend(layers, vector, layer + 1, shape.candidates) : []
  const near = searchLayer(layers, layer, vector, startsIn(layers, layer, above), shape.candidates)
  const links = chosenLinks(layers, layer, near, shape.links)
  layers.write(layer, id, { vector, links, ups: [] })
  if (layers.entry(layer) === undefined) layers.enter(layer, id)
  for (const other of links) link(layers, layer, other, id)
  for (const other of links) shrink(layers, layer, other, shape)
  if (layer > 0) relink(layers, layer, id, near, shape)
  for (const up of above) rise(layers, layer, up.id, id)
  return near
}

/** Removes a node. Does nothing if it is not there. */
export function remove(layers: Layers, layer: number, id: string, shape: Shape): void {
  const node = layers.read(layer, id)
  if (!node) return
  for (const other of node.links) unlink(layers, layer, other, id)
  layers.write(layer, id, undefined)
  for (const [a, b] of spanning(layers, layer, node.links)) {
    link(layers, layer, a, b)
    link(layers, layer, b, a)
  }
  for (const other of node.links) shrink(layers, layer, other, shape)
  if (layers.entry(layer) === id) layers.enter(layer, node.links[0])
  if (node.down !== undefined) dropUp(layers, layer - 1, node.down, id)
  const starts = node.links.length > 0 ? node.links : [layers.entry(layer) ?? []].flat()
  for (const up of node.ups) {
    const orphan = layers.read(layer + 1, up)
    if (!orphan) continue
    const [nearest] = searchLayer(layers, layer, orphan.vector, starts, shape.candidates)
    point(layers, layer + 1, up, nearest?.id)
  }
}

/** Points a node of a layer to its nearest below, when the layer below has just been created. */
export function linkDown(layers: Layers, layer: number, id: string, shape: Shape): void {
  relink(layers, layer, id, [], shape)
}

/** Where a search of a layer begins: below the best of the layer above, or at the layer's entry. */
export function startsIn(layers: Layers, layer: number, above: readonly Scored[]): readonly string[] {
  const below = above.slice(0, best.starts).flatMap(({ id }) => layers.read(layer + 1, id)?.down ?? [])
  const known = [...new Set(below)].filter((id) => layers.read(layer, id))
  return known.length > 0 ? known : [layers.entry(layer) ?? []].flat()
}

function relink(layers: Layers, layer: number, id: string, near: readonly Scored[], shape: Shape): void {
  const node = layers.read(layer, id)
  if (!node) return
  const starts = startsIn(
    layers,
    layer - 1,
    near.filter((one) => one.id !== id),
  )
  const [nearest] = searchLayer(layers, layer - 1, node.vector, starts, shape.candidates)
  point(layers, layer, id, nearest?.id)
}

/** A node above is pointed to the new one if that is nearer. */
function rise(layers: Layers, layer: number, up: string, id: string): void {
  const above = layers.read(layer + 1, up)
  const node = layers.read(layer, id)
  if (!above || !node) return
  const known = above.down === undefined ? undefined : layers.read(layer, above.down)
  if (!known || closeness(node.vector, above.vector) > closeness(known.vector, above.vector)) point(layers, layer + 1, up, id)
}

function point(layers: Layers, layer: number, id: string, down: string | undefined): void {
  const node = layers.read(layer, id)
  if (!node || node.down === down) return
  if (node.down !== undefined) dropUp(layers, layer - 1, node.down, id)
  const { down: _, ...rest } = node
  layers.write(layer, id, down === undefined ? rest : { ...rest, down })
  const below = down === undefined ? undefined : layers.read(layer - 1, down)
  if (down !== undefined && below) layers.write(layer - 1, down, { ...below, ups: [...below.ups, id].sort() })
}

function dropUp(layers: Layers, layer: number, id: string, up: string): void {
  const node = layers.read(layer, id)
  if (node) layers.write(layer, id, { ...node, ups: node.ups.filter((one) => one !== up) })
}

function link(layers: Layers, layer: number, from: string, to: string): void {
  const node = layers.read(layer, from)
  if (node && !node.links.includes(to)) layers.write(layer, from, { ...node, links: [...node.links, to] })
}

function unlink(layers: Layers, layer: number, from: string, to: string): void {
  const node = layers.read(layer, from)
  if (node) layers.write(layer, from, { ...node, links: node.links.filter((one) => one !== to) })
}

/** Drops the least useful links above the bound, each only if a third node joins both ends. */
function shrink(layers: Layers, layer: number, id: string, shape: Shape): void {
  const node = layers.read(layer, id)
  if (!node || node.links.length <= 2 * shape.links) return
  const max = Math.ceil(SHRUNK * shape.links)
  const near = scoredLinks(layers, layer, node)
  const kept = new Set(chosenLinks(layers, layer, near, max))
  const left = new Set(node.links)
  for (const { id: other } of near.reverse()) {
    if (left.size <= max || kept.has(other)) continue
    if (!layers.read(layer, other)?.links.some((one) => left.has(one))) continue
    left.delete(other)
    unlink(layers, layer, other, id)
  }
  layers.write(layer, id, { ...node, links: node.links.filter((one) => left.has(one)) })
}

function scoredLinks(layers: Layers, layer: number, node: Linked): Scored[] {
  const found = node.links.flatMap((id): Scored[] => {
    const other = layers.read(layer, id)
    return other ? [{ id, score: closeness(node.vector, other.vector) }] : []
  })
  return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

export type { Counter, Scored }
