/** Which colour is which kind; pressed kinds are drawn, the others are hidden until they are pressed again. */
import { count } from '../shared/numbers'
import { kindWord, kindWords } from './kinds'
import type { Picture } from './picture'

interface Props {
  readonly picture: Picture
  readonly hidden: ReadonlySet<string>
  readonly toggle: (kind: string) => void
}

export function Legend({ picture, hidden, toggle }: Props) {
  const kinds = new Map<string, number>()
  for (const { kind } of picture.nodes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return (
    <fieldset class="kinds">
      <legend class="visually-hidden">Kinds that are drawn</legend>
      {[...kinds]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, n]) => (
          <button
            key={kind}
            type="button"
            class="small kind"
            data-kind={kind}
            aria-pressed={!hidden.has(kind)}
            onClick={() => toggle(kind)}
          >
            {n === 1 ? kindWord(kind) : kindWords(kind)} <span class="fine">{count(n)}</span>
          </button>
        ))}
    </fieldset>
  )
}
