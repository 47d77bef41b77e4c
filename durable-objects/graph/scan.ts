/**
 * Every vector of a kind, read in slices: exact nearest neighbours while the vector index is down, and pages to refill the index. Costs one
 * pass over the rows; nothing is kept.
 */
import { compareText } from '../../src/core/graph/ordered-map'
import type { DerivedKind, Hit, NodeKind, Vector } from '../../src/core/graph/types'
import { chunkOf, ordinalOf, passageId, unitId } from '../../src/core/ids'
import { dot, norm } from '../../src/core/vectors'
import type { Sql } from '../sql'
import { idRange, unpackVectors } from './rows'

const SLICE = 128 // rows at a time: chunks come with a few kilobytes each

export interface Embedded {
  readonly id: string
  readonly layer: number
  readonly vector: Vector
}

interface ScanTarget {
  readonly sql: Sql
  readonly dimensions: number
  readonly kind: NodeKind
}

/** The k best by cosine, best first, then by id. `admits` is asked before a vector is compared. */
export function nearest(wanted: ScanTarget, vector: Vector, k: number, admits: (id: string) => boolean): readonly Hit[] {
  const length = norm(vector)
  const best: Hit[] = []
  let floor = Number.NEGATIVE_INFINITY
  for (const { id, vector: other } of embedded(wanted, '')) {
    if (!admits(id)) continue
    const lengths = length * norm(other)
    const score = lengths > 0 ? dot(vector, other) / lengths : 0
    if (score < floor) continue
    best.push({ id, score })
    if (best.length >= 4 * k + 64) floor = keepBest(best, k)
  }
  keepBest(best, k)
  return best
}

/** In the graph's own order, from an id on (exclusive); those without a vector are left out. A chunk's own vector is not stored: ask for its passages. */
export function* embedded(wanted: ScanTarget, after: string): Generator<Embedded> {
  const { kind } = wanted
  if (kind === 'document' || kind === 'chunk') return
  if (kind === 'passage' || kind === 'unit') yield* parts(wanted, kind, after)
  else yield* nodes(wanted, kind, after)
}

/** Sorts, cuts to k, and returns the score that is still good enough. */
function keepBest(best: Hit[], k: number): number {
  best.sort((a, b) => b.score - a.score || compareText(a.id, b.id))
  best.length = Math.min(best.length, k)
  return best.length < k ? Number.NEGATIVE_INFINITY : (best[k - 1]?.score ?? Number.POSITIVE_INFINITY)
}

function* parts({ sql, dimensions }: ScanTarget, kind: 'passage' | 'unit', after: string): Generator<Embedded> {
  const name = kind === 'passage' ? passageId : unitId
  const statement = `SELECT id, ${kind}s AS blob FROM chunk WHERE id >= ? AND id > ? ORDER BY id LIMIT ${SLICE}`
  let first = after === '' ? '' : chunkOf(after)
  let skip = after === '' ? 0 : ordinalOf(after) + 1
  for (let last = ''; ; ) {
    const rows: { id: string; blob: ArrayBuffer }[] = sql.all(statement, first, last)
    for (const { id, blob } of rows) {
      const from = id === first ? skip : 0
      const vectors = unpackVectors(blob, dimensions)
      for (let ordinal = from; ordinal < vectors.length; ordinal++) {
        yield { id: name(id, ordinal), layer: 0, vector: vectors[ordinal] as Vector }
      }
    }
    const end = rows[rows.length - 1]
    if (!end) return
    last = end.id
    first = ''
    skip = 0
  }
}

function* nodes({ sql }: ScanTarget, kind: DerivedKind, after: string): Generator<Embedded> {
  const [from, to] = idRange(kind)
  const statement = `SELECT id, layer, vector FROM node WHERE id > ? AND id < ? ORDER BY id LIMIT ${SLICE}`
  for (let last = after > from ? after : from; ; ) {
    const rows: { id: string; layer: number; vector: ArrayBuffer | null }[] = sql.all(statement, last, to)
    for (const { id, layer, vector } of rows) if (vector) yield { id, layer, vector: new Int8Array(vector) }
    const end = rows[rows.length - 1]
    if (!end) return
    last = end.id
  }
}
