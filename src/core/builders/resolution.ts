/**
 * Which entities are one thing under two names. The same key already is the same entity; beyond that, a pair is proposed if both spelling and context are
 * similar: namesakes with different contexts stay apart. A merge is a row that joins two entities and a row in the audit that says why; the entities
 * themselves are not changed, so undoing it means dropping the one and writing the other. Pure.
 */
import type { Draft } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { Json, Value, Vector } from '../graph/types'
import { cosine } from '../vectors'
import { entityData } from './mentions'

export const SAME = 'resolution/same' // space; key = either entity's id
export const AUDIT = 'resolution/audit' // space; key = number of the operation

const PAGE = 500 // operations read at a time

export const resolutionLimits = {
  spelling: 0.82, // Dice coefficient of letter pairs: "barack obama" and "barack h obama" have .87, "paris" and "parma" .5
  context: 0.6, // cosine of the two contexts
  compared: 64, // names that share a word, looked at for one entity
} as const

export interface Operation {
  readonly n: number
  readonly op: 'merge' | 'undo'
  readonly a: string
  readonly b: string
  readonly by: 'rule' | 'caller'
  readonly spelling: number
  readonly context: number
  /** Milliseconds since the epoch, where a caller decided. */
  readonly at?: number
}

/** Entities that this one was merged with, excluding itself. */
export function sameAs(graph: GraphReader, entity: string): readonly string[] {
  return namesIn(graph.value(SAME, entity))
}

/** The same of many, read together. */
export function sameAsEach(graph: GraphReader, entities: readonly string[]): readonly (readonly string[])[] {
  return graph.valuesOf(SAME, entities).map(namesIn)
}

function namesIn(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** An entity and all that are taken for the same thing, by however many steps. At most so many as are compared. */
export function mergedNames(graph: GraphReader, entity: string): readonly string[] {
  const out = new Set([entity])
  for (const id of out) for (const other of sameAs(graph, id)) if (out.size < resolutionLimits.compared) out.add(other)
  return [...out]
}

/** Operations in order, from a number on. */
export function operations(graph: GraphReader, from: number, limit: number): readonly Operation[] {
  return graph.values(AUDIT, keyOf(from), limit).map(({ value }) => value as unknown as Operation) // believed to be what `merge` and `undo` wrote
}

export interface Pair {
  readonly a: string
  readonly b: string
  readonly by: 'rule' | 'caller'
  readonly spelling: number
  readonly context: number
  readonly at?: number
}

/** Merges two entities; false if they are already merged, or one does not exist. */
export function merge(draft: Draft, pair: Pair): boolean {
  const { a, b } = pair
  if (a === b || !draft.node(a) || !draft.node(b) || sameAs(draft, a).includes(b)) return false
  writeOperation(draft, { ...pair, op: 'merge' }, [...sameAs(draft, a), b], [...sameAs(draft, b), a])
  return true
}

/** Separates what a merge has joined; false if nothing was joined. */
export function undo(draft: Draft, a: string, b: string, by: Pair['by'], at?: number): boolean {
  if (!sameAs(draft, a).includes(b)) return false
  const without = (of: string, other: string): string[] => sameAs(draft, of).filter((one) => one !== other)
  writeOperation(
    draft,
    { a, b, by, op: 'undo', spelling: 0, context: 0, ...(at === undefined ? {} : { at }) },
    without(a, b),
    without(b, a),
  )
  return true
}

/** Every pair of the corpus that a rule would join and no caller has split. Reads all entities: for a schedule. */
export function mergeCandidates(
  graph: GraphReader,
  entities: readonly string[],
  vectorOf: (id: string) => Vector | undefined,
): readonly Pair[] {
  const holders = new Map<string, string[]>()
  for (const id of entities) {
    for (const word of new Set(wordsOf(graph, id))) {
      const ids = holders.get(word) ?? []
      holders.set(word, ids)
      if (ids.length <= resolutionLimits.compared) ids.push(id) // one more than `telling` lets pass: a word of thousands of names is not gathered
    }
  }
  const parted = new Set(
    everyOperation(graph).flatMap((one) => (one.op === 'undo' && one.by === 'caller' ? [`${one.a} ${one.b}`, `${one.b} ${one.a}`] : [])),
  )
  const pairs = new Map<string, Pair>()
  for (const id of entities) {
    const mates = new Set(wordsOf(graph, id).flatMap((word) => telling(holders.get(word) ?? [])))
    for (const pair of proposePairs(graph, id, [...mates].sort(), vectorOf)) {
      const key = `${pair.a} ${pair.b}`
      if (!parted.has(key) && !sameAs(graph, pair.a).includes(pair.b)) pairs.set(key, pair)
    }
  }
  return [...pairs].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, pair]) => pair)
}

/** Of an entity's name. */
export function wordsOf(graph: GraphReader, id: string): readonly string[] {
  const node = graph.node(id)
  return node ? entityData(node).key.split(' ') : []
}

/** A word in many names distinguishes none of them. */
function telling(ids: readonly string[]): readonly string[] {
  return ids.length <= resolutionLimits.compared ? ids : []
}

function everyOperation(graph: GraphReader): readonly Operation[] {
  const out: Operation[] = []
  for (let page = operations(graph, 0, PAGE); page.length > 0; page = operations(graph, out.length, PAGE)) out.push(...page)
  return out
}

/** Pairs that a rule would merge: names that share a word, are spelled similarly, and occur in similar contexts. */
export function proposePairs(
  graph: GraphReader,
  entity: string,
  others: readonly string[],
  vectorOf: (id: string) => Vector | undefined,
): readonly Pair[] {
  const node = graph.node(entity)
  const own = vectorOf(entity)
  if (!node || !own) return []
  return others.slice(0, resolutionLimits.compared).flatMap((other): Pair[] => {
    const mate = graph.node(other)
    const vector = vectorOf(other)
    if (!mate || !vector || other === entity) return []
    if (entityData(node).key === entityData(mate).key) return [] // namesakes, told apart by their documents: only a caller may join them
    const spelling = spellingSimilarity(entityData(node).key, entityData(mate).key)
    const context = cosine(own, vector)
    if (spelling < resolutionLimits.spelling || context < resolutionLimits.context) return []
    const [a, b] = entity < other ? [entity, other] : [other, entity]
    return [{ a, b, by: 'rule', spelling, context }]
  })
}

/** Dice coefficient of pairs of letters; numbers that differ are never alike: "Apollo 11" is not "Apollo 12". */
export function spellingSimilarity(a: string, b: string): number {
  const digits = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ')
  if (digits(a) !== digits(b)) return 0
  if (a === b) return 1
  const [left, right] = [pairsOf(a), pairsOf(b)]
  let shared = 0
  for (const [pair, count] of left) shared += Math.min(count, right.get(pair) ?? 0)
  const total = sizeOf(left) + sizeOf(right)
  return total > 0 ? (2 * shared) / total : 0
}

function writeOperation(draft: Draft, what: Omit<Operation, 'n'>, a: readonly string[], b: readonly string[]): void {
  for (const [id, list] of [
    [what.a, a],
    [what.b, b],
  ] as const) {
    if (list.length > 0) draft.putValue(SAME, id, [...list].sort())
    else draft.dropValue(SAME, id)
  }
  const n = nextNumber(draft)
  const row: { readonly [key: string]: Json } = { ...what, n }
  draft.putValue(AUDIT, keyOf(n), row)
}

/** Numbers are never used twice, since operations are never dropped. */
function nextNumber(graph: GraphReader): number {
  let [low, high] = [0, 1]
  while (graph.value(AUDIT, keyOf(high - 1)) !== undefined) [low, high] = [high, high * 2]
  while (low < high) {
    const middle = (low + high) >> 1
    if (graph.value(AUDIT, keyOf(middle)) === undefined) high = middle
    else low = middle + 1
  }
  return low
}

function keyOf(n: number): string {
  return String(n).padStart(9, '0')
}

function pairsOf(text: string): Map<string, number> {
  const letters = [...` ${text} `]
  const out = new Map<string, number>()
  for (let i = 1; i < letters.length; i++) {
    const pair = `${letters[i - 1]}${letters[i]}`
    out.set(pair, (out.get(pair) ?? 0) + 1)
  }
  return out
}

function sizeOf(pairs: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of pairs.values()) sum += count
  return sum
}
