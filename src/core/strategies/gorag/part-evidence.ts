/**
 * Words that differ may still share a stem, a root or a spelling: "topup" and "top up", "refunded" and "refund", a typing error. This is the cosine
 * between the letter sequences of a text and those of a label's texts, weighted by rarity. Computed from labelled texts alone, so that learning
 * costs nothing here.
 */

import { STOP_WORDS } from '../../text/stop-words'
import { fold, words } from '../../text/terms'
import type { GoragIndex, Labelled } from './index'
import type { LabelledView } from './labelled-view'

/** Letters of a sequence; a word is read with its ends marked. */
const SHORTEST = 3
const LONGEST = 5
/** Sequences are counted by hash: collisions among 65,536 buckets add a little noise, and no string needs to be kept. */
const BUCKETS = 1 << 16

/** Bucket → count. */
type Parts = ReadonlyMap<number, number>

interface Table {
  /** Entries of bucket b: `[offsets[b], offsets[b + 1])`. */
  readonly offsets: Int32Array
  readonly labels: Int32Array
  readonly strengths: Float32Array
  /** ln((N+1)/(df+1)) + 1 by bucket. */
  readonly salience: Float32Array
  readonly norms: Float64Array
}

const tables = new WeakMap<Labelled, Table>()

/** One cosine per label, 0 to 1. `without` leaves one labelled text out. */
export function partEvidence(
  index: GoragIndex,
  view: LabelledView,
  text: string,
  without?: { readonly key: string; readonly label: number },
): Float64Array {
  const table = tableOf(index.labelled, view)
  const parts = weighed(partsOf(text), table.salience)
  const own = without && weighed(partsOf(index.labelled.texts.get(without.key)?.text ?? ''), table.salience)
  const scores = new Float64Array(view.labels.length)
  for (const [bucket, weight] of parts) {
    for (let i = table.offsets[bucket] ?? 0; i < (table.offsets[bucket + 1] ?? 0); i++) {
      const label = table.labels[i] ?? 0
      scores[label] = (scores[label] ?? 0) + weight * (table.strengths[i] ?? 0)
    }
  }
  return scores.map((score, y) => {
    const norm = table.norms[y] ?? 0
    if (!own || without.label !== y) return norm > 0 ? score / norm : 0
    return leftOut(score, norm, product(parts, own), strengthAlong(table, own, y))
  })
}

/** Score and norm of a label's sum after the unit vector `own` is taken from it. */
function leftOut(score: number, norm: number, near: number, along: number): number {
  const square = norm ** 2 - 2 * along + 1
  return square > 1e-6 ? Math.max(0, score - near) / Math.sqrt(square) : 0
}

function strengthAlong(table: Table, parts: Parts, label: number): number {
  let sum = 0
  for (const [bucket, weight] of parts) {
    for (let i = table.offsets[bucket] ?? 0; i < (table.offsets[bucket + 1] ?? 0); i++) {
      if (table.labels[i] === label) sum += weight * (table.strengths[i] ?? 0)
    }
  }
  return sum
}

function product(a: Parts, b: Parts): number {
  let sum = 0
  for (const [bucket, weight] of a) sum += weight * (b.get(bucket) ?? 0)
  return sum
}

export function partsOf(text: string): Parts {
  const counts = new Map<number, number>()
  for (const { text: word } of words(fold(text))) {
    if (STOP_WORDS.has(word)) continue
    const marked = ` ${word} `
    for (let at = 0; at < marked.length; at++) {
      let hash = 0x811c9dc5
      for (let length = 1; length <= LONGEST && at + length <= marked.length; length++) {
        hash = Math.imul(hash ^ marked.charCodeAt(at + length - 1), 0x01000193)
        if (length < SHORTEST) continue
        const bucket = ((hash >>> 16) ^ hash) & (BUCKETS - 1)
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
      }
    }
  }
  return counts
}

/** Unit length. */
function weighed(parts: Parts, salience: Float32Array): Parts {
  const out = new Map<number, number>()
  let square = 0
  for (const [bucket, count] of parts) {
    const weight = (1 + Math.log(count)) * (salience[bucket] ?? 0)
    out.set(bucket, weight)
    square += weight * weight
  }
  const norm = Math.sqrt(square) || 1
  for (const [bucket, weight] of out) out.set(bucket, weight / norm)
  return out
}

function tableOf(labelled: Labelled, view: LabelledView): Table {
  const known = tables.get(labelled)
  if (known) return known
  const texts = view.texts.map(({ key, label }) => ({ label, parts: partsOf(labelled.texts.get(key)?.text ?? '') }))
  const frequency = new Float32Array(BUCKETS)
  for (const { parts } of texts) for (const bucket of parts.keys()) frequency[bucket] = (frequency[bucket] ?? 0) + 1
  const salience = frequency.map((df) => Math.log((texts.length + 1) / (df + 1)) + 1)
  const sums = view.labels.map(() => new Map<number, number>())
  for (const { label, parts } of texts) {
    const sum = sums[label]
    for (const [bucket, weight] of weighed(parts, salience)) sum?.set(bucket, (sum.get(bucket) ?? 0) + weight)
  }
  const made = { ...packed(sums), salience, norms: Float64Array.from(sums, lengthOf) }
  tables.set(labelled, made)
  return made
}

function packed(sums: readonly ReadonlyMap<number, number>[]): Pick<Table, 'offsets' | 'labels' | 'strengths'> {
  const offsets = new Int32Array(BUCKETS + 1)
  for (const sum of sums) for (const bucket of sum.keys()) offsets[bucket + 1] = (offsets[bucket + 1] ?? 0) + 1
  for (let b = 0; b < BUCKETS; b++) offsets[b + 1] = (offsets[b + 1] ?? 0) + (offsets[b] ?? 0)
  const next = offsets.slice()
  const labels = new Int32Array(offsets[BUCKETS] ?? 0)
  const strengths = new Float32Array(labels.length)
  for (const [label, sum] of sums.entries()) {
    for (const [bucket, strength] of sum) {
      const at = next[bucket] ?? 0
      next[bucket] = at + 1
      labels[at] = label
      strengths[at] = strength
    }
  }
  return { offsets, labels, strengths }
}

function lengthOf(sum: ReadonlyMap<number, number>): number {
  let square = 0
  for (const strength of sum.values()) square += strength * strength
  return Math.sqrt(square)
}
