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
  packedCounted,
  ruleFrom,
  ruleOf,
} from './decision-list'
import { LEFT, nextAside, nextMentioning } from './decisions'
import { handNames, putRule } from './handed-names'
import { entityData } from './mentions'
import { addedRelation, placeRelations } from './people-relations'
import { applyToDraft, decorate, entitiesIn, pinOf, redecide } from './redecide'
import { type Actor, chunksSaying, type Decided, edgeBetween, endOf, refusalOf, standingFor, type Wanted, weigh } from './refusals'
import { bearings } from './relations'
import { pairKey } from './said'
import { addedName, documentsSaying, foundSaying, nextSaying } from './wanted-names'

export { type Decided, type Wanted, type Weighed, weigh } from './refusals'

/** `weighed`: what the texts say that the person may read. */
export function decide(graph: GraphReader, wanted: Wanted, { at, by }: Actor, weighed = weigh(graph, wanted)): Decided {
  const refused = refusalOf(graph, wanted, weighed)
  if (refused) return refused
  const { next: n } = countedIn(graph)
  const { op, entity } = wanted
  const decision: Decision = {
    n,
    op,
    entity,
    ...('other' in wanted ? { other: op === 'merge' ? endOf(graph, wanted.other) : wanted.other } : {}),
    ...('documents' in wanted && wanted.documents ? { documents: [...new Set(wanted.documents)].sort() } : {}),
    ...(op === 'split' ? { part: nodeId('entity', entity, 'split', n) } : {}),
    ...('text' in wanted ? { text: wanted.text } : {}),
    ...(op === 'add' && wanted.type ? { type: wanted.type } : {}),
    ...(op === 'add' && wanted.description ? { description: wanted.description } : {}),
    ...('strength' in wanted ? { strength: wanted.strength } : {}),
    at,
    by,
  }
  return { kind: 'done', decision, patch: patchOf(graph, decision, true) }
}

export function undo(graph: GraphReader, n: number): Decided {
  const decision = decisionOf(graph, n)
  if (!decision) return { kind: 'missing', what: 'decision' }
  const pinned = decision.op === 'add' ? standingFor(graph, decision.entity, 'pin') : 0
  if (pinned > 0) return { kind: 'held', by: pinned, op: 'pin' } // a pin has no name of its own to find
  return { kind: 'done', decision, patch: patchOf(graph, decision, false) }
}

/** What follows from a decision that was made elsewhere, as it was numbered there, or from its undoing. */
export function patchOf(graph: GraphReader, decision: Decision, isNew: boolean): Patch {
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
  const { next, standing, pins, added = [] } = countedIn(graph)
  const otherPins = pins.filter((id) => decision.op !== 'pin' || id !== decision.entity)
  const otherNames = added.filter((id) => id !== decision.entity)
  const names = ruleOf(draft, decision.entity)?.added ? [...otherNames, decision.entity].sort() : otherNames
  const counted = packedCounted({
    next: Math.max(next, decision.n + 1),
    standing: standing + (isNew ? 1 : -1),
    pins: decision.op === 'pin' && isNew ? [...otherPins, decision.entity].sort() : otherPins,
    ...(names.length > 0 ? { added: names } : {}),
  })
  draft.putValue(counted.space, counted.key, counted.value)
  const rules = rulesOnce((id) => ruleOf(draft, id))
  const { chunks, left } = concernedChunks(graph, decision, isNew)
  if (left && (left.isSure || chunks.length >= AT_ONCE)) draft.putValue(LEFT, left.row, left.after)
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
  readonly left?: { readonly row: string; readonly after: string | null; readonly isSure?: true }
}

function concernedChunks(graph: GraphReader, decision: Decision, isNew: boolean): Concerned {
  const { op, entity, other = '', documents = [] } = decision
  const aside = (what: string): Concerned => {
    const { chunks, after } = nextAside(graph, what, null)
    return { chunks, left: { row: `aside ${what}`, after } }
  }
  switch (op) {
    case 'add':
      return isNew ? chunksAdded(graph, decision) : aside(pinOf(entity))
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

/** All of a small corpus; of a larger one first those that the keyword index finds. */
function chunksAdded(graph: GraphReader, { entity, text = '', documents }: Decision): Concerned {
  const name = addedName(entity, { name: text, documents })
  if (documents) return { chunks: documentsSaying(graph, documents, name, decisionLimits.chunks) }
  const { chunks, after } = nextSaying(graph, name, '')
  const row = `said ${entity}`
  const found = after === null ? [] : foundSaying(graph, name)
  if (found.length > 0) return { chunks: found, left: { row, after: '', isSure: true } }
  return { chunks, ...(after === null ? {} : { left: { row, after, isSure: true } }) }
}

/** Where the keyword index finds its name. */
function chunksWith(graph: GraphReader, entity: string): readonly string[] {
  const node = graph.node(entity)
  return node ? graph.match(terms(entityData(node).key), AT_ONCE).map((hit) => chunkOf(hit.id)) : []
}
