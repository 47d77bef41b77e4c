/**
 * Vectorize as the vector index port. One index holds every corpus: an id is the corpus uid, a colon and the node's id (32 + 1 + at most 31 of
 * 64 bytes), so that two corpora with the same text keep their own vectors; the uid is the namespace, too. Kind and layer are metadata, indexed
 * before the first upsert. Vectors travel as the integers they are kept as: the metric is the cosine, which knows no scale, and a component
 * takes three characters instead of twenty.
 */
import { vectorizeLimits as limits } from '../platform-limits'
import type { VectorIndex } from '../ports/vector-index'
import { vectorFault } from '../vector-faults'

interface VectorRecord {
  readonly id: string
  readonly values: readonly number[]
  readonly namespace?: string
  readonly metadata?: { readonly [key: string]: unknown }
}

/** The part of the binding that is used here. */
export interface VectorizeLike {
  upsert(vectors: VectorRecord[]): Promise<unknown>
  describe(): Promise<unknown>
  deleteByIds(ids: string[]): Promise<unknown>
  getByIds(ids: string[]): Promise<readonly VectorRecord[]>
  query(
    vector: number[],
    options: { topK: number; namespace: string; filter: { kind: string }; returnValues: boolean; returnMetadata: 'none' },
  ): Promise<{ matches?: readonly { id: string; score: number }[] }>
}

export function vectorize(binding: VectorizeLike): VectorIndex {
  const remove = (ids: readonly string[]) => sliced('delete', ids, limits.maxDeleteIds, (slice) => binding.deleteByIds(slice))
  const fetch = async (ids: readonly string[]) => (await sliced('get', ids, limits.maxGetIds, (slice) => binding.getByIds(slice))).flat()
  return {
    async upsert(corpus, entries) {
      await sliced('upsert', entries, limits.safeUpsertVectors, (slice) =>
        binding.upsert(
          slice.map(({ id, vector, kind, layer }) => ({
            id: idIn(corpus, id),
            values: Array.from(vector),
            namespace: corpus,
            metadata: { kind, layer },
          })),
        ),
      )
    },
    async remove(corpus, ids) {
      await remove(ids.map((id) => idIn(corpus, id)))
    },
    async fetch(corpus, ids) {
      const found = await fetch(ids.map((id) => idIn(corpus, id)))
      return found.map(({ id, values, metadata = {} }) => ({
        id: nodeIn(corpus, id) ?? id,
        vector: values,
        kind: String(metadata.kind ?? ''),
        layer: Number(metadata.layer ?? 0),
      }))
    },
    async query(corpus, vector, { kind, k }) {
      const topK = Math.min(limits.maxTopK, Math.max(0, Math.floor(k)))
      if (topK === 0) return []
      const options = { topK, namespace: corpus, filter: { kind }, returnValues: false, returnMetadata: 'none' } as const
      const { matches = [] } = await binding.query(Array.from(vector), options).catch((error: unknown) => {
        throw vectorFault('query', error)
      })
      const hits = new Map<string, number>()
      for (const { id, score } of matches) {
        const node = nodeIn(corpus, id)
        if (node !== undefined) hits.set(node, Math.max(score, hits.get(node) ?? score))
      }
      return [...hits].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    },
    async size() {
      const described = (await binding.describe().catch((error: unknown) => {
        throw vectorFault('describe', error)
      })) as { readonly vectorCount?: number; readonly vectorsCount?: number }
      return { vectors: described.vectorCount ?? described.vectorsCount ?? 0, max: FILLED * limits.maxVectors }
    },
    async removeUnnamed(corpus, ids) {
      const ours = (await fetch(ids)).filter((one) => one.namespace === corpus)
      await remove(ours.map((one) => one.id))
    },
  }
}

const FILLED = 0.95 // of an index may be filled; the rest is for documents already accepted

const idIn = (corpus: string, id: string): string => `${corpus}:${id}`

/**
 * The node that a match names: one of this corpus, or, without a colon, one written into its namespace by a release whose ids named no
 * corpus.
 */
function nodeIn(corpus: string, id: string): string | undefined {
  if (id.startsWith(`${corpus}:`)) return id.slice(corpus.length + 1)
  return id.includes(':') ? undefined : id
}

/** One call after another: mutations are processed in the order of their arrival. */
async function sliced<T, R>(operation: string, items: readonly T[], size: number, call: (slice: T[]) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += size) {
    try {
      results.push(await call(items.slice(at, at + size)))
    } catch (error) {
      throw vectorFault(operation, error)
    }
  }
  return results
}
