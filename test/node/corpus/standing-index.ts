/**
 * Vectorize in memory, for the object in Node: it refuses what the stand-in refuses (local/workerd/limits.ts), shows a write after a delay of the
 * world's own clock and in order, loses mutations on request, and counts its calls.
 */

import { refused } from '../../../local/workerd/faults'
import { readIds, readRows } from '../../../local/workerd/limits'
import type { VectorizeLike } from '../../../src/adapters/vectorize'
import { cosine } from '../../../src/core/vectors'
import { vectorizeLimits as limits } from '../../../src/platform-limits'

export interface StandingRow {
  readonly id: string
  readonly namespace: string
  readonly values: Float32Array
  readonly metadata: { readonly [key: string]: unknown } | undefined
}

interface Mutation {
  readonly due: number
  readonly rows: readonly StandingRow[]
  readonly gone: readonly string[]
}

export interface StandingIndex {
  readonly binding: VectorizeLike
  /** Visible by now. */
  readonly rows: ReadonlyMap<string, StandingRow>
  readonly calls: {
    readonly op: 'upsert' | 'delete' | 'get'
    readonly ids: readonly string[]
    readonly count: number
    readonly bytes: number
  }[]
  /** ms until a write is visible. */
  delay: number
  /** Mutations still to be lost. */
  lost: number
  /** A code with which the call is refused, whatever else it holds. */
  poison: (op: 'upsert' | 'delete' | 'get', ids: readonly string[]) => number | undefined
  /** What was there at the last `base`, again. */
  base(): void
  again(): void
}

export function standingIndex(clock: { readonly now: number }, dimensions: number): StandingIndex {
  let rows = new Map<string, StandingRow>()
  let pending: Mutation[] = []
  let kept = { rows, pending }
  const advance = (): void => {
    const ready = pending.filter((one) => one.due <= clock.now)
    pending = pending.slice(ready.length)
    for (const { rows: written, gone } of ready) {
      for (const id of gone) rows.delete(id)
      for (const row of written) rows.set(row.id, row)
    }
  }
  const enter = (op: 'upsert' | 'delete' | 'get', ids: readonly string[], bytes = 0): void => {
    index.calls.push({ op, ids, count: ids.length, bytes })
    const code = index.poison(op, ids)
    if (code !== undefined) throw refused(op === 'upsert' ? 'UPSERT' : op === 'delete' ? 'DELETE' : 'GET', code, 'refused by the test')
    advance()
  }
  const accept = (mutation: Omit<Mutation, 'due'>): void => {
    const last = pending.at(-1)?.due ?? 0
    if (index.lost > 0) index.lost--
    else pending.push({ ...mutation, due: Math.max(last, clock.now + index.delay) })
    advance()
  }
  const index: StandingIndex = {
    calls: [],
    delay: 0,
    lost: 0,
    poison: () => undefined,
    get rows() {
      advance()
      return rows
    },
    base() {
      kept = { rows: new Map(rows), pending: [...pending] }
    },
    again() {
      rows = new Map(kept.rows)
      pending = [...kept.pending]
    },
    binding: {
      describe: async () => ({ vectorCount: rows.size }),
      async upsert(vectors) {
        const written = readRows('UPSERT', vectors, dimensions)
        enter(
          'upsert',
          written.map((one) => one.id),
          JSON.stringify(vectors).length,
        )
        accept({ rows: written, gone: [] })
        return {}
      },
      async deleteByIds(ids) {
        enter('delete', readIds('DELETE', ids, limits.maxDeleteIds))
        accept({ rows: [], gone: ids })
        return {}
      },
      async getByIds(ids) {
        enter('get', readIds('GET', ids, limits.maxGetIds))
        return ids.flatMap((id) => {
          const row = rows.get(id)
          return row ? [{ id, namespace: row.namespace, values: [...row.values], metadata: row.metadata ?? {} }] : []
        })
      },
      async query(vector, { topK, namespace, filter }) {
        advance()
        const among = [...rows.values()].filter((one) => one.namespace === namespace && one.metadata?.kind === filter.kind)
        const matches = among.map((one) => ({ id: one.id, score: cosine(vector, one.values) }))
        return { matches: matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, topK) }
      },
    },
  }
  return index
}
