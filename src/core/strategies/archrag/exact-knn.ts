/**
 * The nearest of many by comparing all: exact, yet mostly computed in small integers. Each vector has an int8 code beside it, whose direction is
 * off by a known length. Two codes bound how near the vectors can be; only vectors that may be near enough are compared themselves.
 */
import type { Scored } from '../../algorithms/c-hnsw-search'
import { packedDot, packedDots, pairsOf, swappedOf } from '../../algorithms/packed-dot'
import { cosine, dot, norm, quantize, sumProduct } from '../../vectors'

const BLOCK = 32 // codes in a block: 32 kB at 512 dimensions
const SLACK = 1e-6 // added to a bound, for rounding; far more than 64-bit arithmetic loses

type Numbers = ArrayLike<number>

interface Coded {
  /** Undefined if the code's components are not all from −127 to 127: then nothing is bounded. */
  readonly pairs: Int32Array | undefined
  readonly length: number
  /** What is compared where the codes do not decide: the vector and its length. */
  readonly vector: Numbers
  readonly size: number
  /** How far the code's direction is from the vector's: |code/|code| − vector/|vector||. */
  readonly off: number
}

type Member = Coded & { readonly id: string }
type Asking = Member & { readonly swapped: Int32Array | undefined }

export interface ExactKnn {
  /** The best by cosine above a floor of at least 0, best first, then by id; without the node itself. */
  nearest(id: string, count: number, floor: number): Scored[]
  /** The same for several of them, in blocks whose codes stay in the processor's cache. */
  several(ids: readonly string[], count: number, floor: number): ReadonlyMap<string, readonly Scored[]>
  /** The same for all of them: every pair is compared once. */
  every(count: number, floor: number): ReadonlyMap<string, readonly Scored[]>
}

/** Searches among these ids, whose vectors are held meanwhile. */
export function exactKnn(ids: readonly string[], vectorOf: (id: string) => Numbers): ExactKnn {
  const all = ids.map((id) => ({ id, ...codedOf(vectorOf(id)) }))
  const askingOf = (id: string): Asking => {
    const vector = vectorOf(id)
    return { id, ...codedOf(vector), swapped: swappedOf(codeOf(vector)) }
  }
  const meet = (asking: Asking, other: Member, codes: number | undefined, best: Scored[], count: number, floor: number): void => {
    const min = best.length < count ? floor : (best[best.length - 1] as Scored).score
    const max = upperBound(asking, other, codes)
    if (max <= floor || max < min || other.id === asking.id) return
    const score = codes !== undefined && isExact(asking, other) ? codes : cosineOf(asking, other)
    if (score > floor) insertSorted(best, { id: other.id, score }, count)
  }
  const several = (ids: readonly string[], count: number, floor: number): Map<string, Scored[]> => {
    const found = new Map(ids.map((id): [string, Scored[]] => [id, []])) // each id once, however often it is given
    const asked = [...found]
    for (let from = 0; from < asked.length; from += BLOCK) {
      const block = asked.slice(from, from + BLOCK)
      const asking = block.map(([id]) => askingOf(id))
      for (const other of all) {
        const codes = codeCosines(asking, other)
        block.forEach(([, best], i) => {
          meet(asking[i] as Asking, other, codes[i], best, count, floor)
        })
      }
    }
    return found
  }
  return {
    nearest: (id, count, floor) => several([id], count, floor).get(id) ?? [],
    several,
    every(count, floor) {
      const best = all.map((): Scored[] => [])
      const min = (at: number): number => (best[at]?.length === count ? (best[at][count - 1]?.score ?? floor) : floor)
      const pair = (a: number, b: number, asking: Asking): void => {
        const codes = codeCosine(asking, all[b] as Member)
        const max = upperBound(asking, all[b] as Member, codes)
        if (max <= floor || (max < min(a) && max < min(b))) return
        const [one, other] = [(all[a] as Member).id, (all[b] as Member).id]
        const score = codes !== undefined && isExact(asking, all[b] as Member) ? codes : cosineOf(asking, all[b] as Member)
        if (score <= floor) return
        insertSorted(best[a] ?? [], { id: other, score }, count)
        insertSorted(best[b] ?? [], { id: one, score }, count)
      }
      for (let from = 0; from < all.length; from += BLOCK) {
        const block = all.slice(from, from + BLOCK).map((one) => askingOf(one.id))
        for (let b = from + 1; b < all.length; b++) {
          for (let i = Math.min(block.length, b - from) - 1; i >= 0; i--) pair(from + i, b, block[i] as Asking)
        }
      }
      return new Map(all.map(({ id }, at) => [id, best[at] ?? []]))
    },
  }
}

function codeOf(vector: Numbers): Int8Array {
  return vector instanceof Int8Array ? vector : quantize(vector)
}

function codedOf(vector: Numbers): Coded {
  const code = codeOf(vector)
  const off = code === vector ? 0 : Math.sqrt(Math.max(0, 2 - 2 * cosine(code, vector)))
  const length = norm(code)
  return { pairs: pairsOf(code), length, vector, size: code === vector ? length : norm(vector), off }
}

function cosineOf({ vector: a, size }: Coded, { vector: b, size: other }: Coded): number {
  const sizes = size * other
  if (!(sizes > 0)) return 0
  return (a instanceof Int32Array && b instanceof Int32Array ? sumProduct(a, b) : dot(a, b)) / sizes
}

/** The cosine of the codes, 0 if one is zero; undefined if they cannot be packed. */
function codeCosine(a: Asking, b: Coded): number | undefined {
  if (a.length === 0 || b.length === 0) return 0
  return a.swapped && b.pairs ? packedDot(b.pairs, a.swapped) / (a.length * b.length) : undefined
}

const AT_ONCE = 4 // codes compared with another in one pass
const dots = new Int32Array(AT_ONCE)
const cosines: (number | undefined)[] = []

/** The same for several; valid until the next call. */
function codeCosines(askers: readonly Asking[], other: Coded): readonly (number | undefined)[] {
  for (let at = 0; at < askers.length; at += AT_ONCE) {
    const [a, b, c, d] = [askers[at], askers[at + 1], askers[at + 2], askers[at + 3]]
    const isTogether = other.pairs && a?.swapped && b?.swapped && c?.swapped && d?.swapped
    if (isTogether) packedDots(other.pairs, a.swapped, b.swapped, c.swapped, d.swapped, dots)
    for (let i = 0; i < AT_ONCE && at + i < askers.length; i++) {
      const one = askers[at + i] as Asking
      const lengths = one.length * other.length
      cosines[at + i] = !isTogether ? codeCosine(one, other) : lengths > 0 ? (dots[i] as number) / lengths : 0
    }
  }
  return cosines
}

/** No cosine of the vectors is above this: (w−e)·(w′−e′) ≤ w·w′ + |e| + |e′| + |e||e′| for unit vectors w−e and codes w. */
function upperBound(a: Coded, b: Coded, codes: number | undefined): number {
  if (a.length === 0 || b.length === 0) return 0
  return codes === undefined ? 1 + SLACK : codes + a.off + b.off + a.off * b.off + SLACK
}

/** Are the codes the vectors themselves? */
function isExact(a: Coded, b: Coded): boolean {
  return a.off === 0 && b.off === 0
}

function insertSorted(best: Scored[], one: Scored, count: number): void {
  let at = best.length
  while (at > 0 && ranksBefore(one, best[at - 1] as Scored)) at--
  best.splice(at, 0, one)
  if (best.length > count) best.pop()
}

function ranksBefore(a: Scored, b: Scored): boolean {
  return a.score > b.score || (a.score === b.score && a.id < b.id)
}
