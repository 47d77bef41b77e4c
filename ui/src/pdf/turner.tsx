/** Turns the pages of a file: the one before, the next, and any by its number. */
import { useEffect, useState } from 'preact/hooks'

interface Props {
  /** The pages that are shown, of so many. */
  readonly first: number
  readonly last: number
  readonly of: number
  readonly turn: (page: number) => void
}

export function Turner({ first, last, of, turn }: Props) {
  const [typed, type] = useState(String(first))
  useEffect(() => type(String(first)), [first])
  const go = () => {
    const page = Number(typed)
    if (Number.isInteger(page) && page >= 1 && page <= of) turn(page)
    else type(String(first))
  }
  return (
    <form
      class="row wrap fine turner"
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <Turn name="Previous page" sign="‹" to={first - 1} of={of} turn={turn} />
      <label class="row">
        Page
        <input
          inputMode="numeric"
          autocomplete="off"
          aria-label="Page"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={go}
        />
      </label>
      <span role="status">
        of {of}
        <span class="visually-hidden">{`, page ${first}${last > first ? ` to ${last}` : ''} is shown`}</span>
      </span>
      <Turn name="Next page" sign="›" to={last + 1} of={of} turn={turn} />
    </form>
  )
}

interface TurnProps extends Pick<Props, 'of' | 'turn'> {
  readonly name: string
  readonly sign: string
  readonly to: number
}

/** Not `disabled` at the end: the focus would be lost there. */
function Turn({ name, sign, to, of, turn }: TurnProps) {
  const isEnd = to < 1 || to > of
  return (
    <button type="button" class="small" aria-label={name} title={name} aria-disabled={isEnd} onClick={() => isEnd || turn(to)}>
      {sign}
    </button>
  )
}
