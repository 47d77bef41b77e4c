/** What a person wants of entities and relations, and why it cannot be done, or need not be. Pure. */
import type { GraphReader } from '../graph/reader'
import type { Patch } from '../graph/types'
import { nameKey } from '../text/names'
import { countedIn, type Decision, decisionLimits, decisionOf, meantEntity, ruleOf } from './decision-list'
import { mentionsOf } from './mention-list'
import { countRelations } from './people-relations'
import { bearings } from './relations'
import { saidMentions } from './said'
import { meantBy, nameId } from './sense-list'
import { addedName, documentsSaying, isSaid } from './wanted-names'

/** What a person wants. Ids of entities that are in the graph. */
export type Wanted =
  /** `entity`: the id that the name has. */
  | {
      readonly op: 'add'
      readonly entity: string
      readonly text: string
      readonly type?: string
      readonly description?: string
      readonly documents?: readonly string[]
    }
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
  | { readonly kind: 'full'; readonly limit: number; readonly of: 'decisions' | 'pins' | 'relations' | 'entities' | 'chunks' }
  /** A decision stands in the way: it hides the name, or pins what is to be undone. */
  | { readonly kind: 'held'; readonly by: number; readonly op: 'hide' | 'pin' }
  /** No text says the name. */
  | { readonly kind: 'unsaid' }

export interface Actor {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Id of the key. */
  readonly by: string
}

/** The number of the decision; 0: there is none. */
export function standingFor(graph: GraphReader, entity: string, op: Decision['op']): number {
  return ruleOf(graph, entity)?.of.find((n) => decisionOf(graph, n)?.op === op) ?? 0
}

export function refusalOfName(
  graph: GraphReader,
  visible: GraphReader,
  wanted: Extract<Wanted, { readonly op: 'add' }>,
): Decided | undefined {
  const { entity, text, documents } = wanted
  const { standing, added = [] } = countedIn(graph)
  const rule = ruleOf(graph, entity)
  const name = addedName(entity, { name: text, documents })
  if (rule?.hidden && isSaid(visible, name)) return { kind: 'held', by: standingFor(graph, entity, 'hide'), op: 'hide' }
  const own = rule?.added
  const end = endOf(graph, entity)
  const isCovered = !own?.documents || documents?.every((id) => own.documents?.includes(id))
  if (own && isCovered && (isEntity(visible, end) || !isEntity(graph, end))) return { kind: 'unchanged', n: own.n }
  if (!own && (isEntity(visible, end) || meantBy(visible, nameId(nameKey(text))).length > 0)) return { kind: 'unchanged', n: 0 }
  if (standing >= decisionLimits.standing) return { kind: 'full', limit: decisionLimits.standing, of: 'decisions' }
  if (!own && added.length >= decisionLimits.added) return { kind: 'full', limit: decisionLimits.added, of: 'entities' }
  if (!documents) return isSaid(visible, name) ? undefined : { kind: 'unsaid' }
  if (documents.some((id) => !visible.document(id))) return { kind: 'missing', what: 'document' }
  if (documentsSaying(visible, documents, name, 0).length === 0) return { kind: 'unsaid' }
  const { chunks: limit } = decisionLimits
  return documentsSaying(graph, documents, name, limit).length > limit ? { kind: 'full', limit, of: 'chunks' } : undefined
}

export function refusalOf(graph: GraphReader, wanted: Exclude<Wanted, { readonly op: 'add' }>): Decided | undefined {
  const { standing, pins } = countedIn(graph)
  const rule = ruleOf(graph, wanted.entity)
  const numberOf = (op: Decision['op']): number => standingFor(graph, wanted.entity, op)
  if (wanted.op === 'hide' && rule?.hidden) return { kind: 'unchanged', n: numberOf('hide') }
  if (wanted.op === 'merge' && rule?.to !== undefined && endOf(graph, wanted.entity) === endOf(graph, wanted.other))
    return { kind: 'unchanged', n: numberOf('merge') }
  if (!isEntity(graph, wanted.entity)) return { kind: 'missing', what: 'entity' }
  if ('other' in wanted && !isEntity(graph, wanted.op === 'merge' ? endOf(graph, wanted.other) : wanted.other))
    return { kind: 'missing', what: 'entity' }
  if (standing >= decisionLimits.standing) return { kind: 'full', limit: decisionLimits.standing, of: 'decisions' }
  switch (wanted.op) {
    case 'merge':
      return wanted.entity === endOf(graph, wanted.other) ? { kind: 'unchanged', n: 0 } : undefined
    case 'rename':
      return graph.node(wanted.entity)?.text === wanted.text ? { kind: 'unchanged', n: numberOf('rename') } : undefined
    case 'pin':
      if (rule?.pinned) return { kind: 'unchanged', n: numberOf('pin') }
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
export function endOf(graph: GraphReader, id: string): string {
  return (
    meantEntity(
      (one) => ruleOf(graph, one),
      id,
      () => new Set(),
    ).entity ?? id
  )
}

export function edgeBetween(graph: GraphReader, a: string, b: string) {
  const [source = '', target = ''] = [a, b].sort()
  return graph.edge('relates', source, target)
}

/** Chunks of these documents that name it; one more than may be, at most. */
export function chunksSaying(graph: GraphReader, documents: readonly string[], entity: string): readonly string[] {
  const chunks = new Set<string>()
  for (const id of documents) {
    for (const { chunk } of graph.document(id)?.chunks ?? []) {
      if (chunks.size > decisionLimits.chunks) return [...chunks]
      const isNamed = saidMentions(graph, chunk).some((one) => one.entity === entity || endOf(graph, one.entity) === entity)
      // A name that people added is in no list of what the texts say.
      if (isNamed || mentionsOf(graph, chunk).some((one) => one.entity === entity)) chunks.add(chunk)
    }
  }
  return [...chunks]
}
