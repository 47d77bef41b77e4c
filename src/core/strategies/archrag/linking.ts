/**
 * From comparing all to following links: when the lowest layer has grown too large, its nodes and those above are linked, from the top down
 * (ArchRAG, §3.1.3), piece by piece in commits of its own, since linking thousands at once would keep the corpus waiting for half a minute. Until
 * all are linked, every question and every newcomer is compared with all, as before.
 */
import { insert, linkDown, type Shape } from '../../algorithms/c-hnsw'
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import { type Clustering, sizeOf } from './clustering-state'
import { layerSpace } from './rows'

const SPACE = 'archrag/linking'
const AT = 'at' // its one key
const WIDTH = 40 // efConstruction: candidates for links

/** How far linking has got: a layer's nodes up to an id are linked among each other, or those above it point down. All layers above are done. */
interface Linking {
  readonly layer: number
  readonly step: 'nodes' | 'down'
  readonly after: string
}

export function shapeOf({ settings }: Pick<Clustering, 'settings'>): Shape {
  return { links: settings.links, candidates: WIDTH }
}

/** Are there links to follow (on all layers), or is every node compared? */
export function isLinked(graph: GraphReader): boolean {
  return linkingOf(graph) === undefined && hasBegun(graph)
}

/** Is anything left to link? */
export function isLinking(graph: GraphReader): boolean {
  return linkingOf(graph) !== undefined
}

/** Is this node of a layer linked, or would it be if it existed? */
export function isPlaced(graph: GraphReader, layer: number, id: string): boolean {
  const at = linkingOf(graph)
  if (!at) return hasBegun(graph)
  return layer > at.layer || (layer === at.layer && (at.step === 'down' || id <= at.after))
}

/** From now on there are too many nodes to compare: those that exist must be linked. */
export function beginLinking(clustering: Clustering): void {
  const { draft, rows, settings } = clustering
  if (isLinking(draft) || hasBegun(draft) || sizeOf(clustering, 0) <= settings.exact) return
  draft.putValue(SPACE, AT, [rows.top(), 'nodes', ''])
}

/** Links another piece. */
export function linkNext(clustering: Clustering): void {
  const { draft, rows, settings } = clustering
  const size = sizeOf(clustering, 0)
  let at = linkingOf(draft)
  for (let left = settings.piece; at && left > 0 && size > 0; ) {
    const ids = idsAfter(draft, at.step === 'nodes' ? at.layer : at.layer + 1, at.after, left)
    for (const id of ids) (at.step === 'nodes' ? linkNode : pointDown)(clustering, at, id)
    left -= ids.length
    at = left > 0 ? nextStep(at, rows.top()) : { ...at, after: ids[ids.length - 1] ?? '' }
  }
  if (at && size > 0) draft.putValue(SPACE, AT, [at.layer, at.step, at.after])
  else draft.dropValue(SPACE, AT)
}

function linkNode(clustering: Clustering, { layer }: Linking, id: string): void {
  const { rows } = clustering
  const row = rows.read(layer, id)
  if (!row) return
  rows.write(layer, id, undefined)
  insert(rows, layer, id, row.vector, shapeOf(clustering))
  rows.setNear(layer, id, row.near)
}

function pointDown(clustering: Clustering, { layer }: Linking, id: string): void {
  linkDown(clustering.rows, layer + 1, id, shapeOf(clustering))
}

function nextStep({ layer, step }: Linking, top: number): Linking | undefined {
  if (step === 'nodes' && layer < top) return { layer, step: 'down', after: '' }
  return layer > 0 ? { layer: layer - 1, step: 'nodes', after: '' } : undefined
}

function hasBegun(graph: GraphReader): boolean {
  return [0, 1].some((layer) => graph.value('archrag/entry', String(layer)) !== undefined)
}

/** Assumed to be what `linkNext` wrote. */
function linkingOf(graph: GraphReader): Linking | undefined {
  const value = graph.value(SPACE, AT) as readonly [number, Linking['step'], string] | undefined
  return value && { layer: value[0], step: value[1], after: value[2] }
}

function idsAfter(draft: Draft, layer: number, after: string, limit: number): string[] {
  const keys = draft.values(layerSpace(layer), after, limit + 1).map(({ key }) => key)
  return keys.filter((key) => key !== after).slice(0, limit)
}
