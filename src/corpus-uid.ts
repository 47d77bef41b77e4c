/**
 * The uid of a corpus: 32 characters, random and new at each creation. It says where the object of the corpus may be, which stores it has to itself and into
 * how many partitions it is divided, because the caller that reaches the object has the uid and nothing else: hex digits alone, before them a jurisdiction
 * and `_`, for a corpus with the dedicated stores number 3 `d03_`, and for a corpus of eight partitions `p08all_`. The partitions' uids have its number in
 * place of `all`: `p08q03_`. If the number of partitions is changed, those of the next set have the next letter, `p08r03_`, whatever their number is.
 */
import { type PartitionSet, rememberedLayout } from './partition-layout'
import { objectPlaces } from './platform-limits'

export type Jurisdiction = (typeof objectPlaces.jurisdictions)[number]

const LENGTH = 32 // also with a jurisdiction: ids of vectors begin with the uid, and have 64 bytes

const PARTITIONED = /^((?:[a-z]+_)?(?:d\d\d_)?p(\d\d))(all|([a-z])(\d\d))_/
const DEDICATED = /^(?:[a-z]+_)?d(\d\d)_/

interface Place {
  readonly jurisdiction?: Jurisdiction | undefined
  /** The number of its dedicated stores, below 100. Undefined: it shares those of the pool. */
  readonly dedicated?: number | undefined
  readonly partitions?: number | undefined
}

export function newUid({ jurisdiction, dedicated, partitions = 1 }: Place = {}): string {
  const random = crypto.randomUUID().replaceAll('-', '')
  const place = jurisdiction ? `${jurisdiction}_` : ''
  const own = dedicated === undefined ? '' : `d${twoDigits(dedicated)}_`
  return `${place}${own}${partitions > 1 ? `p${twoDigits(partitions)}all_` : ''}${random}`.slice(0, LENGTH)
}

/** The number of the stores that a corpus, or a partition of it, has to itself; undefined: it shares those of the pool. */
export function dedicatedOf(uid: string): number | undefined {
  const found = DEDICATED.exec(uid)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Undefined: anywhere. */
export function jurisdictionOf(uid: string): Jurisdiction | undefined {
  return objectPlaces.jurisdictions.find((one) => uid.startsWith(`${one}_`))
}

const FIRST_SET = 'q'.charCodeAt(0) - 'a'.charCodeAt(0)
const LETTERS = 26 // of which one is used again when what it named has long been removed

/** The set of partitions that a corpus has; null: it is not divided. */
export function partitionSetOf(uid: string): PartitionSet | null {
  const found = PARTITIONED.exec(uid)
  if (found?.[3] !== 'all') return null
  return rememberedLayout(uid) ?? { set: 0, count: Number(found[2]) }
}

/** Of a corpus: into how many it is divided; 1: it is not. */
export function partitionsOf(uid: string): number {
  return partitionSetOf(uid)?.count ?? 1
}

/** The uids of a corpus's partitions; none where it is not divided. */
export function partitionUids(uid: string): readonly string[] {
  const set = partitionSetOf(uid)
  return set && set.count > 1 ? uidsOfSet(uid, set) : []
}

export function uidsOfSet(uid: string, { set, count }: PartitionSet): readonly string[] {
  const letter = String.fromCharCode('a'.charCodeAt(0) + ((FIRST_SET + set) % LETTERS))
  return Array.from({ length: count }, (_, part) => uid.replace(PARTITIONED, `$1${letter}${twoDigits(part)}_`))
}

/** Of the partitions that a corpus has, and of those that it will have or has had and that are not removed yet. */
export function everyPartitionUid(uid: string): readonly string[] {
  const other = rememberedLayout(uid)?.other
  return [...partitionUids(uid), ...(other ? uidsOfSet(uid, other) : [])]
}

/** A number for a partition that no partition of another set has, within what is kept of both at a time. */
export function partitionKey(uid: string): number {
  const [, , , , letter = 'q', part = '0'] = PARTITIONED.exec(uid) ?? []
  const set = (letter.charCodeAt(0) - 'a'.charCodeAt(0) - FIRST_SET + LETTERS) % LETTERS
  return 100 * set + Number(part)
}

/** The corpus that this is a partition of; the uid itself where it is none. */
export function corpusUidOf(uid: string): string {
  return uid.replace(PARTITIONED, '$1all_')
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')
