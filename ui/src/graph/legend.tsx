/** Which colour is which kind, of the kinds that are drawn. */
import { count } from '../shared/numbers'
import type { Picture } from './picture'

export function Legend({ picture }: { readonly picture: Picture }) {
  const kinds = new Map<string, number>()
  for (const { kind } of picture.nodes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return (
    <ul class="kinds" aria-label="Kinds of node">
      {[...kinds]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, n]) => (
          <li key={kind} data-kind={kind}>
            {kind} <span class="fine">{count(n)}</span>
          </li>
        ))}
    </ul>
  )
}
