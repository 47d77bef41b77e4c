/** What people decide about entities and relations. Each takes effect before its call returns, and is undone by its number. */
import type { CallCorpus } from './operations'
import type { AddedEntity, Decision, DecisionStatus, NewEntity, NewRelation, NewSplit, Page, Paging } from './types'

export interface DecisionsClient {
  /** Decisions in effect, oldest first. */
  list(paging?: Paging): Promise<Page<Decision>>
  /** A name that neither rules nor a model found is an entity wherever a text says it; rejects with `invalid` if none does. */
  add(entity: NewEntity): Promise<AddedEntity>
  /** `entity` becomes part of `other`. */
  merge(entity: string, other: string): Promise<DecisionStatus>
  /** In these documents the name means another thing. */
  split(entity: string, split: NewSplit): Promise<DecisionStatus>
  rename(entity: string, name: string): Promise<DecisionStatus>
  hide(entity: string): Promise<DecisionStatus>
  pin(entity: string): Promise<DecisionStatus>
  addRelation(relation: NewRelation): Promise<DecisionStatus>
  /** Of those that texts state. */
  removeRelation(source: string, target: string): Promise<DecisionStatus>
  /** By its number; rejects with `decision_not_found`. */
  undo(decision: number): Promise<DecisionStatus>
}

export function decisionsOf(call: CallCorpus): DecisionsClient {
  return {
    list: (paging = {}) => call('listDecisions', { query: { ...paging } }),
    add: (entity) => call('addEntity', { body: entity }),
    merge: (entity, other) => call('mergeEntity', { path: { entity }, body: { with: other } }),
    split: (entity, split) => call('splitEntity', { path: { entity }, body: split }),
    rename: (entity, name) => call('renameEntity', { path: { entity }, body: { name } }),
    hide: (entity) => call('hideEntity', { path: { entity }, body: {} }),
    pin: (entity) => call('pinEntity', { path: { entity }, body: {} }),
    addRelation: (relation) => call('addRelation', { body: relation }),
    removeRelation: (source, target) => call('removeRelation', { body: { source, target } }),
    undo: (decision) => call('deleteDecision', { path: { decision: String(decision) } }),
  }
}
