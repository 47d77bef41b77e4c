/**
 * What people decide about names and relations. A decision, its consequences in the graph and its receipt are one transaction; for an
 * entity that very many chunks mention, the rest follows in separate commits, by the alarm. What builders derive from it needs tasks like
 * any other.
 */
import type { DecisionView, Outcome, Wish } from '../../../src/contract/decisions'
import type { Page } from '../../../src/contract/pages'
import type { Asker } from '../../../src/core/access/labels'
import { type Decided, decide, patchOf, undo, type Weighed, weigh } from '../../../src/core/builders/decide'
import { countedIn, type Decision, decisionOf, decisionsFrom } from '../../../src/core/builders/decision-list'
import { shownName } from '../../../src/core/builders/mentions'
import { chunksAside, saidMentions } from '../../../src/core/builders/said'
import type { ListedNode } from '../../../src/core/graph/listed'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Patch } from '../../../src/core/graph/types'
import { partitionUids } from '../../../src/corpus-uid'
import type { Named, NamedHere, Ruling } from '../../../src/ports/deciding'
import { refuseClosed } from '../division/closed'
import { isRepartitioning } from '../division/state'
import { acceptWithAudit } from '../ingest/accept-with-audit'
import { runFollowing } from '../jobs/builders'
import { openUnitOfWork } from '../jobs/jobs'
import { publish } from '../jobs/publish'
import { restartMaintenance } from '../maintenance/maintain'
import { isCandidateOpen } from '../shadow-graph/tables'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { readNewestRevision } from '../tables/revision'
import { insertRuling } from '../tables/ruling'
import { sightOf, visibleGraph } from './visibility'

const BUILDER = 'decisions'
const PAGE = 500 // decisions read at a time where all are checked
const SHOWN = 8 // chunks read to find the name of something that is no longer shown

/** `asker`: or what the texts say, where others have them. */
export function makeDecision(context: CorpusContext, wish: Wish, by: string, asker?: Asker | Weighed): Outcome {
  const weighed = (): Weighed => (typeof asker === 'object' && 'present' in asker ? asker : weighWish(context, wish, asker))
  return taken(context, 'made', () => decide(context.graph, wish, { at: context.now(), by }, weighed()))
}

export function weighWish(context: CorpusContext, wish: Wish, asker?: Asker): Weighed {
  return weigh(context.graph, wish, visibleGraph(context, sightOf(context, asker)))
}

export function undoDecision(context: CorpusContext, n: number): Outcome {
  return taken(context, 'undone', () => undo(context.graph, n))
}

/** In a partition: each once, in order. `isList`: these are all that are in effect, and have no numbers. */
export function takeRulings(context: CorpusContext, rulings: readonly Ruling[], isList = false): void {
  for (const ruling of rulings) {
    context.atomically(() => {
      refuseClosed(context.sql)
      if (isList && ruling.what !== 'gone') return follow(context, ruling.decision, true)
      if (ruling.n <= (readMeta(context.sql, metaKeys.rulingsTaken) ?? 0)) return
      if (ruling.what === 'gone') deleteOwn(context, ruling.source, ruling.documents)
      else follow(context, ruling.decision, ruling.what === 'made')
      writeMeta(context.sql, metaKeys.rulingsTaken, ruling.n)
    })
  }
}

function follow(context: CorpusContext, decision: Decision, isMade: boolean): void {
  const isKnown = decisionOf(context.graph, decision.n) !== undefined
  if (isMade !== isKnown) apply(context, patchOf(context.graph, decision, isMade))
}

/** Of what a source no longer lists, the documents that are here. */
function deleteOwn(context: CorpusContext, source: string, documents: readonly string[]): void {
  const deletes = documents.filter((id) => readNewestRevision(context.sql, id))
  if (deletes.length > 0) acceptWithAudit(context, { key: source, door: 'source' }, { kind: 'delete', upserts: [], deletes })
}

/** Undoes whatever merged these two, or this one with all others. Null: nobody has. */
export function undoMerges(context: CorpusContext, entity: string, other: string | null): Outcome | null {
  const joined = everyDecision(context.graph).filter(
    (one) =>
      one.op === 'merge' &&
      ((one.entity === entity && (other === null || one.other === other)) ||
        (one.other === entity && (other === null || one.entity === other))),
  )
  const outcomes = joined.map(({ n }) => undoDecision(context, n))
  return outcomes.at(-1) ?? null
}

function taken(context: CorpusContext, what: 'made' | 'undone', make: () => Decided): Outcome {
  return context.atomically((): Outcome => {
    const decided = make()
    switch (decided.kind) {
      case 'done':
        apply(context, decided.patch)
        if (partitionUids(context.config.uid).length > 0 || isRepartitioning(context))
          insertRuling(context.sql, { what, decision: decided.decision })
        return { kind: 'done', n: decided.decision.n }
      case 'unchanged':
        return { kind: 'unchanged', n: decided.n === 0 ? null : decided.n }
      default:
        return decided
    }
  })
}

function apply(context: CorpusContext, patch: Patch): void {
  const unitOfWork = openUnitOfWork(context.sql, context.now())
  const commit = { context, unitOfWork, jobs: [], version: context.graph.version + 1 }
  publish(context, [], runFollowing(commit, BUILDER, patch))
  unitOfWork.save()
  if (isCandidateOpen(context.sql)) restartMaintenance(context) // a graph in progress does not know about it
}

/** Oldest first; the cursor is the number of the next. */
export function listDecisions(context: CorpusContext, cursor: string | null, limit: number, asker?: Asker): Page<DecisionView> {
  const from = cursor && /^\d+$/.test(cursor) ? Number(cursor) : 0
  const rows = decisionsFrom(context.graph, from, limit + 1)
  const next = rows[limit]
  const graph = visibleGraph(context, sightOf(context, asker))
  const data = rows.slice(0, limit).flatMap((one) => viewOf(graph, context.graph, one) ?? [])
  return { data, next_cursor: next ? String(next.n) : null }
}

/** As the asker may see them, by id. */
export function pinnedEntities(context: CorpusContext, asker?: Asker): readonly ListedNode[] {
  const pins = countedIn(context.graph).pins
  if (pins.length === 0) return []
  const graph = visibleGraph(context, sightOf(context, asker))
  return pins.flatMap((id): ListedNode[] => {
    const node = graph.node(id)
    if (!node) return []
    const { kind, layer, text, tokens, data } = node
    return [{ id, kind, layer, text, tokens, data }]
  })
}

/** Undefined: it is about an entity named only in texts that the asker may not read. */
function viewOf(visible: GraphReader, graph: GraphReader, decision: Decision) {
  const { n, op, entity, other, part, documents, text, type, description, strength, at, by } = decision
  const names = [entity, other].map((id) => (id === undefined ? undefined : nameIn(visible, graph, id)))
  if (names.includes(null)) return undefined
  const [name = '', otherName] = names
  return {
    n,
    op,
    entity,
    name: name ?? '',
    ...(other === undefined ? {} : { other, other_name: otherName ?? '' }),
    ...(part === undefined ? {} : { part }),
    ...(documents === undefined ? {} : { documents: documents.filter((id) => visible.document(id) || !graph.document(id)) }),
    ...(text === undefined ? {} : { text }),
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(strength === undefined ? {} : { strength }),
    at: new Date(at).toISOString(),
    by,
  } satisfies DecisionView
}

/** What decisions are about, as the texts of this object have it. */
export function namedHere(context: CorpusContext, { entities, documents }: Named, asker?: Asker): NamedHere {
  const { graph } = context
  const visible = visibleGraph(context, sightOf(context, asker))
  return {
    written: Object.fromEntries(entities.map((id) => [id, writtenIn(visible, graph, id)])),
    hidden: documents.filter((id) => graph.document(id) && !visible.document(id)),
  }
}

/** Its name in its texts; empty if none contains it any more; null if none that the asker may read contains it. */
function nameIn(visible: GraphReader, graph: GraphReader, id: string): string | null {
  const written = writtenIn(visible, graph, id)
  return written && shownName(id, written)
}

function writtenIn(visible: GraphReader, graph: GraphReader, id: string): readonly (readonly [string, number])[] | null {
  const node = visible.node(id)
  if (node) return Object.entries(node.data.aliases ?? {}) as [string, number][]
  if (graph.node(id)) return null
  const places = chunksAside(graph, id, null, SHOWN)
  const seen = places.filter((place) => visible.chunk(place.id))
  if (places.length > 0 && seen.length === 0) return null
  return seen.flatMap((place) => saidMentions(graph, place.id).find((one) => one.entity === id)?.surfaces ?? [])
}

export function everyDecision(graph: GraphReader): readonly Decision[] {
  const out: Decision[] = []
  for (let page = decisionsFrom(graph, 0, PAGE); page.length > 0; page = decisionsFrom(graph, (out.at(-1)?.n ?? 0) + 1, PAGE))
    out.push(...page)
  return out
}
