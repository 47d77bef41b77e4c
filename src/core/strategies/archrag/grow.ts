/**
 * Layers of communities, grown from what has come, gone and changed in the lowest layer. Settled within the update, before any model is asked; no
 * text is written here.
 */
import { forgetOwed, isOwed, owe, takeOwed } from './above'
import { type Clustering, isOutgrown, keepState, membersOf, sizeOf, stateOf } from './clustering-state'
import { dissolve } from './community'
import { guestHosts } from './descent'
import { beginLinking } from './linking'
import { regroup } from './regroup'
import { fetchWeights } from './relation-weights'
import type { Into, Moves } from './replace-communities'
import { linkNearest, reindex, removeLinks, settleMean, settleState, unlink } from './similarity-links'
import { isJoined } from './weighted-links'

const WHOLE = 4096 // nodes of a layer above the entities up to which all of it is grouped again, in memory: about 10 kB each
const SMALLER = 0.9 // of the layer below: one that hardly groups anything is not worth having

export interface Grown {
  /** Communities made or changed. */
  readonly made: ReadonlySet<string>
  readonly dropped: ReadonlySet<string>
  /** Are the layers above the lowest communities left to a later commit? */
  readonly isLowest?: boolean
}

/** From the lowest layer up: what comes and goes in one layer changes the communities of the next. */
export function grow(clustering: Clustering, lowest: Moves, full = false): Grown {
  return growFrom(clustering, 0, lowest, { full, turned: [] })
}

/** Only the lowest communities: the layers above are owed what has moved among these (`growAbove`). */
export function growLowest(clustering: Clustering, lowest: Moves): Grown {
  return growFrom(clustering, 0, lowest, { full: false, turned: [], isLowest: true })
}

/** The layers above the lowest communities, by what they are owed: all of it, or at most so many communities. */
export function growAbove(clustering: Clustering, most = Number.POSITIVE_INFINITY): Grown {
  if (!isOwed(clustering.draft)) return { made: new Set(), dropped: new Set() }
  return growFrom(clustering, 1, STILL, { full: false, turned: [], most })
}

/**
 * Communities whose reports have new vectors, layer by layer (`layer_vectors: "reports"`), are linked and grouped as if they had just arrived:
 * these, and whatever is above those that move as a result, and nothing else.
 */
export function growAround(clustering: Clustering, turned: readonly ReadonlySet<string>[]): Grown {
  const first = turned.findIndex((ids) => ids !== undefined && ids.size > 0)
  if (first < 1) return { made: new Set(), dropped: new Set() }
  return growFrom(clustering, first, STILL, { full: false, turned })
}

const STILL: Moves = { come: new Set(), gone: new Map(), changed: new Set() }

interface How {
  readonly full: boolean
  /** By layer. */
  readonly turned: readonly ReadonlySet<string>[]
  readonly isLowest?: boolean
  /** Of the communities that the layers above are owed, at most so many follow. */
  readonly most?: number
}

function growFrom(clustering: Clustering, first: number, below: Moves, how: How): Grown {
  const { full, turned, isLowest = false, most } = how
  const made = new Set<string>()
  const dropped = new Set<string>()
  const into: Into = new Map()
  let moves = below
  for (let layer = first; ; layer++) {
    if (layer === 1) moves = takeOwed(clustering, moves, into, groupsWhole(clustering, 1) ? undefined : most)
    if (!full && wasTried(clustering, layer)) break
    moves = withTurned(clustering, layer, moves, turned[layer])
    if (!isWorthGrouping(clustering, layer)) {
      keepState(clustering.draft, layer, undefined)
      if (layer <= 1) forgetOwed(clustering) // above the second, what has not followed yet still will
      dropLayers(clustering, layer + 1, dropped)
      break
    }
    const whole = linkLayer(clustering, layer, moves, full)
    moves = regroup(clustering, layer, moves, into, { whole, fresh: full })
    indexLayer(clustering, layer + 1, moves)
    for (const id of moves.gone.keys()) dropped.add(id)
    for (const id of [...moves.come, ...moves.changed]) made.add(id)
    if (isLowest) {
      owe(clustering, moves, into, guestHosts(clustering, [...moves.come]))
      for (const home of moves.gone.values()) if (home) made.add(home)
      break
    }
    if (layer > 0 && sizeOf(clustering, layer + 1) < clustering.settings.min) {
      dropLayers(clustering, layer + 1, dropped)
      keepTried(clustering, layer)
      break
    }
    if (isDone(clustering, layer, moves, how)) break
  }
  beginLinking(clustering)
  return { made, dropped, isLowest }
}

/** Has nothing moved in a layer that the ones above would have to follow? */
function isDone({ draft }: Clustering, layer: number, { come, gone, changed }: Moves, { full, turned }: How): boolean {
  if (full || layer < turned.length || come.size + gone.size + changed.size > 0) return false
  return layer > 0 || !isOwed(draft)
}

/** Adds the turned nodes of a layer that are still there, without the links that their former vectors made. */
function withTurned(clustering: Clustering, layer: number, moves: Moves, turned: ReadonlySet<string> = new Set()): Moves {
  const ids = [...turned].filter((id) => clustering.rows.read(layer, id) && !moves.come.has(id))
  for (const id of ids) unlink(clustering, layer, id)
  return ids.length === 0 ? moves : { ...moves, come: new Set([...moves.come, ...ids]) }
}

/**
 * Links by likeness: for new nodes and those that have lost their last link; for all if a layer is grouped for the first time. Where a layer has
 * doubled, only what arrives is linked by the new measure, since comparing all with all takes longer than all else. True if all of it is to be
 * grouped.
 */
function linkLayer(clustering: Clustering, layer: number, moves: Moves, full: boolean): boolean {
  if (layer === 0) fetchWeights(clustering, layer, [...moves.come, ...moves.changed])
  const whole = full || groupsWhole(clustering, layer)
  const first = full || sizeOf(clustering, layer + 1) === 0
  const taken = settleState(clustering, layer)
  const ids = first ? clustering.rows.ids(layer) : [...new Set([...moves.come, ...withoutLinks(clustering, layer, moves)])].sort()
  if (full) for (const id of ids) clustering.rows.setNear(layer, id, [])
  linkNearest(clustering, layer, ids)
  if (taken && !whole) settleMean(clustering, layer) // else `regroup` takes the mean itself
  return whole
}

/** Is all of a layer to be grouped: for the first time, and where it has doubled, unless it is the lowest or too large? */
function groupsWhole(clustering: Clustering, layer: number): boolean {
  if (sizeOf(clustering, layer + 1) === 0) return true
  const state = stateOf(clustering.draft, layer)
  return (!state || isOutgrown(clustering, layer, state)) && mayGroupWhole(layer, sizeOf(clustering, layer))
}

/** May all of a layer that has doubled be grouped again at once? */
export function mayGroupWhole(layer: number, nodes: number): boolean {
  return layer > 0 && nodes <= WHOLE
}

/** Nodes whose last link has gone with another node or with a text. */
function withoutLinks(clustering: Clustering, layer: number, { gone, changed }: Moves): readonly string[] {
  const beside = [...gone.values()].flatMap((id) => (id === undefined ? [] : membersOf(clustering.draft, id)))
  return [...changed, ...beside].filter((id) => clustering.rows.read(layer, id) && !isJoined(clustering, layer, id))
}

/** A layer above the first needs enough nodes below for `min` communities, and is not worth having if hardly anything was grouped below it. */
function isWorthGrouping({ settings, draft }: Clustering, layer: number): boolean {
  if (layer >= settings.levels) return false
  const nodes = sizeOf({ draft }, layer)
  return layer === 0 ? nodes > 0 : nodes >= 2 * settings.min && nodes <= SMALLER * sizeOf({ draft }, layer - 1)
}

/** Did this layer give too few communities, and has it not doubled since? Then trying again would read the corpus for nothing. */
function wasTried(clustering: Clustering, layer: number): boolean {
  if (layer === 0 || sizeOf(clustering, layer + 1) > 0 || !isWorthGrouping(clustering, layer)) return false
  const state = stateOf(clustering.draft, layer)
  return state !== undefined && !isOutgrown(clustering, layer, state)
}

function keepTried(clustering: Clustering, layer: number): void {
  const state = stateOf(clustering.draft, layer)
  if (state) keepState(clustering.draft, layer, { ...state, size: sizeOf(clustering, layer) })
}

/** Makes the index follow a layer's communities. */
function indexLayer(clustering: Clustering, layer: number, { come, gone, changed }: Moves): void {
  clustering.rows.fetch(layer, [...gone.keys(), ...come, ...changed])
  for (const id of gone.keys()) removeLinks(clustering, layer, id)
  for (const id of [...come, ...changed].sort()) reindexCommunity(clustering, layer, id)
}

function reindexCommunity(clustering: Clustering, layer: number, id: string): void {
  const vector = clustering.draft.node(id)?.vector
  if (vector) reindex(clustering, layer, id, vector)
}

/** Removes a layer and all layers above it. */
function dropLayers(clustering: Clustering, from: number, dropped: Set<string>): void {
  const { draft, rows } = clustering
  for (let layer = from; ; layer++) {
    const ids = rows.ids(layer)
    if (ids.length === 0) return
    for (const id of ids) {
      removeLinks(clustering, layer, id)
      dissolve(clustering, id)
      dropped.add(id)
    }
    keepState(draft, layer, undefined)
  }
}

/** Grows every layer as if it had never been clustered. */
export function growAnew(clustering: Clustering, moves: Moves): Grown {
  for (let layer = 0; layer <= clustering.settings.levels; layer++) keepState(clustering.draft, layer, undefined)
  return grow(clustering, { ...moves, come: new Set(clustering.rows.ids(0)) }, true)
}
