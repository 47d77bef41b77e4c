/**
 * BM25 as SQLite's FTS5 computes it (k1 1.2, b .75, idf = ln((N−n+½)/(n+½)), 10⁻⁶ if that is not positive), over an inverted index in memory. Gives
 * the same numbers as the object's own index, so that measurements in Node hold there. Knows terms and ids, not where they come from.
 */
import { compareText } from './ordered-map'
import type { TermCounts } from './reader'
import type { Hit } from './types'

export const bm25 = {
  saturation: 1.2, // k1
  length: 0.75, // b
  min: 1e-6, // idf of a term that is in at least half of all texts
} as const

const MAX = 4095 // occurrences of one term in one text; a posting packs slot · 4096 + occurrences into one small integer

interface Postings {
  /** Live and dead postings; slots ascend. */
  packed: number[]
  alive: number
}

export class Bm25 {
  readonly #postings = new Map<string, Postings>()
  readonly #slots = new Map<string, number>()
  /** By slot; undefined once removed. Slots are never reused. */
  readonly #ids: (string | undefined)[] = []
  readonly #lengths: number[] = []
  #scores = new Float64Array(1024)
  #total = 0

  /** Never replaces: an id is added once, and must be removed before it is added again. */
  add(id: string, terms: readonly string[]): void {
    if (this.#slots.has(id)) throw new Error(`bm25: ${id} is already indexed`)
    const slot = this.#ids.push(id) - 1
    this.#slots.set(id, slot)
    this.#lengths.push(terms.length)
    this.#total += terms.length
    for (const [term, count] of counted(terms)) {
      const postings = this.#postings.get(term)
      const packed = slot * (MAX + 1) + Math.min(MAX, count)
      if (!postings) this.#postings.set(term, { packed: [packed], alive: 1 })
      else {
        postings.packed.push(packed)
        postings.alive++
      }
    }
  }

  /** `terms` are those it was added with. */
  remove(id: string, terms: readonly string[]): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#slots.delete(id)
    this.#ids[slot] = undefined
    this.#total -= terms.length
    for (const term of new Set(terms)) this.#forget(term)
  }

  frequency(term: string): number {
    return this.#postings.get(term)?.alive ?? 0
  }

  /** Mean length of a text, in terms. */
  meanLength(): number {
    return this.#slots.size > 0 ? this.#total / this.#slots.size : 1
  }

  /** Texts with any of the terms (and admitted), best first, then by id. */
  match(terms: Iterable<string>, limit: number, admits?: (id: string) => boolean): readonly Hit[] {
    if (this.#scores.length < this.#ids.length) this.#scores = new Float64Array(this.#ids.length * 2)
    const touched: number[] = []
    for (const term of new Set(terms)) this.#score(term, touched)
    const best = this.#best(admits ? touched.filter((slot) => admits(this.#ids[slot] ?? '')) : touched, limit)
    for (const slot of touched) this.#scores[slot] = 0
    return best
  }

  #score(term: string, touched: number[]): void {
    const postings = this.#postings.get(term)
    if (!postings) return
    const n = this.#slots.size
    const idf = rarity(n, postings.alive)
    const mean = this.#total / n
    const scores = this.#scores
    for (const packed of postings.packed) {
      const slot = Math.floor(packed / (MAX + 1))
      if (this.#ids[slot] === undefined) continue
      const count = packed % (MAX + 1)
      if (scores[slot] === 0) touched.push(slot)
      const norm = bm25.saturation * (1 - bm25.length + (bm25.length * (this.#lengths[slot] as number)) / mean)
      scores[slot] = (scores[slot] as number) + idf * ((count * (bm25.saturation + 1)) / (count + norm))
    }
  }

  #best(touched: readonly number[], limit: number): Hit[] {
    const scores = this.#scores
    let kept = touched
    if (touched.length > 4 * limit) {
      const floor = Float64Array.from(touched, (slot) => scores[slot] as number).sort()[touched.length - limit] ?? Number.POSITIVE_INFINITY
      kept = touched.filter((slot) => (scores[slot] as number) >= floor)
    }
    const hits = kept.map((slot): Hit => ({ id: this.#ids[slot] ?? '', score: scores[slot] as number }))
    return hits.sort((a, b) => b.score - a.score || compareText(a.id, b.id)).slice(0, limit)
  }

  /** Dead postings are swept when they outnumber the live ones. */
  #forget(term: string): void {
    const postings = this.#postings.get(term)
    if (!postings) return
    postings.alive--
    if (postings.alive === 0) this.#postings.delete(term)
    else if (postings.packed.length > 2 * postings.alive + 8)
      postings.packed = postings.packed.filter((packed) => this.#ids[Math.floor(packed / (MAX + 1))] !== undefined)
  }
}

/** Scores one text by what is known of all: how many there are, their mean length, and how many contain each term that is asked for. */
export class Bm25Score {
  readonly #idf: readonly number[]
  readonly #mean: number

  constructor(all: { readonly texts: number; readonly mean: number; readonly frequencies: readonly number[] }) {
    this.#idf = all.frequencies.map((occurs) => rarity(all.texts, occurs))
    this.#mean = all.mean
  }

  /** By its terms in the same order. */
  of({ length, counts }: TermCounts): number {
    const norm = bm25.saturation * (1 - bm25.length + (bm25.length * length) / this.#mean)
    return counts.reduce((sum, count, i) => sum + (this.#idf[i] ?? 0) * ((count * (bm25.saturation + 1)) / (count + norm)), 0)
  }
}

/** idf, as in FTS5. */
export function rarity(texts: number, occurs: number): number {
  const idf = Math.log((texts - occurs + 0.5) / (occurs + 0.5))
  return idf <= 0 ? bm25.min : idf
}

function counted(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
