/**
 * Which nodes of a layer are related by texts, and how strongly (ArchRAG, Algorithm 1, lines 3 and 9): entities by their relations, communities if
 * their members are related. Read together and remembered for the update.
 */
import { SAME, sameAs, sameAsEach } from '../../builders/resolution'
import type { Draft } from '../../graph/draft'
import { neighboursOf } from '../../graph/neighbours'
import type { Neighbours } from '../../graph/reader'
import { type Clustering, fetchHomes, homeOf, membersAtHome } from './clustering-state'

const SAME_WEIGHT = 10 // of the link between two names of one thing: the strongest that a relation can be
const KEPT = 150_000 // relations remembered during an update: about 3 MB, since ids are shared
const TOGETHER = 500 // members whose relations are read at once

/** Strength by node, without the links by likeness. Communities are linked if their members are. */
export function relationWeights(clustering: Clustering, layer: number, id: string): ReadonlyMap<string, number> {
  if (layer === 0) return entityWeights(clustering, id)
  const before = clustering.known.weights[layer]?.get(id)
  if (before) return before
  const members = membersAtHome(clustering, id)
  fetchBelow(clustering, layer, members)
  return weightsOver(clustering, layer, id, members)
}

/** Only the nodes, in the same order. */
export function relatedTo(clustering: Clustering, layer: number, id: string): Iterable<string> {
  if (layer > 0) return relationWeights(clustering, layer, id).keys()
  const { ids } = relationsOf(clustering, id)
  const names = namesOf(clustering, id)
  return names.length === 0 ? ids : new Set([...ids, ...names])
}

/** Reads together what `relationWeights` of these will be made of. */
export function fetchWeights(clustering: Clustering, layer: number, ids: readonly string[]): void {
  if (layer === 0) {
    fetchRelations(clustering, ids)
    fetchNames(clustering, ids)
    return
  }
  const missing = ids.filter((id) => !clustering.known.weights[layer]?.has(id))
  clustering.draft.preload({ nodes: missing })
  let some: (readonly [id: string, members: readonly string[]])[] = []
  let size = 0
  const flush = (): void => {
    fetchBelow(
      clustering,
      layer,
      some.flatMap(([, members]) => members),
    )
    for (const [id, members] of some) weightsOver(clustering, layer, id, members)
    some = []
    size = 0
  }
  for (const id of missing) {
    const members = membersAtHome(clustering, id)
    some.push([id, members])
    size += members.length
    if (size >= TOGETHER) flush()
  }
  flush()
}

/** Reads together the other names of entities that are about to be looked at. */
export function fetchNames({ draft, known }: Clustering, ids: readonly string[]): void {
  const { names } = known
  const missing = ids.filter((id) => !names.has(id))
  if (missing.length === 0 || isWithoutNames(draft, known)) return
  for (const [i, others] of sameAsEach(draft, missing).entries()) names.set(missing[i] as string, others)
}

export function namesOf({ draft, known }: Clustering, id: string): readonly string[] {
  const { names } = known
  const before = names.get(id)
  if (before) return before
  if (isWithoutNames(draft, known)) return NONE
  const read = sameAs(draft, id)
  names.set(id, read)
  return read
}

/** Called when names have been joined or parted. */
export function forgetNames({ known }: Clustering): void {
  known.names.clear()
  known.hasNames = undefined
}

const NONE: readonly string[] = []

/** Most corpora have no entity with two names, so that each need not be asked. */
function isWithoutNames(draft: Draft, known: Clustering['known']): boolean {
  known.hasNames ??= draft.values(SAME, '', 1).length > 0
  return !known.hasNames
}

/** Called when nodes of a layer have moved to other homes: what was read about the links of layers above no longer holds. */
export function forgetWeightsFrom({ known }: Clustering, layer: number): void {
  for (let at = layer; at < known.weights.length; at++) {
    for (const weights of known.weights[at]?.values() ?? []) known.kept -= weights.size + 1
    known.weights[at] = new Map()
  }
}

function entityWeights(clustering: Clustering, id: string): ReadonlyMap<string, number> {
  const { ids, weights } = relationsOf(clustering, id)
  const all = new Map(ids.map((other, i) => [other, weights[i] as number]))
  for (const other of namesOf(clustering, id)) all.set(other, (all.get(other) ?? 0) + SAME_WEIGHT)
  return all
}

/** Members' own links, and the homes of the nodes they lead to. */
function fetchBelow(clustering: Clustering, layer: number, members: readonly string[]): void {
  fetchWeights(clustering, layer - 1, members)
  for (const member of members) fetchHomes(clustering, relatedTo(clustering, layer - 1, member))
}

function weightsOver(clustering: Clustering, layer: number, id: string, members: readonly string[]): ReadonlyMap<string, number> {
  const { known } = clustering
  const out = new Map<string, number>()
  for (const member of members) {
    for (const other of relatedTo(clustering, layer - 1, member)) {
      const parent = homeOf(clustering, other)
      if (parent !== undefined && parent !== id) out.set(parent, (out.get(parent) ?? 0) + 1)
    }
  }
  if (known.kept + out.size > KEPT) return out
  known.kept += out.size + 1
  known.weights[layer] ??= new Map()
  known.weights[layer].set(id, out)
  return out
}

function relationsOf(clustering: Clustering, id: string): Neighbours {
  const before = clustering.known.relations.get(id)
  if (before) return before
  return fetchRelations(clustering, [id])[0] ?? { ids: [], weights: [] }
}

/** Reads only those that are not known yet. */
function fetchRelations({ draft, known }: Clustering, ids: readonly string[]): readonly Neighbours[] {
  const missing = ids.filter((id) => !known.relations.has(id))
  if (missing.length === 0) return []
  const read = neighboursOf(draft, 'relates', missing)
  for (const [i, one] of read.entries()) {
    if (known.kept + one.ids.length > KEPT) continue
    known.kept += one.ids.length + 1
    known.relations.set(missing[i] as string, one)
  }
  return read
}
