/** When a key expires. */
const DAY = 86_400_000 // ms
const LIVES = [30, 90, 365] // days
const UNTIL = 'until'

export interface Expiry {
  /** Days, `until` or nothing. */
  readonly life: string
  readonly day: string
}

export const ENDLESS: Expiry = { life: '', day: '' }

/** As the API takes it; nothing if it does not expire automatically. */
export function expiresAt({ life, day }: Expiry, now: number): string | undefined {
  if (life === '') return undefined
  return new Date(life === UNTIL ? Date.parse(day) + DAY : now + Number(life) * DAY).toISOString()
}

interface Props {
  readonly expiry: Expiry
  readonly change: (expiry: Expiry) => void
}

export function ExpiryFields({ expiry: { life, day }, change }: Props) {
  return (
    <>
      <label for="key-life">Expires</label>
      <select id="key-life" value={life} onChange={(event) => change({ life: event.currentTarget.value, day })}>
        <option value="">never, or when the key that created it expires</option>
        {LIVES.map((days) => (
          <option key={days} value={String(days)}>
            in {days} days
          </option>
        ))}
        <option value={UNTIL}>after a day …</option>
      </select>
      {life === UNTIL && (
        <>
          <label for="key-day">Last day (UTC)</label>
          <input
            id="key-day"
            type="date"
            required
            min={new Date().toISOString().slice(0, 10)}
            value={day}
            onInput={(event) => change({ life, day: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}
