/**
 * The uid of a corpus: 32 characters, random and new at each creation. It says where the object of the corpus may be, because the caller that reaches
 * the object has the uid and nothing else: hex digits alone, or a jurisdiction and `_` before them.
 */
import { objectPlaces } from './platform-limits'

export type Jurisdiction = (typeof objectPlaces.jurisdictions)[number]

const LENGTH = 32 // also with a jurisdiction: ids of vectors begin with the uid, and have 64 bytes

export function newUid(jurisdiction?: Jurisdiction): string {
  const random = crypto.randomUUID().replaceAll('-', '')
  return jurisdiction ? `${jurisdiction}_${random}`.slice(0, LENGTH) : random
}

/** Undefined: anywhere. */
export function jurisdictionOf(uid: string): Jurisdiction | undefined {
  return objectPlaces.jurisdictions.find((one) => uid.startsWith(`${one}_`))
}
