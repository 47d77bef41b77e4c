/** How much of a bound is used, in words and as a bar. */
import { percent } from './numbers'

interface Props {
  readonly what: string
  readonly used: number
  readonly all: number | undefined
  readonly word: (n: number) => string
}

export function UsedOf({ what, used, all, word }: Props) {
  if (all === undefined) return null
  return (
    <label class="stack">
      <span>
        {word(used)} of {word(all)}
        {what} ({percent(all > 0 ? used / all : 1)})
      </span>
      <meter min={0} max={Math.max(all, 1e-9)} high={all * 0.8} optimum={0} value={Math.min(used, all)} />
    </label>
  )
}
