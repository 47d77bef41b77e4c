/** The credentials of a private source: typed once, sealed, and never shown again. */
import type { NewSource, Source } from '../../../src/client/client'

export const NO_CREDENTIAL = { token: '', keyId: '', keySecret: '', region: '' }
type Typed = typeof NO_CREDENTIAL

interface Props {
  readonly kind: Source['kind']
  readonly typed: Typed
  readonly fill: (field: keyof Typed) => (event: { readonly currentTarget: HTMLInputElement }) => void
}

export function credentialOf(kind: Source['kind'], { token, keyId, keySecret, region }: Typed): Partial<NewSource> {
  if (kind === 'github' || kind === 'notion') return token ? { token } : {}
  if (kind !== 's3') return {}
  return { access_key_id: keyId, secret_access_key: keySecret, ...(region ? { region } : {}) }
}

export function CredentialFields({ kind, typed, fill }: Props) {
  const secret = { type: 'password', autocomplete: 'off', maxLength: 255 } as const
  if (kind === 'github' || kind === 'notion')
    return (
      <>
        <label for="source-token">{kind === 'notion' ? 'Secret of the integration' : 'Token, of a private repository'}</label>
        <input
          id="source-token"
          required={kind === 'notion'}
          {...secret}
          aria-describedby="source-token-what"
          value={typed.token}
          onInput={fill('token')}
        />
        <p id="source-token-what" class="fine">
          {kind === 'notion' ? 'An internal integration that may read content.' : 'A fine-grained token that may read its contents.'} It is
          stored sealed and never shown again.
        </p>
      </>
    )
  if (kind !== 's3') return null
  return (
    <>
      <div class="pair">
        <div>
          <label for="source-key">Access key ID</label>
          <input id="source-key" required autocomplete="off" maxLength={255} value={typed.keyId} onInput={fill('keyId')} />
        </div>
        <div>
          <label for="source-secret">Secret access key</label>
          <input id="source-secret" required {...secret} value={typed.keySecret} onInput={fill('keySecret')} />
        </div>
      </div>
      <label for="source-region">Region</label>
      <input id="source-region" placeholder="as its host says" value={typed.region} onInput={fill('region')} />
      <p class="fine">The key is stored sealed and never shown again.</p>
    </>
  )
}
