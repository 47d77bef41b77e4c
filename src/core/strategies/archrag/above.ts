/**
 * What the layers above the lowest are owed while a large change is folded in slice by slice: which of the lowest communities have come, gone or
 * changed since these layers were last grouped. Grouping a slice of entities again reads a third of the second layer and most of the third whatever
 * its size, so it is done once for many slices, in a commit of its own. It lies in one row, like the backlog it belongs to.
 */
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import type { Settings } from '../../settings'
import type { Clustering } from './clustering-state'
import { type Into, type Moves, PARTED } from './replace-communities'
import type { ArchSettings } from './settings'

const SPACE = 'archrag/above'
const KEY = '1' // the layer whose moves they are
const SHARE = 0.5 // of the lowest communities: when so many have come and gone, the layers above follow although slices still wait
const FEW = 256 // of the lowest communities: up to as many the layers above follow every change
const MANY = 1000 // that have come or gone: the layers above lag by no more, however large the corpus
const CHANGED = 4 // times as many that have only changed follow at once, since they stay where they are
const MOST = 10_000 // that have come, gone or changed: under 1 MB in the row

const following = {
  share: 1 / 12, // of the lowest communities, by which the layers above follow in one commit: a commit in a small corpus writes little for it
  least: 0.5, // communities for an entity of a piece
  most: 2, // the same: it takes about as long as a piece then; smaller parts take longer in all
} as const

/** As it is kept: pairs of ids, the second empty if there is none. */
interface Kept {
  /** New, each with the community of the second layer it is found by (`hostsIn`). */
  readonly come: readonly (readonly [id: string, host: string])[]
  /** Each with the community it was in. */
  readonly gone: readonly (readonly [id: string, home: string])[]
  readonly changed: readonly string[]
  /** Former community → the one that holds all of its members, where that is another or none. */
  readonly into: readonly (readonly [id: string, target: string])[]
}

const NOTHING: Kept = { come: [], gone: [], changed: [], into: [] }

/** Assumed to be what `owe` wrote. */
function keptIn(graph: GraphReader): Kept | undefined {
  return graph.value(SPACE, KEY) as unknown as Kept | undefined
}

/** Do the layers above lag behind the lowest communities? O(1). */
export function isOwed(graph: GraphReader): boolean {
  return graph.value(SPACE, KEY) !== undefined
}

/**
 * May they lag while jobs are open? Only where there are many of the lowest communities, since grouping those above costs little where there are
 * few; and not where a model writes reports, which a job waits for.
 */
export function mayLag(graph: GraphReader, { writer }: Pick<Settings, 'writer'>): boolean {
  return !writer && graph.count('community', 1) > FEW
}

/** Have so many of the lowest communities moved that the layers above follow before anything else? */
export function isMuchOwed(graph: GraphReader): boolean {
  const kept = keptIn(graph)
  if (!kept) return false
  const { come, gone, changed } = kept
  const moved = come.length + gone.length
  return moved >= Math.min(MANY, SHARE * graph.count('community', 1)) || moved + changed.length >= MOST
}

/** By how many of the communities they are owed the layers above follow in one commit. */
export function partOf(graph: GraphReader, { piece }: Pick<ArchSettings, 'piece'>): number {
  const share = following.share * graph.count('community', 1)
  return Math.ceil(Math.min(following.most * piece, Math.max(following.least * piece, share)))
}

/** Communities of the second layer, each with the new ones that are near it and not in it yet: who searches its members looks at these too. */
export function guestsIn(graph: GraphReader): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  for (const [id, host] of keptIn(graph)?.come ?? []) {
    const guests = out.get(host)
    if (guests) guests.push(id)
    else out.set(host, [id])
  }
  return out
}

/** The community of the second layer by which a new one is found. */
export function hostsIn(graph: GraphReader): ReadonlyMap<string, string> {
  return new Map(keptIn(graph)?.come ?? [])
}

/** Adds the moves of a slice. What is gone leaves its home at once, so that no edge leads from nothing. */
export function owe(clustering: Clustering, moves: Moves, into: Into, hosts: ReadonlyMap<string, string>): void {
  const { draft, known } = clustering
  const before = keptIn(draft) ?? NOTHING
  const come = new Map(before.come)
  const gone = new Map(before.gone)
  for (const [id, home] of moves.gone) {
    if (come.delete(id)) continue
    gone.set(id, home ?? '')
    if (home !== undefined) draft.dropEdge('member', id, home)
    known.homes.set(id, undefined)
  }
  const targets = new Map(before.into.map(([id, target]) => [id, target === PARTED ? PARTED : (into.get(target) ?? target)]))
  for (const [id, target] of into) if (!targets.has(id) && !come.has(id)) targets.set(id, target)
  for (const id of moves.come) come.set(id, hosts.get(id) ?? '')
  const changed = new Set([...before.changed, ...moves.changed].filter((id) => !moves.gone.has(id) && !come.has(id)))
  write(draft, { come: [...come], gone: [...gone], changed: [...changed], into: [...targets].filter(([id, target]) => id !== target) })
}

function write(draft: Draft, kept: Kept): void {
  const { come, gone, changed } = kept
  if (come.length + gone.length + changed.length > 0) draft.putValue(SPACE, KEY, kept as unknown as Json)
  else draft.dropValue(SPACE, KEY)
}

/** There are no layers above any more. */
export function forgetOwed({ draft }: Pick<Clustering, 'draft'>): void {
  draft.dropValue(SPACE, KEY)
}

/**
 * What is owed, together with the moves of now: all of it, or of each kind as many as may follow at once, those first that have waited longest.
 * It is no longer owed then.
 */
export function takeOwed(clustering: Clustering, moves: Moves, into: Into, most = Number.POSITIVE_INFINITY): Moves {
  const { draft } = clustering
  const kept = keptIn(draft)
  if (!kept) return moves
  owe(clustering, moves, into, new Map())
  const owed = keptIn(draft) ?? NOTHING
  const [come, gone, changed] = [owed.come.slice(0, most), owed.gone.slice(0, most), owed.changed.slice(0, CHANGED * most)]
  const { into: targets } = owed
  write(draft, { come: owed.come.slice(most), gone: owed.gone.slice(most), changed: owed.changed.slice(CHANGED * most), into: targets })
  into.clear()
  for (const [id, target] of targets) into.set(id, target)
  return {
    come: new Set(come.map(([id]) => id)),
    gone: new Map(gone.map(([id, home]) => [id, home === '' ? undefined : home])),
    changed: new Set(changed),
  }
}
