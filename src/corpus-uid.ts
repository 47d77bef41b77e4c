/**
 * The uid of a corpus: 32 characters, random and new at each creation. It says where the object of the corpus may be, which stores it has to itself and into
 * how many partitions it is divided, because the caller that reaches the object has the uid and nothing else: hex digits alone, before them a jurisdiction
 * and `_`, for a corpus with the dedicated stores number 3 `d03_`, and for a corpus of eight partitions `p08all_`. The partitions' uids have its number in
 * place of `all`: `p08q03_`. If the number of partitions is changed, those of the next set have the next letter, `p08r03_`, whatever their number is.
 * A corpus that was made without partitions keeps its uid when it is divided. Those of its partitions are its own with the digits written shorter, in base
 * 36, so that `r03_` has room before them, and the corpus's can be read from them.
 */
import { type PartitionSet, rememberedLayout } from './partition-layout'
import { objectPlaces } from './platform-limits'

export type Jurisdiction = (typeof objectPlaces.jurisdictions)[number]

const LENGTH = 32 // also with a jurisdiction: ids of vectors begin with the uid, and have 64 bytes

const PARTITIONED = /^((?:[a-z]+_)?(?:d\d\d_)?p(\d\d))(all|([a-z])(\d\d))_/
const UNDIVIDED = /^((?:[a-z]+_)?(?:d\d\d_)?)([0-9a-f]+)$/
const DIVIDED_LATER = /^((?:[a-z]+_)?(?:d\d\d_)?)([g-oq-z])(\d\d)_([0-9a-z]+)$/ // no letter that a digit of a uid, or what stands before it, may be
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

const LATER_LETTERS = 'qrstuvwxyzghijklmno' // likewise

/** Was it made with partitions? */
export const isMadeDivided = (uid: string): boolean => PARTITIONED.exec(uid)?.[3] === 'all'

/** Was it made without, and can it be divided? */
export const isDivisible = (uid: string): boolean => uid.length === LENGTH && UNDIVIDED.test(uid)

/** The set of partitions that a corpus has; null: it is not divided. */
export function partitionSetOf(uid: string): PartitionSet | null {
  const known = rememberedLayout(uid)
  const found = PARTITIONED.exec(uid)
  if (found?.[3] !== 'all') return known && known.count > 1 && isDivisible(uid) ? known : null
  return known ?? { set: 0, count: Number(found[2]) }
}

/** Does it have partitions, or will it, if the documents that are being moved into them have all been? */
export const isInPartitions = (uid: string): boolean => everyPartitionUid(uid).length > 0

/** Of a corpus: into how many it is divided; 1: it is not. */
export function partitionsOf(uid: string): number {
  return partitionSetOf(uid)?.count ?? 1
}

/** The uids of a corpus's partitions; none where it is not divided. */
export function partitionUids(uid: string): readonly string[] {
  const set = partitionSetOf(uid)
  return set && set.count > 1 ? uidsOfSet(uid, set) : []
}

/** `count` 1: the corpus's own object has the documents. */
export function uidsOfSet(uid: string, { set, count }: PartitionSet): readonly string[] {
  if (count === 1) return [uid]
  const [, place, digits] = UNDIVIDED.exec(uid) ?? []
  if (digits !== undefined) {
    const later = LATER_LETTERS[set % LATER_LETTERS.length]
    return Array.from({ length: count }, (_, part) => `${place}${later}${twoDigits(part)}_${BigInt(`0x${digits}`).toString(BASE)}`)
  }
  const letter = String.fromCharCode('a'.charCodeAt(0) + ((FIRST_SET + set) % LETTERS))
  return Array.from({ length: count }, (_, part) => uid.replace(PARTITIONED, `$1${letter}${twoDigits(part)}_`))
}

/** Of the partitions that a corpus has, and of those that it will have or has had and that are not removed yet. */
export function everyPartitionUid(uid: string): readonly string[] {
  const other = rememberedLayout(uid)?.other
  return [...partitionUids(uid), ...(other && other.count > 1 ? uidsOfSet(uid, other) : [])]
}

/** A number for a partition that no partition of another set has, within what is kept of both at a time. */
export function partitionKey(uid: string): number {
  const [, , later, number] = DIVIDED_LATER.exec(uid) ?? []
  if (later !== undefined) return 100 * LATER_LETTERS.indexOf(later) + Number(number)
  const [, , , , letter = 'q', part = '0'] = PARTITIONED.exec(uid) ?? []
  const set = (letter.charCodeAt(0) - 'a'.charCodeAt(0) - FIRST_SET + LETTERS) % LETTERS
  return 100 * set + Number(part)
}

/** The corpus that this is a partition of; the uid itself where it is none. */
export function corpusUidOf(uid: string): string {
  const [, place = '', , , digits] = DIVIDED_LATER.exec(uid) ?? []
  if (digits !== undefined)
    return (
      place +
      numberOf(digits)
        .toString(16)
        .padStart(LENGTH - place.length, '0')
    )
  return uid.replace(PARTITIONED, '$1all_')
}

const BASE = 36
const numberOf = (digits: string): bigint => [...digits].reduce((n, one) => n * BigInt(BASE) + BigInt(Number.parseInt(one, BASE)), 0n)

const twoDigits = (n: number): string => String(n).padStart(2, '0')
