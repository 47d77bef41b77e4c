/**
 * Computes the whole tree again and compares: what is not as it should be is put right, and a healthy tree is left alone. The paper's split and
 * merge remembers its history, so there the stored segments count, as long as they are within the bounds.
 */
import type { Place } from '../../graph/types'
import { kindOf } from '../../ids'
import { replaceSegments, sumMembers, summaryId } from './grow'
import { allSegments, isTop } from './segments'
import { allPlaces, dropSummary, parentOf, segmentOf, spaceOf, type Tree } from './tree'

const PAGE = 1000 // summaries read at a time

/** `leaves` are all chunks, with the keys they should have. */
export function repair(tree: Tree, leaves: readonly Place[]): void {
  let places: readonly Place[] = [...leaves].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (let layer = 0; places.length > 0 || tree.draft.order(spaceOf(layer), { limit: 1 }).length > 0; layer++) {
    places = repairLayer(tree, layer, places)
  }
  for (const id of straySummaries(tree)) {
    const node = tree.draft.node(id)
    if (node) dropSummary(tree, node)
  }
}

/** Puts a layer's index and the segments over it right; returns the places that its summaries should have. */
function repairLayer(tree: Tree, layer: number, places: readonly Place[]): readonly Place[] {
  const { draft } = tree
  const wanted = new Map(places.map((place) => [place.key, place.id]))
  for (const { key, id } of allPlaces(draft, spaceOf(layer))) if (wanted.get(key) !== id) draft.dropPlace(spaceOf(layer), key)
  for (const { key, id } of places) draft.putPlace(spaceOf(layer), key, id)
  if (isTop(tree, layer)) {
    for (const { id } of places) unlink(tree, id, undefined)
    return []
  }
  const segments = storedSegments(tree, places) ?? allSegments(tree, layer)
  for (const segment of segments) {
    const summary = summaryId(layer + 1, segment)
    for (const { id } of segment) unlink(tree, id, summary)
    verify(tree, summary, segment)
  }
  replaceSegments(tree, layer + 1, segments, new Set())
  const ids = segments.map((segment) => summaryId(layer + 1, segment))
  return ids.map((id) => ({ id, key: keyAt(tree, id) })).sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The stored segments, if the method remembers them and they are sound: contiguous, within the bounds, all there. */
function storedSegments({ draft, shape }: Tree, places: readonly Place[]): (readonly Place[])[] | undefined {
  if (shape.segmentation === 'trie') return undefined
  const runs: Place[][] = []
  let former: string | undefined
  for (const place of places) {
    const parent = parentOf(draft, place.id)
    if (parent === undefined || !draft.node(parent)) return undefined
    if (parent !== former) runs.push([])
    runs[runs.length - 1]?.push(place)
    former = parent
  }
  return runs.every((run) => run.length >= shape.min && run.length <= shape.max) ? runs : undefined
}

/** A summary whose sum or count is not that of its members is removed, to be made again. */
function verify(tree: Tree, id: string, segment: readonly Place[]): void {
  const node = tree.draft.node(id)
  if (!node) return
  const { sum, leaves } = sumMembers(tree, segment)
  if (segmentOf(node).leaves !== leaves || !node.sum?.every((one, i) => one === sum[i])) dropSummary(tree, node)
}

function keyAt({ draft }: Tree, id: string): string {
  const node = draft.node(id)
  return node ? segmentOf(node).key : ''
}

/** A node has one summary: edges to others are dropped. */
function unlink({ draft }: Tree, id: string, kept: string | undefined): void {
  for (const { target } of draft.edges('member', id)) {
    if (kindOf(target) === 'summary' && target !== kept) draft.dropEdge('member', id, target)
  }
}

/** Summaries that are in no layer's index. */
function straySummaries({ draft }: Tree): string[] {
  const out: string[] = []
  for (let page = draft.page('summary', '', PAGE); page.length > 0; page = draft.page('summary', page[page.length - 1] ?? '', PAGE)) {
    for (const id of page) {
      const node = draft.node(id)
      if (!node) continue
      const { key } = segmentOf(node)
      if (draft.order(spaceOf(node.layer), { from: key, to: key, limit: 1 })[0]?.id !== id) out.push(id)
    }
  }
  return out
}
