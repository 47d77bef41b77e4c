/** Fields for what a key may use in a day and in a minute. */
import type { TypedLimits } from './limits'

interface Props {
  /** Distinguishes the fields of one form from those of another. */
  readonly id: string
  readonly typed: TypedLimits
  readonly change: (typed: TypedLimits) => void
}

const FIELDS = [
  ['tokens', 'Tokens a day', 1],
  ['usd', 'US dollars a day', 'any'],
  ['requests', 'Requests a day', 1],
  ['requestsAMinute', 'Requests a minute', 1],
  ['questionsAMinute', 'Questions a minute', 1],
] as const

export function LimitFields({ id, typed, change }: Props) {
  return (
    <fieldset class="choices">
      <legend>Limits per day (UTC) and per minute. Leave empty for none.</legend>
      <div class="three">
        {FIELDS.map(([field, name, step]) => (
          <div key={field}>
            <label for={`${id}-${field}`}>{name}</label>
            <input
              id={`${id}-${field}`}
              type="number"
              min={0}
              step={step}
              value={typed[field]}
              onInput={(event) => change({ ...typed, [field]: event.currentTarget.value })}
            />
          </div>
        ))}
      </div>
    </fieldset>
  )
}
