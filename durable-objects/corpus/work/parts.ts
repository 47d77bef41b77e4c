/** A large batch goes in by parts: memory holds the texts, vectors and changes of one at a time. */
import type { Revision } from '../intake/accept'
import type { Answer } from './builders'

const PART = 128 // chunks integrated at a time: some 20 MB with every strategy on

export interface Part {
  readonly upserts: readonly Revision[]
  readonly deletes: readonly Revision[]
  readonly answers: readonly Answer[]
}

/** Texts that leave come last: what other documents of the batch place again has not gone meanwhile. At least one part. */
export function partsOf(upserts: readonly Revision[], deletes: readonly Revision[], answers: readonly Answer[]): Part[] {
  const [first = [], ...others] = pieces(upserts)
  const [gone = [], ...more] = pieces(deletes)
  const parts: Part[] = [{ upserts: first, deletes: [], answers }, ...others.map((one) => ({ upserts: one, deletes: [], answers: [] }))]
  const last = parts.pop() as Part
  return [...parts, { ...last, deletes: gone }, ...more.map((one) => ({ upserts: [], deletes: one, answers: [] }))]
}

/** In their order, each of no more chunks than a part may have, unless one document alone has more. */
function pieces(revisions: readonly Revision[]): Revision[][] {
  const out: Revision[][] = []
  let room = 0
  for (const revision of revisions) {
    const chunks = (JSON.parse(revision.placed) as unknown[]).length
    if (chunks > room || out.length === 0) {
      out.push([])
      room = PART
    }
    out[out.length - 1]?.push(revision)
    room -= chunks
  }
  return out
}
