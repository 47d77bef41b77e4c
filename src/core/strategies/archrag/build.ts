/**
 * ArchRAG's builder (arXiv 2502.09891): attributed communities over the entities, layer upon layer, each with a report, and the index that searches
 * them. What changes among entities and relations changes the communities it touches; the structure is settled within the update, before any model
 * is asked. Follows the builders of mentions and relations.
 */
import { SAME, sameAs, undo } from '../../builders/resolution'
import { type Draft, draftOf } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Patch } from '../../graph/types'
import { kindOf } from '../../ids'
import type { Settings } from '../../settings'
import type { Brief, Builder, Reply, Task, Update } from '../../strategy'
import { isMuchOwed, isOwed, mayLag, partOf } from './above'
import { firstBatch, hasBacklog, nextBatch } from './backlog'
import { type Clustering, clusteringOf, homeOf, parentOf } from './clustering-state'
import { type ClusteringSteps, paperSteps } from './clustering-steps'
import { communityOf, reopen } from './community'
import { drift } from './drift'
import { entityVector, fetchEntityVectors } from './entities'
import { DESCRIPTIONS, describedIn, descriptionBrief, descriptionSources, keepDescription, requestDescription } from './entity-descriptions'
import { type Grown, grow, growAbove, growAnew, growAround, growLowest } from './grow'
import { join, pairsInSteps, pairsOfAll, standing } from './joining'
import { isLinking, linkNext } from './linking'
import { forgetNames } from './relation-weights'
import type { Moves } from './replace-communities'
import { chunksOf, extractive, inputOf, reportInputOf } from './report-input'
import { type ReportState, receive, settle } from './reports'
import { reindex, removeLinks } from './similarity-links'

const PAGE = 1000 // ids read at a time when everything is read

export function archBuilderOf(steps: ClusteringSteps): Builder {
  const opened = (graph: GraphReader, settings: Settings): Clustering => clusteringOf(draftOf(graph), settings.archrag, false, steps)
  function* joinInSteps(graph: GraphReader, settings: Settings): Generator<number, Update> {
    const pairs = yield* pairsInSteps(graph)
    const clustering = opened(graph, settings)
    return followNames(clustering, settings, join(clustering, standing(clustering, pairs)))
  }
  return {
    name: 'archrag',
    builds: ['community'],
    follows: ['mentions', 'knowledge', 'senses', 'decisions'],
    unitVectors: true,

    update(graph, delta, settings) {
      const draft = draftOf(graph)
      const touched = delta.changes ? touchedEntities(delta.changes) : allEntities(draft)
      const described = new Set([...touched, ...describedIn(delta.changes ?? [])])
      if (described.size + delta.replies.length === 0) return { patch: [], tasks: [] }
      const clustering = clusteringOf(draft, settings.archrag, delta.removed.length > 0, steps)
      const moves = entityMoves(clustering, firstBatch(clustering, touched))
      const isWhole = settings.archrag.growth === 'whole' && touched.size > 0
      // What has lost text is brought up to date on all layers at once, so that nothing above repeats it.
      const follows = !isWhole && !clustering.shrunk && delta.replies.length === 0 && (hasBacklog(draft) || mayLag(draft, settings))
      const grown = isWhole ? growAnew(clustering, moves) : follows ? growLowest(clustering, moves) : grow(clustering, moves)
      return finishUpdate(clustering, settings, grown, delta.replies, described)
    },

    hasBacklog: (graph) => isLinking(graph) || hasBacklog(graph) || isMuchOwed(graph),

    /** The layers above the lowest lag, and nothing else is to be done. They follow a part at a time, so it stays due until all have. */
    isDue: (graph, _, isBusy) => !isBusy && isOwed(graph) && !hasBacklog(graph),

    processBacklog(graph, settings) {
      const clustering = opened(graph, settings)
      if (isLinking(graph)) {
        linkNext(clustering) // first of all, so that later arrivals need not be compared with everything
        return { patch: clustering.draft.patch(), tasks: [] }
      }
      const lags = mayLag(graph, settings)
      if (lags && isMuchOwed(graph))
        return finishUpdate(clustering, settings, growAbove(clustering, partOf(graph, clustering.settings)), [])
      const moves = entityMoves(clustering, nextBatch(clustering, clustering.settings.piece))
      const follows = lags || (hasBacklog(clustering.draft) && !isMuchOwed(graph))
      return finishUpdate(clustering, settings, follows ? growLowest(clustering, moves) : grow(clustering, moves), [])
    },

    brief: briefOf,

    /** A community's report dies with the chunks its words come from, and with the reports below it. */
    sources(graph, reply) {
      if (reply.kind === 'summarize') return descriptionSources(graph, reply.node)
      const node = graph.node(reply.node)
      if (!node) return [reply.node]
      return node.layer === 1 ? chunksOf(graph, node) : [...nodesBelow(graph, reply.node), ...chunksOf(graph, node)]
    },

    again(graph, nodes, settings) {
      const clustering = opened(graph, settings)
      for (const id of nodes) reopen(clustering, id)
      const reports = nodes.filter((id) => graph.node(id)?.kind === 'community')
      const { made, dropped } = growAbove(clustering)
      return finishUpdate(
        clustering,
        settings,
        { made: new Set([...made, ...reports]), dropped },
        [],
        new Set(nodes.filter((id) => !reports.includes(id))),
      )
    },

    drift(graph, settings) {
      const { losses, measured } = drift(graph, settings.archrag, steps)
      if (!measured) return []
      return (['modularity', 'likeness'] as const).map((measure) => ({ measure, lost: losses[measure], bound: settings.archrag.drift }))
    },

    /** Joins names of one thing; then all layers are clustered again if they have drifted far enough. */
    consolidate(graph, settings) {
      if (isOwed(graph) && !hasBacklog(graph)) {
        const clustering = opened(graph, settings)
        return finishUpdate(clustering, settings, growAbove(clustering, partOf(graph, clustering.settings)), [])
      }
      const due = drift(graph, settings.archrag, steps).due
      const clustering = opened(graph, settings)
      const joined = join(clustering, pairsOfAll(clustering))
      return due ? clusterAll(clustering, settings) : followNames(clustering, settings, joined)
    },

    /** A corpus too large to be clustered again only has its names joined. */
    consolidating(graph, settings) {
      const isSmall = graph.count('entity') <= settings.archrag.anew
      return isSmall || (isOwed(graph) && !hasBacklog(graph)) ? undefined : joinInSteps(graph, settings)
    },
  }
}

export const archBuilder = archBuilderOf(paperSteps)

/** A full clustering of all layers, as if they had never been clustered; a report stays if its community comes out unchanged. */
export function clusterAnew(graph: GraphReader, settings: Settings, steps: ClusteringSteps = paperSteps): Update {
  return clusterAll(clusteringOf(draftOf(graph), settings.archrag, false, steps), settings)
}

const NOTHING: Moves = { come: new Set(), gone: new Map(), changed: new Set() }

/** What joining names moves. */
function followNames(clustering: Clustering, settings: Settings, joined: ReadonlySet<string>): Update {
  if (joined.size === 0) return { patch: [], tasks: [] }
  return finishUpdate(clustering, settings, grow(clustering, { ...NOTHING, changed: joined }), [])
}

function clusterAll(clustering: Clustering, settings: Settings): Update {
  nextBatch(clustering, Number.POSITIVE_INFINITY) // empties the backlog
  return finishUpdate(clustering, settings, growAnew(clustering, entityMoves(clustering, allEntities(clustering.draft))), [])
}

/** Entities whose mentions, relations or identity with others have changed. */
function touchedEntities(changes: Patch): Set<string> {
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

function allEntities(draft: Draft): Set<string> {
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
function entityMoves(clustering: Clustering, touched: ReadonlySet<string>): Moves {
  const come = new Set<string>()
  const gone = new Map<string, string | undefined>()
  const changed = new Set<string>()
  clustering.draft.preload({ nodes: [...touched] })
  clustering.rows.fetch(0, [...touched])
  fetchEntityVectors(clustering.draft, [...touched])
  for (const id of [...touched].sort()) {
    const known = clustering.rows.read(0, id) !== undefined
    if (clustering.draft.node(id)) {
      ;(known ? changed : come).add(id)
      reindex(clustering, 0, id, entityVector(clustering.draft, id))
    } else if (known) gone.set(id, removeEntity(clustering, id))
  }
  return { come, gone, changed }
}

/** Takes an entity out and returns the community it was in. */
function removeEntity(clustering: Clustering, id: string): string | undefined {
  const { draft } = clustering
  const parent = homeOf(clustering, id)
  removeLinks(clustering, 0, id)
  for (const other of sameAs(draft, id)) undo(draft, id, other, 'rule')
  forgetNames(clustering)
  if (parent !== undefined) draft.dropEdge('member', id, parent)
  clustering.known.homes.set(id, undefined)
  return parent
}

function finishUpdate(
  clustering: Clustering,
  settings: Settings,
  { made, dropped, isLowest = false }: Grown,
  replies: readonly Reply[],
  described: ReadonlySet<string> = new Set(),
): Update {
  const { draft } = clustering
  for (const reply of replies) keepDescription(clustering, reply, settings)
  draft.preload({ values: [{ space: DESCRIPTIONS, keys: [...described] }] })
  const descriptions = [...described].sort().flatMap((entity) => requestDescription(clustering, entity, settings) ?? [])
  const desk: ReportState = { clustering, settings, tasks: new Map(), turned: [] }
  const received = receive(desk, replies)
  const around = growAround(clustering, desk.turned.splice(0))
  settle(desk, [...made, ...received, ...around.made, ...withNewDescriptions(clustering, replies)], isLowest)
  const cancelled = [...dropped, ...around.dropped, ...described].filter((id) => !draft.node(id)).sort()
  const tasks = [...descriptions, ...desk.tasks.values()].filter((task) => draft.node(task.node)).sort((a, b) => (a.node < b.node ? -1 : 1))
  return { patch: draft.patch(), tasks, ...(cancelled.length > 0 ? { cancelled } : {}) }
}

/** Communities still without their report in which a member's descriptions have just been merged: the report will be written from other words. */
function withNewDescriptions({ draft }: Clustering, replies: readonly Reply[]): string[] {
  const parents = replies.flatMap((reply) => (reply.kind === 'summarize' ? (parentOf(draft, reply.node) ?? []) : []))
  return parents.filter((id) => draft.node(id)?.stale)
}

function briefOf(graph: GraphReader, task: Task, settings: Settings): Brief | undefined {
  const node = graph.node(task.node)
  if (task.kind === 'summarize') return node && descriptionBrief(graph, task, settings)
  if (task.kind !== 'report' || node?.kind !== 'community' || !node.stale || task.input !== inputOf(graph, node, settings)) return undefined
  const material = reportInputOf(graph, node, settings)
  const fallback = extractive(material, communityOf(node).leaves, settings)
  return { kind: 'report', texts: material.texts, tokens: settings.archrag.report, fallback }
}

/** Chunks below a higher community whose words its report may repeat, and the communities in between. */
function nodesBelow(graph: GraphReader, id: string): readonly string[] {
  const node = graph.node(id)
  if (!node) return []
  const { members, from } = communityOf(node)
  return node.layer === 1 ? [id, ...from] : [id, ...members.flatMap((member) => nodesBelow(graph, member))]
}
