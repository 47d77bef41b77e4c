/**
 * What people have decided about names and relations: rows that apply until they are undone one by one. A row names entities and documents by id, and
 * contains only words that the person wrote, so that no text outlives its document here. All decisions about an entity give one rule, and a name in a text
 * becomes the thing that the rules lead to. What follows from them in a chunk: decided-chunk.ts.
 */
import type { GraphReader } from '../graph/reader'
import type { Json } from '../graph/types'

export const DECISIONS = 'decisions' // space; key = number
export const RULES = 'decisions/rules' // space; key = id of an entity
const COUNTED = 'decisions/counted' // space; key = `next`, and what is limited

/** What does not come from documents: a graph that is derived again is given these before anything else. */
export const DECISION_SPACES = [DECISIONS, RULES, COUNTED, 'decisions/relations'] as const

export const decisionLimits = {
  standing: 10_000, // decisions of a corpus
  pins: 100, // of them: each chunk that comes is looked through for every pinned name
  added: 500, // of them: and for every name that people added
  relations: 500, // of them: all are checked when an end is added or removed
  steps: 8, // from a name to what it stands for
  documents: 64, // that one split or added name is for
  chunks: 1000, // of these documents that say it
} as const

export type Op = 'add' | 'merge' | 'split' | 'rename' | 'hide' | 'pin' | 'relate' | 'unrelate'

export interface Decision {
  /** Counts up; no number is used twice. */
  readonly n: number
  readonly op: Op
  readonly entity: string
  /** What it is merged into; the other end of a relation. */
  readonly other?: string
  /** Of a split: the documents that mean another thing, and that thing. Of an added name: the only ones in which it counts. */
  readonly documents?: readonly string[]
  readonly part?: string
  /** Words of the person: a name; what a relation says. */
  readonly text?: string
  /** Words of the person about an entity that they added. */
  readonly type?: string
  readonly description?: string
  /** Of a relation, 1 to 10. */
  readonly strength?: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Id of the key that decided it. */
  readonly by: string
}

/** What all decisions in effect make of one entity. */
export interface Rule {
  /** Numbers of the decisions that concern it. */
  readonly of: readonly number[]
  readonly to?: string
  readonly hidden?: true
  readonly pinned?: true
  readonly added?: Added
  readonly text?: string
  readonly parts?: readonly { readonly id: string; readonly documents: readonly string[] }[]
  /** Entities it is not related to, whatever the texts say. */
  readonly cut?: readonly string[]
  /** Names that people gave to what was merged into it, by the entity that brings them. */
  readonly given?: { readonly [entity: string]: Given }
}

/** An entity that people added: the latest decision, in the documents of all. */
export interface Added {
  readonly n: number
  readonly name: string
  readonly type: string
  readonly description: string
  readonly by: string
  readonly at: number
  /** Absent: it counts in all. */
  readonly documents?: readonly string[]
}

/** A name that a person gave, and by which decision. */
export interface Given {
  readonly n: number
  readonly text: string
}

/** What people call it: by a decision about itself, else by the latest about what was merged into it. */
export function calledBy(rule: Rule | undefined): string | undefined {
  return rule?.text ?? latest(Object.values(rule?.given ?? {}))?.text
}

export function latest(given: readonly Given[]): Given | undefined {
  return given.reduce<Given | undefined>((last, one) => (last && last.n > one.n ? last : one), undefined)
}

export interface Counted {
  readonly next: number
  readonly standing: number
  readonly pins: readonly string[]
  /** Entities that people added; absent: none. */
  readonly added?: readonly string[]
}

/** O(1). */
export function hasDecisions(graph: GraphReader): boolean {
  return graph.values(RULES, '', 1).length > 0
}

export function decisionKey(n: number): string {
  return String(n).padStart(9, '0')
}

export function decisionOf(graph: GraphReader, n: number): Decision | undefined {
  return graph.value(DECISIONS, decisionKey(n)) as unknown as Decision | undefined // believed to be what `decide` wrote
}

/** In order, from a number on. */
export function decisionsFrom(graph: GraphReader, n: number, limit: number): readonly Decision[] {
  return graph.values(DECISIONS, decisionKey(n), limit).map(({ value }) => value as unknown as Decision)
}

export function ruleOf(graph: GraphReader, entity: string): Rule | undefined {
  return graph.value(RULES, entity) as unknown as Rule | undefined
}

export function countedIn(graph: GraphReader): Counted {
  return (graph.value(COUNTED, 'all') ?? { next: 1, standing: 0, pins: [] }) as unknown as Counted
}

export function packedCounted(counted: Counted): { readonly space: string; readonly key: string; readonly value: Json } {
  return { space: COUNTED, key: 'all', value: { ...counted } }
}

/** Entities whose rule a decision is part of. */
export function concernedBy({ op, entity, other, part }: Decision): readonly string[] {
  if (op === 'split' && part !== undefined) return [entity, part]
  return op === 'unrelate' && other !== undefined ? [entity, other] : [entity]
}

/** Undefined where nothing stands. */
export function ruleFrom(entity: string, standing: readonly Decision[]): Rule | undefined {
  if (standing.length === 0) return undefined
  const parts = standing.flatMap((one) =>
    one.op === 'split' && one.entity === entity ? [{ id: one.part ?? '', documents: one.documents ?? [] }] : [],
  )
  const cut = standing.flatMap((one) => (one.op === 'unrelate' ? [(one.entity === entity ? one.other : one.entity) ?? ''] : []))
  const to = standing.find((one) => one.op === 'merge')?.other
  const named = standing.findLast((one) => one.op === 'rename' || (one.op === 'split' && one.part === entity))
  return {
    of: standing.map((one) => one.n),
    ...(to === undefined ? {} : { to }),
    ...(standing.some((one) => one.op === 'hide') ? { hidden: true } : {}),
    ...(standing.some((one) => one.op === 'pin') ? { pinned: true } : {}),
    ...addedBy(standing.filter((one) => one.op === 'add')),
    ...(named?.text === undefined ? {} : { text: named.text }),
    ...(parts.length > 0 ? { parts } : {}),
    ...(cut.length > 0 ? { cut } : {}),
  }
}

function addedBy(all: readonly Decision[]): Pick<Rule, 'added'> {
  const last = all.at(-1)
  if (!last) return {}
  const { n, text: name = '', type = '', description = '', by, at } = last
  const everywhere = all.some((one) => one.documents === undefined)
  const documents = everywhere ? {} : { documents: [...new Set(all.flatMap((one) => one.documents ?? []))].sort() }
  return { added: { n, name, type, description, by, at, ...documents } }
}

export interface Meant {
  /** Null: it is hidden. */
  readonly entity: string | null
  /** Entities passed on the way, the first among them; empty where it stands for itself. */
  readonly via: readonly string[]
}

/** What an entity that a text of these documents names stands for. */
export function meantEntity(rule: (id: string) => Rule | undefined, entity: string, documents: () => ReadonlySet<string>): Meant {
  const via: string[] = []
  let at = entity
  while (via.length < decisionLimits.steps) {
    const own = rule(at)
    if (own?.hidden) return { entity: null, via: [...via, at] }
    const part = own?.parts?.find((one) => one.documents.some((id) => documents().has(id)))
    const next = part?.id ?? own?.to
    if (next === undefined) break
    via.push(at)
    at = next
  }
  return { entity: at, via }
}
