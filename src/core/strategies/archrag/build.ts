/**
 * ArchRAG's builder (arXiv 2502.09891): attributed communities over the entities, layer upon layer, each with a report, and the index that searches
 * them. What changes among entities and relations changes the communities it touches; the structure is settled within the update, before any
 * model is asked. Follows the builders of mentions and relations.
 */
import { merge, SAME, sameAs, undo, unresolved } from '../../builders/resolution'
import { type Draft, draftOf } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Patch } from '../../graph/types'
import { kindOf } from '../../ids'
import type { Settings } from '../../settings'
import type { Brief, Builder, Reply, Task, Update } from '../../strategy'
import { communityOf, dissolve, reopen } from './community'
import { drift } from './drift'
import { entityVector } from './entities'
import { type Field, fieldOf, homeOf, isJoined, keepState, membersOf, parentOf, sizeOf } from './field'
import { displace, liken, reindex, settleMean, settleState } from './likeness'
import { beginLinking, isLinking, linkSome } from './linking'
import { extractive, inputOf, materialOf } from './material'
import { isOwing, piece, pieceOf, portion } from './owed'
import { type Into, type Moves, regroup } from './regroup'
import { type Desk, receive, settle } from './reports'
import { attendTelling, keepTelling, tellingBrief, tellingSources, toldIn } from './tellings'

const PAGE = 1000 // ids read at a time where everything is read
const SMALLER = 0.9 // of a layer: one that hardly groups anything is not worth having

export const archBuilder: Builder = {
  name: 'archrag',
  builds: ['community'],
  follows: ['mentions', 'knowledge', 'senses'],
  unitVectors: true,

  update(graph, delta, settings) {
    const draft = draftOf(graph)
    const touched = delta.changes ? named(delta.changes) : everyone(draft)
    const told = new Set([...touched, ...toldIn(delta.changes ?? [])])
    if (told.size + delta.replies.length === 0) return { patch: [], tasks: [] }
    const field = fieldOf(draft, settings.archrag, delta.removed.length > 0)
    const moves = entityMoves(field, portion(field, touched))
    const grown = settings.archrag.growth === 'whole' && touched.size > 0 ? growAnew(field, moves) : grow(field, moves)
    return finished(field, settings, grown, delta.replies, told)
  },

  hasBacklog: (graph) => isLinking(graph) || isOwing(graph),

  processBacklog(graph, settings) {
    const field = fieldOf(draftOf(graph), settings.archrag, false)
    if (!isLinking(graph)) return finished(field, settings, grow(field, entityMoves(field, piece(field, pieceOf(field)))), [])
    linkSome(field) // first of all: what comes then need not be compared with everything
    return { patch: field.draft.patch(), tasks: [] }
  },

  brief: briefOf,

  /** A community's report dies with the chunks its words come from, and with the reports below it. */
  sources(graph, reply) {
    if (reply.kind === 'summarize') return tellingSources(graph, reply.node)
    const node = graph.node(reply.node)
    if (!node) return [reply.node]
    return node.layer === 1 ? materialOf(graph, node).from : lowest(graph, reply.node)
  },

  again(graph, nodes, settings) {
    const field = fieldOf(draftOf(graph), settings.archrag, false)
    for (const id of nodes) reopen(field, id)
    const reports = new Set(nodes.filter((id) => graph.node(id)?.kind === 'community'))
    return finished(field, settings, { made: reports, dropped: new Set() }, [], new Set(nodes.filter((id) => !reports.has(id))))
  },

  drift(graph, settings) {
    const { losses, measured } = drift(graph, settings.archrag)
    if (!measured) return []
    return (['modularity', 'likeness'] as const).map((measure) => ({ measure, lost: losses[measure], bound: settings.archrag.drift }))
  },

  /** Names of one thing are joined; then all layers are clustered anew, if they have drifted far enough. */
  consolidate(graph, settings) {
    const due = drift(graph, settings.archrag).due
    const field = fieldOf(draftOf(graph), settings.archrag, false)
    const joined = joinNames(field)
    if (due) return anew(field, settings)
    return joined.size === 0 ? { patch: [], tasks: [] } : finished(field, settings, grow(field, { ...NOTHING, changed: joined }), [])
  },
}

/** A full clustering of all layers, as if they had never been clustered; reports whose communities come out as they were stand. */
export function clusterAnew(graph: GraphReader, settings: Settings): Update {
  return anew(fieldOf(draftOf(graph), settings.archrag, false), settings)
}

const NOTHING: Moves = { come: new Set(), gone: new Map(), changed: new Set() }

/** Entities that are now known to be the same as another. */
function joinNames({ draft, rows, known }: Field): Set<string> {
  const pairs = unresolved(draft, rows.ids(0), (id) => rows.peek(0, id)?.vector)
  for (const pair of pairs) merge(draft, pair)
  known.names.clear()
  return new Set(pairs.flatMap(({ a, b }) => [a, b]))
}

function anew(field: Field, settings: Settings): Update {
  piece(field, Number.POSITIVE_INFINITY) // nobody is owed anything any more
  return finished(field, settings, growAnew(field, entityMoves(field, everyone(field.draft))), [])
}

/** Every layer as if it had never been clustered. */
function growAnew(field: Field, moves: Moves): Grown {
  for (let layer = 0; layer <= field.settings.levels; layer++) keepState(field.draft, layer, undefined)
  return grow(field, { ...moves, come: new Set(field.rows.ids(0)) }, true)
}

/** Entities whose mentions or relations have changed, or what they are taken for. */
function named(changes: Patch): Set<string> {
  const out = new Set<string>()
  for (const change of changes) {
    if (change.op === 'put-node' && change.node.kind === 'entity') out.add(change.node.id)
    if (change.op === 'drop-node' && kindOf(change.id) === 'entity') out.add(change.id)
    const edge = change.op === 'put-edge' ? change.edge : change.op === 'drop-edge' ? change : undefined
    if ('space' in change && change.space === SAME) out.add(change.key)
    if (edge?.kind === 'mentions') out.add(edge.target)
    if (edge?.kind === 'relates') out.add(edge.source).add(edge.target)
  }
  return out
}

function everyone(draft: Draft): Set<string> {
  const out = new Set<string>()
  for (let page = draft.page('entity', '', PAGE); page.length > 0; page = draft.page('entity', page[page.length - 1] ?? '', PAGE)) {
    for (const id of page) out.add(id)
  }
  for (
    let page = draft.values('archrag/0', '', PAGE);
    page.length > 0;
    page = draft.values('archrag/0', `${page[page.length - 1]?.key}~`, PAGE)
  ) {
    for (const { key } of page) out.add(key)
  }
  return out
}

/** Puts entities in the lowest layer and takes them out, as they are in the graph now. */
function entityMoves(field: Field, touched: ReadonlySet<string>): Moves {
  const come = new Set<string>()
  const gone = new Map<string, string | undefined>()
  const changed = new Set<string>()
  for (const id of [...touched].sort()) {
    const known = field.rows.read(0, id) !== undefined
    if (field.draft.node(id)) {
      ;(known ? changed : come).add(id)
      reindex(field, 0, id, entityVector(field.draft, id))
    } else if (known) gone.set(id, leave(field, id))
  }
  return { come, gone, changed }
}

/** Takes an entity out; the community it was in is returned. */
function leave(field: Field, id: string): string | undefined {
  const { draft } = field
  const parent = homeOf(field, id)
  displace(field, 0, id)
  for (const other of sameAs(draft, id)) undo(draft, id, other, 'rule')
  field.known.names.clear()
  if (parent !== undefined) draft.dropEdge('member', id, parent)
  field.known.homes.delete(id)
  return parent
}

interface Grown {
  /** Communities made or changed. */
  readonly made: ReadonlySet<string>
  readonly dropped: ReadonlySet<string>
}

/** From the lowest layer up: what comes and goes in one changes the communities of the next. */
function grow(field: Field, lowest: Moves, full = false): Grown {
  const made = new Set<string>()
  const dropped = new Set<string>()
  const into: Into = new Map()
  let moves = lowest
  for (let layer = 0; ; layer++) {
    if (!groups(field, layer)) {
      keepState(field.draft, layer, undefined)
      raze(field, layer + 1, dropped)
      break
    }
    const whole = linked(field, layer, moves, full)
    moves = regroup(field, layer, moves, into, { whole, fresh: full })
    indexed(field, layer + 1, moves)
    for (const id of moves.gone.keys()) dropped.add(id)
    for (const id of [...moves.come, ...moves.changed]) made.add(id)
    if (layer > 0 && sizeOf(field, layer + 1) < field.settings.min) {
      raze(field, layer + 1, dropped)
      break
    }
    if (!full && moves.come.size + moves.gone.size + moves.changed.size === 0) break
  }
  beginLinking(field)
  return { made, dropped }
}

/**
 * Links by likeness for what is new and what has no link left; for all where a layer is grouped for the first time, or, above the lowest, has
 * doubled. True where all of it is to be grouped. The lowest layer is too large for that: there only what comes is linked by the new measure.
 */
function linked(field: Field, layer: number, moves: Moves, full: boolean): boolean {
  const taken = settleState(field, layer)
  const whole = full || sizeOf(field, layer + 1) === 0 || (taken && layer > 0)
  const ids = whole ? field.rows.ids(layer) : [...new Set([...moves.come, ...bereft(field, layer, moves)])].sort()
  if (full) for (const id of ids) field.rows.liken(layer, id, [])
  liken(field, layer, ids)
  if (taken) settleMean(field, layer)
  return whole
}

/** Nodes whose last link has gone with another node or with a text. */
function bereft(field: Field, layer: number, { gone, changed }: Moves): readonly string[] {
  const beside = [...gone.values()].flatMap((id) => (id === undefined ? [] : membersOf(field.draft, id)))
  return [...changed, ...beside].filter((id) => field.rows.read(layer, id) && !isJoined(field, layer, id))
}

/** A layer above the first needs nodes enough below for `min` communities, and is not worth having where hardly anything was grouped. */
function groups({ settings, draft }: Field, layer: number): boolean {
  if (layer >= settings.levels) return false
  const nodes = sizeOf({ draft }, layer)
  return layer === 0 ? nodes > 0 : nodes >= 2 * settings.min && nodes <= SMALLER * sizeOf({ draft }, layer - 1)
}

/** The index follows a layer's communities. */
function indexed(field: Field, layer: number, { come, gone, changed }: Moves): void {
  for (const id of gone.keys()) displace(field, layer, id)
  for (const id of [...come, ...changed].sort()) reindexed(field, layer, id)
}

function reindexed(field: Field, layer: number, id: string): void {
  const vector = field.draft.node(id)?.vector
  if (vector) reindex(field, layer, id, vector)
}

/** Takes a layer and all above it away. */
function raze(field: Field, from: number, dropped: Set<string>): void {
  const { draft, rows } = field
  for (let layer = from; ; layer++) {
    const ids = rows.ids(layer)
    if (ids.length === 0) return
    for (const id of ids) {
      displace(field, layer, id)
      dissolve(field, id)
      dropped.add(id)
    }
    keepState(draft, layer, undefined)
  }
}

function finished(
  field: Field,
  settings: Settings,
  { made, dropped }: Grown,
  replies: readonly Reply[],
  told: ReadonlySet<string> = new Set(),
): Update {
  const { draft } = field
  for (const reply of replies) keepTelling(field, reply, settings)
  const tellings = [...told].sort().flatMap((entity) => attendTelling(field, entity, settings) ?? [])
  const desk: Desk = { field, settings, tasks: new Map() }
  const received = receive(desk, replies)
  settle(desk, [...made, ...received, ...retold(field, replies)])
  const cancelled = [...dropped, ...told].filter((id) => !draft.node(id)).sort()
  const tasks = [...tellings, ...desk.tasks.values()].filter((task) => draft.node(task.node)).sort((a, b) => (a.node < b.node ? -1 : 1))
  return { patch: draft.patch(), tasks, ...(cancelled.length > 0 ? { cancelled } : {}) }
}

/** Communities still without their report, of which a member's descriptions have just been merged: it is written from other words now. */
function retold({ draft }: Field, replies: readonly Reply[]): string[] {
  const parents = replies.flatMap((reply) => (reply.kind === 'summarize' ? (parentOf(draft, reply.node) ?? []) : []))
  return parents.filter((id) => draft.node(id)?.stale)
}

function briefOf(graph: GraphReader, task: Task, settings: Settings): Brief | undefined {
  const node = graph.node(task.node)
  if (task.kind === 'summarize') return node && tellingBrief(graph, task, settings)
  if (task.kind !== 'report' || node?.kind !== 'community' || !node.stale || task.input !== inputOf(graph, node, settings)) return undefined
  const material = materialOf(graph, node)
  const fallback = extractive(material, communityOf(node).leaves, settings)
  return { kind: 'report', texts: material.texts, tokens: settings.archrag.report, fallback }
}

/** Chunks below a higher community whose words its report may repeat, and the communities between. */
function lowest(graph: GraphReader, id: string): readonly string[] {
  const node = graph.node(id)
  if (!node) return []
  const { members, from } = communityOf(node)
  return node.layer === 1 ? [id, ...from] : [id, ...members.flatMap((member) => lowest(graph, member))]
}
