/** New credentials of a private source: typed once, sealed, and never shown. */
import { useState } from 'preact/hooks'
import type { SourceCredential } from '../../../src/client/client'

interface Props {
  readonly id: string
  /** An S3 key, with two parts, in place of a token. */
  readonly isKey: boolean
  readonly save: (credential: SourceCredential) => void
  readonly cancel: () => void
}

export function NewToken({ id, isKey, save, cancel }: Props) {
  const [token, type] = useState('')
  const [keyId, name] = useState('')
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault()
        save(isKey ? { access_key_id: keyId, secret_access_key: token } : { token })
      }}
    >
      {isKey && (
        <>
          <label for={`key-${id}`}>Access key ID</label>
          <input id={`key-${id}`} autocomplete="off" required value={keyId} onInput={(event) => name(event.currentTarget.value)} />
        </>
      )}
      <label for={`token-${id}`}>{isKey ? 'Secret access key' : 'New token'}</label>
      <input
        id={`token-${id}`}
        type="password"
        autocomplete="off"
        required
        minLength={4}
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
