/** Metrics of a ranking, and how sure a difference is. Pure; the bootstrap is seeded. */
import { random } from '../../../src/core/random'

/** Share of the gold found among the first k distinct items. */
export function recall(ranking: readonly string[], gold: readonly string[], k: number): number {
  if (gold.length === 0) return 0
  const top = new Set([...new Set(ranking)].slice(0, k))
  return gold.filter((id) => top.has(id)).length / gold.length
}

/** Binary nDCG at k over distinct items. */
export function ndcg(ranking: readonly string[], gold: readonly string[], k: number): number {
  const wanted = new Set(gold)
  const gain = (rank: number): number => 1 / Math.log2(rank + 2)
  const ideal = Array.from({ length: Math.min(k, wanted.size) }, (_, rank) => gain(rank)).reduce((sum, one) => sum + one, 0)
  const got = [...new Set(ranking)].slice(0, k).reduce((sum, id, rank) => sum + (wanted.has(id) ? gain(rank) : 0), 0)
  return ideal > 0 ? got / ideal : 0
}

export const mean = (values: readonly number[]): number => (values.length ? values.reduce((sum, one) => sum + one, 0) / values.length : 0)

export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** Mean difference a − b over the same questions, with the 95 % percentile interval of a paired bootstrap. `groups` are resampled each on their own and weigh alike. */
export function pairedBootstrap(
  groups: readonly { readonly a: readonly number[]; readonly b: readonly number[] }[],
  rounds = 4000,
): Interval {
  const differences = groups.map(({ a, b }) => a.map((value, i) => value - (b[i] ?? 0)))
  const rng = random(20251121)
  const draws = Array.from({ length: rounds }, () =>
    mean(differences.map((list) => mean(list.map(() => list[rng.below(list.length)] ?? 0)))),
  )
  draws.sort((x, y) => x - y)
  const at = (share: number): number => draws[Math.min(rounds - 1, Math.floor(share * rounds))] ?? 0
  return { mean: mean(differences.map(mean)), low: at(0.025), high: at(0.975) }
}

export function interval({ mean, low, high }: Interval): string {
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`
}

/** To one place, with its sign. */
export function signed(value: number): string {
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)}`
}
