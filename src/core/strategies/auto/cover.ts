/** The order of evidence: at each step, the candidate with the highest score plus the most that the question asks and no chosen candidate says. Pure. */

const CHOSEN = 40 // chosen in this way; the rest follow in the order of their scores

export interface Covering {
  readonly id: string
  readonly score: number
  /** Terms of the question, as bits. */
  readonly covers: number
}

/** `worth`: of saying everything the question asks. Each has the score with which it was chosen, never more than the one before it. */
export function cover<T extends Covering>(
  candidates: readonly T[],
  { worth, share }: { readonly worth: number; readonly share: (covers: number) => number },
): T[] {
  const left = [...candidates].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  const chosen: T[] = []
  let said = 0
  while (chosen.length < CHOSEN && left.length > 0) {
    let best = { at: 0, value: Number.NEGATIVE_INFINITY }
    for (const [at, one] of left.entries()) {
      if (one.score + worth <= best.value) break // nor does any later one
      const value = one.score + worth * share(one.covers & ~said)
      if (value > best.value) best = { at, value }
    }
    const [one] = left.splice(best.at, 1)
    if (!one) break
    chosen.push({ ...one, score: best.value })
    said |= one.covers
  }
  const floor = chosen.at(-1)?.score ?? 0
  return [...chosen, ...left.map((one) => ({ ...one, score: Math.min(one.score, floor) }))]
}
