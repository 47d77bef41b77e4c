/**
 * Which vector index a corpus is in: the deployment's, or, for a corpus with dedicated stores, its own (`INDEX_0`, …; `INDEX_EU_0`, …), by
 * the number in its uid. Each has the dimensions of the embedding model; while a deployment moves to another model, each has a counterpart
 * for the previous model (`INDEX_0_PREVIOUS`).
 */
import { dedicatedOf, jurisdictionOf } from '../corpus-uid'
import type { VectorIndex } from '../ports/vector-index'
import { type VectorizeLike, vectorize } from './vectorize'

/** The name of a dedicated index's binding. */
export const indexName = (number: number, jurisdiction?: string): string =>
  `INDEX_${jurisdiction ? `${jurisdiction.toUpperCase()}_` : ''}${number}`

/** Calls reject if a corpus's index is no longer bound. */
export function indexesOf(env: object, shared: unknown, suffix: '' | '_PREVIOUS' = ''): VectorIndex {
  const bound = env as { readonly [name: string]: unknown }
  const common = vectorize(shared as VectorizeLike)
  const known = new Map<string, VectorIndex>()
  const of = (uid: string): VectorIndex => {
    const number = dedicatedOf(uid)
    if (number === undefined) return common
    const name = indexName(number, jurisdictionOf(uid)) + suffix
    if (!bound[name]) throw new Error(`indexes: ${name} is not bound; keep it in wrangler.toml as long as a corpus uses it`)
    const index = known.get(name) ?? vectorize(bound[name] as VectorizeLike)
    known.set(name, index)
    return index
  }
  return {
    upsert: async (corpus, entries) => of(corpus).upsert(corpus, entries),
    remove: async (corpus, ids) => of(corpus).remove(corpus, ids),
    fetch: async (corpus, ids) => of(corpus).fetch(corpus, ids),
    query: async (corpus, vector, where) => of(corpus).query(corpus, vector, where),
    size: async (corpus) => of(corpus).size(corpus),
    removeUnnamed: async (corpus, ids) => of(corpus).removeUnnamed(corpus, ids),
  }
}
