/**
 * A person's decision, and its undoing, as a patch of the current graph: the row, the rules that follow from all rows, and, at once, a few hundred of the
 * chunks it is about; the rest is left to separate commits (decisions.ts). Nothing else is read. Pure.
 */
import { draftOf } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { Patch } from '../graph/types'
import { chunkOf, nodeId } from '../ids'
import { terms } from '../text/terms'
import { AT_ONCE, rulesOnce } from './decided-chunk'
import {
  concernedBy,
  countedIn,
  DECISIONS,
  type Decision,
  decisionKey,
  decisionLimits,
  decisionOf,
  meantEntity,
  packedCounted,
  ruleFrom,
  ruleOf,
} from './decision-list'
import { LEFT, nextAside, nextMentioning } from './decisions'
import { handNames, putRule } from './handed-names'
import { entityData } from './mentions'
import { addedRelation, countRelations, placeRelations } from './people-relations'
import { applyToDraft, decorate, entitiesIn, pinOf, redecide } from './redecide'
import { bearings } from './relations'
import { pairKey, saidMentions } from './said'

/** What a person wants. Ids of entities that are in the graph. */
export type Wanted =
  | { readonly op: 'merge'; readonly entity: string; readonly other: string }
  | { readonly op: 'split'; readonly entity: string; readonly documents: readonly string[]; readonly text: string }
  | { readonly op: 'rename'; readonly entity: string; readonly text: string }
  | { readonly op: 'hide' | 'pin'; readonly entity: string }
  | { readonly op: 'relate'; readonly entity: string; readonly other: string; readonly text: string; readonly strength: number }
  | { readonly op: 'unrelate'; readonly entity: string; readonly other: string }

export type Decided =
  | { readonly kind: 'done'; readonly patch: Patch; readonly decision: Decision }
  /** It is already so: by the decision with this number, or without one (0). */
  | { readonly kind: 'unchanged'; readonly n: number }
  /** An entity, a relation, a decision or documents that do not exist. */
  | { readonly kind: 'missing'; readonly what: 'entity' | 'relation' | 'decision' | 'document' }
  | { readonly kind: 'full'; readonly limit: number; readonly of: 'decisions' | 'pins' | 'relations' | 'chunks' }

export interface Actor {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Id of the key. */
  readonly by: string
}

export function decide(graph: GraphReader, wanted: Wanted, { at, by }: Actor): Decided {
  const refused = refusalOf(graph, wanted)
  if (refused) return refused
  const { next: n } = countedIn(graph)
  const { op, entity } = wanted
  const decision: Decision = {
    n,
    op,
    entity,
    ...('other' in wanted ? { other: op === 'merge' ? endOf(graph, wanted.other) : wanted.other } : {}),
    ...('documents' in wanted ? { documents: [...new Set(wanted.documents)].sort(), part: nodeId('entity', entity, 'split', n) } : {}),
    ...('text' in wanted ? { text: wanted.text } : {}),
    ...('strength' in wanted ? { strength: wanted.strength } : {}),
    at,
    by,
  }
  return { kind: 'done', decision, patch: patchOf(graph, decision, true) }
}

export function undo(graph: GraphReader, n: number): Decided {
  const decision = decisionOf(graph, n)
  return decision ? { kind: 'done', decision, patch: patchOf(graph, decision, false) } : { kind: 'missing', what: 'decision' }
}

function refusalOf(graph: GraphReader, wanted: Wanted): Decided | undefined {
  const { standing, pins } = countedIn(graph)
  const rule = ruleOf(graph, wanted.entity)
  const standingFor = (op: Decision['op']): number => rule?.of.find((n) => decisionOf(graph, n)?.op === op) ?? 0
  if (wanted.op === 'hide' && rule?.hidden) return { kind: 'unchanged', n: standingFor('hide') }
  if (wanted.op === 'merge' && rule?.to !== undefined && endOf(graph, wanted.entity) === endOf(graph, wanted.other))
    return { kind: 'unchanged', n: standingFor('merge') }
  if (!isEntity(graph, wanted.entity)) return { kind: 'missing', what: 'entity' }
  if ('other' in wanted && !isEntity(graph, wanted.op === 'merge' ? endOf(graph, wanted.other) : wanted.other))
    return { kind: 'missing', what: 'entity' }
  if (standing >= decisionLimits.standing) return { kind: 'full', limit: decisionLimits.standing, of: 'decisions' }
  switch (wanted.op) {
    case 'merge':
      return wanted.entity === endOf(graph, wanted.other) ? { kind: 'unchanged', n: 0 } : undefined
    case 'rename':
      return graph.node(wanted.entity)?.text === wanted.text ? { kind: 'unchanged', n: standingFor('rename') } : undefined
    case 'pin':
      if (rule?.pinned) return { kind: 'unchanged', n: standingFor('pin') }
      return pins.length >= decisionLimits.pins ? { kind: 'full', limit: decisionLimits.pins, of: 'pins' } : undefined
    case 'relate':
      return countRelations(graph) >= decisionLimits.relations
        ? { kind: 'full', limit: decisionLimits.relations, of: 'relations' }
        : undefined
    case 'unrelate': {
      const edge = edgeBetween(graph, wanted.entity, wanted.other)
      return edge && bearings(edge).length > 0 ? undefined : { kind: 'missing', what: 'relation' }
    }
    case 'split': {
      const chunks = chunksSaying(graph, wanted.documents, wanted.entity)
      if (chunks.length === 0) return { kind: 'missing', what: 'document' }
      return chunks.length > decisionLimits.chunks ? { kind: 'full', limit: decisionLimits.chunks, of: 'chunks' } : undefined
    }
    default:
      return undefined
  }
}

function isEntity(graph: GraphReader, id: string): boolean {
  return graph.node(id)?.kind === 'entity'
}

/** What an entity stands for, whichever document names it. */
function endOf(graph: GraphReader, id: string): string {
  return (
    meantEntity(
      (one) => ruleOf(graph, one),
      id,
      () => new Set(),
    ).entity ?? id
  )
}

function edgeBetween(graph: GraphReader, a: string, b: string) {
  const [source = '', target = ''] = [a, b].sort()
  return graph.edge('relates', source, target)
}

/** Chunks of these documents that name it; one more than may be, at most. */
function chunksSaying(graph: GraphReader, documents: readonly string[], entity: string): readonly string[] {
  const chunks = new Set<string>()
  for (const id of documents) {
    for (const { chunk } of graph.document(id)?.chunks ?? []) {
      if (chunks.size > decisionLimits.chunks) return [...chunks]
      const said = saidMentions(graph, chunk)
      if (
        said.some(
          (one) =>
            one.entity === entity ||
            meantEntity(
              (id) => ruleOf(graph, id),
              one.entity,
              () => new Set(),
            ).entity === entity,
        )
      )
        chunks.add(chunk)
    }
  }
  return [...chunks]
}

function patchOf(graph: GraphReader, decision: Decision, isNew: boolean): Patch {
  const draft = draftOf(graph)
  const former = rulesOnce((id) => ruleOf(graph, id))
  if (isNew) draft.putValue(DECISIONS, decisionKey(decision.n), { ...decision })
  else draft.dropValue(DECISIONS, decisionKey(decision.n))
  for (const id of concernedBy(decision)) {
    const others = (former(id)?.of ?? []).filter((n) => n !== decision.n)
    const standing = (isNew ? [...others, decision.n] : others).flatMap((n) => decisionOf(draft, n) ?? [])
    putRule(draft, id, ruleFrom(id, standing), former(id)?.given)
  }
  const renamed = concernedBy(decision).flatMap((id) => handNames(draft, id, former(id)?.to))
  const { next, standing, pins } = countedIn(graph)
  const otherPins = pins.filter((id) => decision.op !== 'pin' || id !== decision.entity)
  const counted = packedCounted({
    next: Math.max(next, decision.n + 1),
    standing: standing + (isNew ? 1 : -1),
    pins: decision.op === 'pin' && isNew ? [...otherPins, decision.entity].sort() : otherPins,
  })
  draft.putValue(counted.space, counted.key, counted.value)
  const rules = rulesOnce((id) => ruleOf(draft, id))
  const { chunks, left } = concernedChunks(graph, decision, isNew)
  if (left && chunks.length >= AT_ONCE) draft.putValue(LEFT, left.row, left.after)
  const made = redecide(draft, chunks, rules)
  applyToDraft(draft, made)
  decorate(draft, new Set([...concernedBy(decision), ...renamed, ...entitiesIn(made)]), rules, former)
  const isRelation = decision.op === 'relate'
  const rows = isRelation && isNew ? { rows: addedRelation(graph, decision) } : {}
  applyToDraft(draft, placeRelations(draft, rules, { ...rows, ...(isRelation && !isNew ? { without: decision.n } : {}) }))
  return draft.patch()
}

interface Concerned {
  readonly chunks: readonly string[]
  /** Where the rest is found by later commits. */
  readonly left?: { readonly row: string; readonly after: string | null }
}

function concernedChunks(graph: GraphReader, { op, entity, other = '', documents = [] }: Decision, isNew: boolean): Concerned {
  const aside = (what: string): Concerned => {
    const { chunks, after } = nextAside(graph, what, null)
    return { chunks, left: { row: `aside ${what}`, after } }
  }
  switch (op) {
    case 'merge':
    case 'hide':
      return isNew ? { chunks: nextMentioning(graph, entity).chunks, left: { row: `edges ${entity}`, after: null } } : aside(entity)
    case 'split':
      return isNew ? { chunks: chunksSaying(graph, documents, entity) } : aside(entity)
    case 'pin':
      return isNew ? { chunks: chunksWith(graph, entity) } : aside(pinOf(entity))
    case 'unrelate': {
      const edge = edgeBetween(graph, entity, other)
      return isNew ? { chunks: edge ? bearings(edge).map((one) => one.chunk) : [] } : aside(pairKey(entity, other))
    }
    default:
      return { chunks: [] }
  }
}

/** Where the keyword index finds its name. */
function chunksWith(graph: GraphReader, entity: string): readonly string[] {
  const node = graph.node(entity)
  return node ? graph.match(terms(entityData(node).key), AT_ONCE).map((hit) => chunkOf(hit.id)) : []
}
