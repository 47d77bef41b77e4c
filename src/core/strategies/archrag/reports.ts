/**
 * Reports as they come due, from below: a community of entities when its members have changed, when words it was written from are gone or speak of
 * others now, or when its relations have doubled; a higher one when a report below it has changed. Nothing else is asked of a model, and a deletion
 * never asks for more.
 */
import { MENTIONS, mentionsOf } from '../../builders/mention-list'
import type { GraphNode } from '../../graph/types'
import type { Settings } from '../../settings'
import type { Reply, Report, Task } from '../../strategy'
import { countTokens } from '../../text/tokens'
import { quantize } from '../../vectors'
import { type Clustering, fetchHomes, homeOf } from './clustering-state'
import { type Community, communityId, communityOf, putCommunity } from './community'
import { extractive, fetchMembers, inputFrom, type ReportInput, reportInputOf, reportsFrom, reportText } from './report-input'
import { reindex } from './similarity-links'

const STANDS = 1.5 // times the members an extract was made of, up to which it stands
const GROWN = 2 // times the relations a report was written from, at which it is written again

export interface ReportState {
  readonly clustering: Clustering
  readonly settings: Settings
  readonly tasks: Map<string, Task>
  /** Communities whose report has a new vector, by layer: filled if layers are linked by those. */
  readonly turned: Set<string>[]
}

/** Turns replies that still fit into reports and returns the communities they settle. */
export function receive(desk: ReportState, replies: readonly Reply[]): string[] {
  return replies.flatMap((reply) => {
    const node = desk.clustering.draft.node(reply.node)
    if (node?.kind !== 'community' || !node.stale) return []
    const material = reportInputOf(desk.clustering.draft, node, desk.settings)
    const input = inputFrom(material, desk.settings)
    if (reply.input !== input) return []
    if (reply.kind === 'report') {
      const own = reply.generator === 'model' ? reply.vector : undefined
      write(desk, node, material, { input, report: reply.report, generator: reply.generator, ...(own ? { vector: own } : {}) })
    } else
      write(desk, node, material, { input, report: extractive(material, communityOf(node).leaves, desk.settings), generator: 'extractive' })
    return [node.id]
  })
}

/**
 * Writes or asks for every report that is due among these communities and those above them; `isLowest`: of the lowest, while those above are marked
 * stale until their layers follow, since what they were written from is no longer below them.
 */
export function settle(desk: ReportState, touched: Iterable<string>, isLowest = false): void {
  const { draft } = desk.clustering
  const waiting: Set<string>[] = []
  const look = (id: string | undefined): void => {
    const node = id === undefined ? undefined : draft.node(id)
    if (!node) return
    const layer = waiting[node.layer] ?? new Set<string>()
    waiting[node.layer] = layer
    layer.add(node.id)
  }
  for (const id of touched) look(id)
  for (let layer = 1; layer <= desk.settings.archrag.levels; layer++) {
    const ids = [...(waiting[layer] ?? [])].sort()
    draft.preload({ nodes: ids })
    fetchHomes(desk.clustering, ids)
    if (layer === 1) fetchMaterial(desk, ids)
    for (const id of ids) {
      if (isLowest && layer > 1) markStale(desk.clustering, id)
      else attend(desk, id)
      look(homeOf(desk.clustering, id))
    }
  }
}

/** Reads together what the reports of these communities of entities will be made of. */
function fetchMaterial(desk: ReportState, ids: readonly string[]): void {
  const { draft } = desk.clustering
  const nodes = ids.flatMap((id) => draft.node(id) ?? [])
  draft.preload({ values: [{ space: MENTIONS, keys: nodes.flatMap((node) => communityOf(node).from) }] })
  const due = nodes.filter((node) => !extractStands(desk, node, communityOf(node)))
  fetchMembers(
    draft,
    due.flatMap((node) => communityOf(node).members),
  )
}

function markStale(clustering: Clustering, id: string): void {
  const node = clustering.draft.node(id)
  if (node && !node.stale) putCommunity(clustering, outdated(clustering, node))
}

function attend(desk: ReportState, id: string): void {
  const { clustering, settings, tasks } = desk
  const node = clustering.draft.node(id)
  if (!node) return
  const community = communityOf(node)
  if (extractStands(desk, node, community)) {
    putCommunity(clustering, fresh(node))
    return
  }
  const waits = node.layer > 1 && community.members.some((member) => clustering.draft.node(member)?.stale)
  if (waits) {
    putCommunity(clustering, outdated(clustering, node))
    return
  }
  const material = reportInputOf(clustering.draft, node, settings)
  const input = inputFrom(material, settings)
  if (stands(desk, node, community, material, input)) {
    putCommunity(
      clustering,
      community.input === input ? { ...fresh(node), data: { ...community, from: material.from, inside: material.inside } } : fresh(node),
    )
    tasks.delete(id)
    return
  }
  putCommunity(clustering, outdated(clustering, node))
  // A single entity is described already; and without a writer there is nobody to wait for.
  if (settings.writer ? community.members.length === 1 : settings.archrag.writing === 'eager') {
    write(desk, node, material, { input, report: extractive(material, community.leaves, settings), generator: 'extractive' })
  } else tasks.set(id, { builder: 'archrag', kind: 'report', node: id, input, urgent: settings.archrag.writing === 'eager' })
}

/** After text has been taken away, a higher report may repeat it without knowing: it is blanked until it is written again. */
function outdated({ shrunk }: Clustering, node: GraphNode): GraphNode {
  if (!shrunk || node.layer === 1) return { ...node, stale: true }
  return { ...node, stale: true, text: '', tokens: 0, data: { ...communityOf(node), title: '', ...BLANK } }
}

const BLANK = { of: '', input: '', reports: '', from: [] }

function stands(
  { clustering, settings }: ReportState,
  node: GraphNode,
  community: Community,
  material: ReportInput,
  input: string,
): boolean {
  if (node.text === '') return false
  if (community.input === input) return true
  if (node.layer > 1) return standsAbove(clustering, community, reportsFrom(material, settings, input))
  const { inside } = material
  if (community.generator !== 'model' || community.of !== communityId(node.layer, community.members)) return false
  const here = new Set(community.members)
  const speaks = (chunk: string): boolean => namedIn(clustering, chunk).some((entity) => here.has(entity))
  return community.from.every(speaks) && inside < GROWN * Math.max(1, community.inside)
}

/** The reports it was written from are unchanged, and the facts it may repeat are still there: other facts beside them change nothing. */
function standsAbove({ draft }: Clustering, { reports, from, generator }: Community, now: string): boolean {
  return generator === 'model' && reports === now && from.every((chunk) => draft.chunk(chunk) !== undefined)
}

/**
 * An extract that repeats nothing deleted stands until its community has grown by half: what it lacks is in the passages below it, and writing it
 * again for each newcomer is most of what a newcomer costs.
 */
function extractStands({ clustering, settings }: ReportState, node: GraphNode, community: Community): boolean {
  if (node.layer > 1 || node.text === '' || settings.writer || settings.archrag.growth === 'whole') return false
  const { size, from, generator, input, members } = community
  if (generator !== 'extractive' || input === '' || size === undefined || members.length > STANDS * size) return false
  const here = new Set(members)
  clustering.draft.preload({ values: [{ space: MENTIONS, keys: from }] })
  return from.every((chunk) => namedIn(clustering, chunk).some((entity) => here.has(entity)))
}

/** The entities that a chunk names. */
function namedIn({ draft, known: { named } }: Clustering, chunk: string): readonly string[] {
  const before = named.get(chunk)
  if (before) return before
  const entities = mentionsOf(draft, chunk).map(({ entity }) => entity)
  named.set(chunk, entities)
  return entities
}

interface Written {
  /** Hash of the material. */
  readonly input: string
  readonly report: Report
  readonly generator: string
  readonly vector?: Int8Array
}

function write(
  { clustering, settings, tasks, turned }: ReportState,
  node: GraphNode,
  material: ReportInput,
  { input, report, generator, vector }: Written,
): void {
  const text = reportText(report)
  const found = vector ?? quantize(node.sum ?? [])
  const community: Community = {
    ...communityOf(node),
    title: report.title,
    rating: report.rating,
    input,
    of: communityId(node.layer, communityOf(node).members),
    ...(node.layer > 1 ? { reports: reportsFrom(material, settings, input) } : {}),
    from: material.from,
    inside: material.inside,
    generator,
    size: communityOf(node).members.length,
  }
  putCommunity(clustering, { ...fresh(node), text, tokens: countTokens(text), vector: found, data: { ...community } })
  const before = clustering.rows.read(node.layer, node.id)?.vector
  reindex(clustering, node.layer, node.id, found)
  if (clustering.settings.layerVectors === 'reports' && clustering.rows.read(node.layer, node.id)?.vector !== before) turn(turned, node)
  tasks.delete(node.id)
}

function turn(turned: Set<string>[], { layer, id }: GraphNode): void {
  for (let at = turned.length; at <= layer; at++) turned.push(new Set())
  turned[layer]?.add(id)
}

function fresh({ stale: _, ...node }: GraphNode): GraphNode {
  return node
}
