/** Documents among the hits by value, over several corpora. */
import type { FacetCounts } from '../../ports/retrieval'

const MAX_VALUES = 20 // per key, as for one corpus

export function sumFacets(all: readonly FacetCounts[]): FacetCounts {
  const keys = [...new Set(all.flatMap((one) => Object.keys(one)))]
  return Object.fromEntries(
    keys.map((key) => {
      const counts = new Map<string, number>()
      for (const one of all)
        for (const { value, documents } of one[key] ?? []) {
          const name = JSON.stringify(value)
          counts.set(name, (counts.get(name) ?? 0) + documents)
        }
      const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MAX_VALUES)
      return [key, sorted.map(([name, documents]) => ({ value: JSON.parse(name) as string | number | boolean | null, documents }))]
    }),
  )
}
