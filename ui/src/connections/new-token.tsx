/** What a private source is let in with from now on: typed once, sealed, and never shown. */
import { useState } from 'preact/hooks'

interface Props {
  readonly id: string
  readonly save: (token: string) => void
  readonly cancel: () => void
}

export function NewToken({ id, save, cancel }: Props) {
  const [token, type] = useState('')
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault()
        save(token)
      }}
    >
      <label for={`token-${id}`}>New token</label>
      <input
        id={`token-${id}`}
        type="password"
        autocomplete="off"
        required
        minLength={8}
        maxLength={255}
        value={token}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <button type="submit" class="small">
        Use it
      </button>
      <button type="button" class="small" onClick={cancel}>
        Cancel
      </button>
    </form>
  )
}
