/** The credentials of a private source: typed once, sealed, and never shown again. */
import type { NewSource, Source } from '../../../src/client/client'

export const NO_CREDENTIAL = { token: '', keyId: '', keySecret: '', region: '' }
type Typed = typeof NO_CREDENTIAL

interface Props {
  readonly kind: Source['kind']
  readonly typed: Typed
  readonly fill: (field: keyof Typed) => (event: { readonly currentTarget: HTMLInputElement }) => void
}

interface Token {
  readonly label: string
  readonly what: string
  readonly isNeeded: boolean
}

const TOKENS: { readonly [kind in Source['kind']]?: Token } = {
  github: { label: 'Token, for a private repository', what: 'A fine-grained token that may read its contents.', isNeeded: false },
  notion: { label: 'Secret of the integration', what: 'An internal integration that may read content.', isNeeded: true },
  slack: {
    label: 'Bot token',
    what: 'From an internal app with the scopes channels:history, channels:read and users:read (groups:… for a private channel).',
    isNeeded: true,
  },
}

export function credentialOf(kind: Source['kind'], { token, keyId, keySecret, region }: Typed): Partial<NewSource> {
  if (kind in TOKENS) return token ? { token } : {}
  if (kind !== 's3') return {}
  return { access_key_id: keyId, secret_access_key: keySecret, ...(region ? { region } : {}) }
}

export function CredentialFields({ kind, typed, fill }: Props) {
  const secret = { type: 'password', autocomplete: 'off', maxLength: 255 } as const
  const wanted = TOKENS[kind]
  if (wanted)
    return (
      <>
        <label for="source-token">{wanted.label}</label>
        <input
          id="source-token"
          required={wanted.isNeeded}
          {...secret}
          aria-describedby="source-token-what"
          value={typed.token}
          onInput={fill('token')}
        />
        <p id="source-token-what" class="fine">
          {wanted.what} It is stored sealed and never shown again.
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
