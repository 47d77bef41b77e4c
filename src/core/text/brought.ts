/**
 * A graph that came with a document, divided among its chunks: each entity and each relation belongs to the first chunk of its passage that says it, so that
 * it can be cited there and goes with it. What no chunk says belongs to none.
 */
import type { Brought, BroughtEntity, BroughtRelation } from '../graph/types'
import { nameKey } from './names'

/** Where in the document's text it was found, in UTF-16 code units; absent: anywhere. */
interface Found {
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** As it is sent with a document. */
export interface SentGraph {
  readonly entities: readonly (BroughtEntity & Found)[]
  readonly relations: readonly (BroughtRelation & Found)[]
}

/** What a chunk says itself, without what it repeats of the one before. */
export interface Saying {
  readonly start: number
  readonly end: number
  readonly sentences: readonly string[]
}

/** The same after its text has changed; `placed` says where a place is now. */
export function movedGraph({ entities, relations }: SentGraph, placed: (at: number) => number): SentGraph {
  const moved = <T extends Found>(one: T): T =>
    one.start === undefined || one.end === undefined ? one : { ...one, start: placed(one.start), end: placed(one.end) }
  return { entities: entities.map(moved), relations: relations.map(moved) }
}

function countBrought(brought: Brought | undefined): number {
  return brought ? brought.entities.length + brought.relations.length : 0
}

interface Shares {
  readonly entities: BroughtEntity[]
  readonly relations: BroughtRelation[]
}

/** By chunk; undefined: nothing. */
export function shareOut({ entities, relations }: SentGraph, chunks: readonly Saying[]): readonly (Brought | undefined)[] {
  const shares = chunks.map((): Shares => ({ entities: [], relations: [] }))
  const saying = sayersIn(chunks)
  const within = ({ start = 0, end = Number.POSITIVE_INFINITY }: Found, ordinals: readonly number[]): readonly number[] =>
    ordinals.filter((i) => (chunks[i]?.start ?? 0) < end && (chunks[i]?.end ?? 0) > start)
  for (const { name, type, description, ...found } of entities) {
    const [first = -1] = within(found, saying(name))
    shares[first]?.entities.push({ name, type, description })
  }
  for (const { source, target, description, strength, ...found } of relations) {
    const [ones, others] = [within(found, saying(source)), within(found, saying(target))]
    const both = ones.find((i) => others.includes(i))
    shares[both ?? ones[0] ?? others[0] ?? -1]?.relations.push({ source, target, description, strength })
  }
  return shares.map((share) => (countBrought(share) > 0 ? share : undefined))
}

/** Ordinals of the chunks with a sentence that says a name, ascending. Chunks are looked up by a name's first word: there may be thousands of names. */
function sayersIn(chunks: readonly Saying[]): (name: string) => readonly number[] {
  const keys = chunks.map(({ sentences }) => sentences.map(keyed))
  const byWord = new Map<string, Set<number>>()
  for (const [i, own] of keys.entries())
    for (const word of own.flatMap((key) => key.trim().split(' '))) byWord.set(word, (byWord.get(word) ?? new Set()).add(i))
  const known = new Map<string, readonly number[]>()
  return (name) => {
    const key = nameKey(name)
    const found =
      known.get(key) ?? [...(byWord.get(key.split(' ')[0] ?? '') ?? [])].filter((i) => keys[i]?.some((one) => one.includes(` ${key} `)))
    known.set(key, found)
    return key === '' ? [] : found
  }
}

const keyed = (sentence: string): string => ` ${nameKey(sentence)} `

/** Does a sentence of these say the name? */
export function isNamedIn(name: string, sentences: readonly string[]): boolean {
  const key = nameKey(name)
  return key !== '' && sentences.some((one) => keyed(one).includes(` ${key} `))
}
