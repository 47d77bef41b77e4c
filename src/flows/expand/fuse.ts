/**
 * Several lists of evidence as one, by reciprocal rank (Cormack, Clarke and Büttcher 2009, DOI 10.1145/1571941.1572114): a piece is worth the sum of
 * 1 / (60 + its rank) over the lists that have it. Scores of different questions cannot be compared; ranks can. Pure.
 */
import type { Evidence } from '../../core/evidence'
import { groupEvidence } from '../rank'

const K = 60 // as measured there

/** Best first; ties keep the order of the earlier lists. `score`: the share of what first places in all lists would be worth. */
export function fuseEvidence(lists: readonly (readonly Evidence[])[], maxPerDocument = Number.POSITIVE_INFINITY): readonly Evidence[] {
  const worth = new Map<string, { readonly group: readonly Evidence[]; sum: number }>()
  for (const list of lists) {
    for (const [rank, group] of groupEvidence(list).entries()) {
      const [head] = group
      if (!head) continue
      const known = worth.get(head.id) ?? { group, sum: 0 }
      known.sum += 1 / (K + rank + 1)
      worth.set(head.id, known)
    }
  }
  const most = lists.length / (K + 1)
  const held = new Set<string>()
  const perDocument = new Map<string, number>()
  return [...worth.values()]
    .sort((a, b) => b.sum - a.sum)
    .flatMap(({ group, sum }) => {
      const fresh = group.filter((one) => !held.has(one.id) && mayHave(one, perDocument, maxPerDocument))
      // A summary without a supporting passage could not be cited.
      if (fresh[0] !== group[0] || (group.length > 1 && fresh.length === 1)) return []
      for (const { id, document } of fresh) {
        held.add(id)
        if (document !== null) perDocument.set(document, (perDocument.get(document) ?? 0) + 1)
      }
      return fresh.map((one) => ({ ...one, score: sum / most }))
    })
}

function mayHave({ document }: Evidence, perDocument: ReadonlyMap<string, number>, most: number): boolean {
  return document === null || (perDocument.get(document) ?? 0) < most
}
