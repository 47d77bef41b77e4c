/**
 * Vectorize as the vector index port. Kind and layer are metadata (indexed before the first upsert), the corpus uid is the namespace.
 * Limits: https://developers.cloudflare.com/vectorize/platform/limits/
 */
import type { VectorIndex } from '../ports'

const BATCH = 1000 // vectors or ids in one call of the binding
const TOP = 100 // matches, when neither values nor all metadata are returned

/** As much of the binding as is used here. */
export interface VectorizeLike {
  upsert(
    vectors: { id: string; values: number[]; namespace: string; metadata: { [key: string]: string | number } }[],
  ): Promise<{ mutationId?: string }>
  deleteByIds(ids: string[]): Promise<{ mutationId?: string }>
  query(
    vector: number[],
    options: { topK: number; namespace: string; filter: { kind: string }; returnValues: boolean; returnMetadata: 'none' },
  ): Promise<{ matches?: readonly { id: string; score: number }[] }>
  describe(): Promise<{ processedUpToMutation?: string | number; processedUpToDatetime?: string | number }>
}

export function vectorize(binding: VectorizeLike): VectorIndex {
  return {
    async upsert(entries) {
      const records = entries.map(({ id, vector, namespace, kind, layer }) => ({
        id,
        values: [...vector],
        namespace,
        metadata: { kind, layer },
      }))
      return lastMutation(records, (slice) => binding.upsert(slice))
    },
    remove(ids) {
      return lastMutation(ids, (slice) => binding.deleteByIds(slice))
    },
    async query(vector, { namespace, kind, k }) {
      const topK = Math.min(TOP, Math.max(0, Math.floor(k)))
      if (topK === 0) return []
      const reply = await binding.query([...vector], { topK, namespace, filter: { kind }, returnValues: false, returnMetadata: 'none' })
      const hits = (reply.matches ?? []).map(({ id, score }) => ({ id, score }))
      return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    },
    async processed() {
      const { processedUpToMutation, processedUpToDatetime } = await binding.describe()
      return { mutation: String(processedUpToMutation ?? ''), at: milliseconds(processedUpToDatetime) }
    },
  }
}

/** Slices go in order, so the last mutation stands for all of them. Empty when there was nothing to do. */
async function lastMutation<T>(items: readonly T[], send: (slice: T[]) => Promise<{ mutationId?: string }>): Promise<string> {
  let mutation = ''
  for (let at = 0; at < items.length; at += BATCH) mutation = (await send(items.slice(at, at + BATCH))).mutationId ?? ''
  return mutation
}

/** The declared type is a number, the documentation's an ISO date. Not every number is in milliseconds. */
function milliseconds(value: string | number | undefined): number {
  if (typeof value === 'string') return Date.parse(value) || 0
  if (value === undefined || !Number.isFinite(value)) return 0
  return value < 1e11 ? value * 1000 : value
}
