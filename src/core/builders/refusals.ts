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

export type Decided = { readonly kind: 'done'; readonly patch: Patch; readonly decision: Decision } | Refused
export type Refused =
  /** It is already so: by the decision with this number, or without one (0). */
  | { readonly kind: 'unchanged'; readonly n: number }
  /** An entity, a relation, a decision or documents that do not exist. */
  | { readonly kind: 'missing'; readonly what: 'entity' | 'relation' | 'decision' | 'document' }
  | { readonly kind: 'full'; readonly limit: number; readonly of: 'decisions' | 'pins' | 'relations' | 'entities' | 'chunks' }
  /** A decision stands in the way: it hides the name, or pins what is to be undone. */
  | { readonly kind: 'held'; readonly by: number; readonly op: 'hide' | 'pin' }
  /** No text says the name. */
  | { readonly kind: 'unsaid' }
  /** In a corpus in partitions: no partition has both. */
  | { readonly kind: 'apart' }

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

/**
 * What texts say about what a person wants. In a corpus in partitions every partition says it of its own texts, and it is put together
 * (flows/partitions/decisions.ts).
 */
export interface Weighed {
  /** Of the entities it is about: those that exist, and of these, those that the person may see. */
  readonly present: readonly string[]
  readonly visible: readonly string[]
  /** Under which names the first of them is shown. */
  readonly shownAs: readonly string[]
  /** Chunks of the named documents that say the name; one more than may be, at most. */
  readonly chunks: number
  /** Of the named documents: those that the person does not see. */
  readonly unknown: readonly string[]
  /** A text that the person may read says the name; one of the named documents does; the name means several things. */
  readonly isSaid: boolean
  readonly isSaidThere: boolean
  readonly isShared: boolean
  /** Texts relate the two; both exist in the same graph. */
  readonly isRelated: boolean
  readonly isTogether: boolean
}

const NOTHING: Weighed = {
  ...{ present: [], visible: [], shownAs: [], chunks: 0, unknown: [] },
  ...{ isSaid: false, isSaidThere: false, isShared: false, isRelated: false, isTogether: false },
}

/** `visible`: what the person may see. */
export function weigh(graph: GraphReader, wanted: Wanted, visible: GraphReader = graph): Weighed {
  if (wanted.op === 'add') return weighName(graph, wanted, visible)
  const other = 'other' in wanted ? [wanted.other, ...(wanted.op === 'merge' ? [endOf(graph, wanted.other)] : [])] : []
  const present = [...new Set([wanted.entity, ...other])].filter((id) => isEntity(graph, id))
  const shown = graph.node(wanted.entity)?.text
  const edge = wanted.op === 'unrelate' ? edgeBetween(graph, wanted.entity, wanted.other) : undefined
  return {
    ...NOTHING,
    present,
    visible: present.filter((id) => visible.node(id)),
    shownAs: shown === undefined ? [] : [shown],
    chunks: wanted.op === 'split' ? chunksSaying(graph, wanted.documents, wanted.entity).length : 0,
    isRelated: edge !== undefined && bearings(edge).length > 0,
    isTogether: [wanted.entity, ...other].every((id) => present.includes(id)),
  }
}

function weighName(graph: GraphReader, { entity, text, documents }: NewName, visible: GraphReader): Weighed {
  const name = addedName(entity, { name: text, documents })
  const end = endOf(graph, entity)
  const isHidden = ruleOf(graph, entity)?.hidden === true
  return {
    ...NOTHING,
    present: isEntity(graph, end) ? [end] : [],
    visible: isEntity(visible, end) ? [end] : [],
    chunks: documents ? documentsSaying(graph, documents, name, decisionLimits.chunks).length : 0,
    unknown: (documents ?? []).filter((id) => !visible.document(id)),
    isSaid: (isHidden || !documents) && isSaid(visible, name),
    isSaidThere: documents !== undefined && documentsSaying(visible, documents, name, 0).length > 0,
    isShared: meantBy(visible, nameId(nameKey(text))).length > 0,
  }
}

type NewName = Extract<Wanted, { readonly op: 'add' }>

export function refusalOf(graph: GraphReader, wanted: Wanted, weighed: Weighed): Refused | undefined {
  return wanted.op === 'add' ? refusalOfName(graph, wanted, weighed) : refusalOfChange(graph, wanted, weighed)
}

function refusalOfName(graph: GraphReader, { entity, documents }: NewName, weighed: Weighed): Refused | undefined {
  const { standing, added = [] } = countedIn(graph)
  const rule = ruleOf(graph, entity)
  if (rule?.hidden && weighed.isSaid) return { kind: 'held', by: standingFor(graph, entity, 'hide'), op: 'hide' }
  const own = rule?.added
  const end = endOf(graph, entity)
  const isCovered = !own?.documents || documents?.every((id) => own.documents?.includes(id))
  const isVisible = weighed.visible.includes(end)
  if (own && isCovered && (isVisible || !weighed.present.includes(end))) return { kind: 'unchanged', n: own.n }
  if (!own && (isVisible || weighed.isShared)) return { kind: 'unchanged', n: 0 }
  if (standing >= decisionLimits.standing) return { kind: 'full', limit: decisionLimits.standing, of: 'decisions' }
  if (!own && added.length >= decisionLimits.added) return { kind: 'full', limit: decisionLimits.added, of: 'entities' }
  if (!documents) return weighed.isSaid ? undefined : { kind: 'unsaid' }
  if (weighed.unknown.length > 0) return { kind: 'missing', what: 'document' }
  if (!weighed.isSaidThere) return { kind: 'unsaid' }
  const { chunks: limit } = decisionLimits
  return weighed.chunks > limit ? { kind: 'full', limit, of: 'chunks' } : undefined
}

function refusalOfChange(graph: GraphReader, wanted: Exclude<Wanted, NewName>, weighed: Weighed): Refused | undefined {
  const { standing, pins } = countedIn(graph)
  const rule = ruleOf(graph, wanted.entity)
  const exists = (id: string): boolean => weighed.present.includes(id)
  const numberOf = (op: Decision['op']): number => standingFor(graph, wanted.entity, op)
  const named = [wanted.entity, ...('other' in wanted ? [wanted.other] : [])]
  if (named.some((id) => exists(id) && !weighed.visible.includes(id))) return { kind: 'missing', what: 'entity' }
  if (wanted.op === 'hide' && rule?.hidden) return { kind: 'unchanged', n: numberOf('hide') }
  if (wanted.op === 'merge' && rule?.to !== undefined && endOf(graph, wanted.entity) === endOf(graph, wanted.other))
    return { kind: 'unchanged', n: numberOf('merge') }
  if (!exists(wanted.entity)) return { kind: 'missing', what: 'entity' }
  if ('other' in wanted && !exists(wanted.op === 'merge' ? endOf(graph, wanted.other) : wanted.other))
    return { kind: 'missing', what: 'entity' }
  if (standing >= decisionLimits.standing) return { kind: 'full', limit: decisionLimits.standing, of: 'decisions' }
  switch (wanted.op) {
    case 'merge':
      return wanted.entity === endOf(graph, wanted.other) ? { kind: 'unchanged', n: 0 } : undefined
    case 'rename':
      return weighed.shownAs.every((one) => one === wanted.text) ? { kind: 'unchanged', n: numberOf('rename') } : undefined
    case 'pin':
      if (rule?.pinned) return { kind: 'unchanged', n: numberOf('pin') }
      return pins.length >= decisionLimits.pins ? { kind: 'full', limit: decisionLimits.pins, of: 'pins' } : undefined
    case 'relate':
      if (!weighed.isTogether) return { kind: 'apart' }
      return countRelations(graph) >= decisionLimits.relations
        ? { kind: 'full', limit: decisionLimits.relations, of: 'relations' }
        : undefined
    case 'unrelate':
      return weighed.isRelated ? undefined : { kind: 'missing', what: 'relation' }
    case 'split': {
      const { chunks: limit } = decisionLimits
      if (weighed.chunks === 0) return { kind: 'missing', what: 'document' }
      return weighed.chunks > limit ? { kind: 'full', limit, of: 'chunks' } : undefined
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
