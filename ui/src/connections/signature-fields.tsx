/** How a sender with its own signing scheme signs. */
import type { NewHook } from '../../../src/client/client'

export type NewSignature = NonNullable<NewHook['signature']>

interface Props {
  readonly form: NewSignature
  readonly write: (form: NewSignature) => void
}

export function SignatureFields({ form, write }: Props) {
  const optional = (field: 'timestamp_header' | 'id_header', text: string) => write({ ...form, [field]: text.trim() || null })
  return (
    <>
      <div class="pair">
        <div>
          <label for="sign-header">Signature header</label>
          <input
            id="sign-header"
            required
            placeholder="x-signature"
            value={form.header}
            onInput={(event) => write({ ...form, header: event.currentTarget.value.trim() })}
          />
        </div>
        <div>
          <label for="sign-encoding">Written as</label>
          <select
            id="sign-encoding"
            value={form.encoding ?? 'hex'}
            onChange={(event) => write({ ...form, encoding: event.currentTarget.value === 'base64' ? 'base64' : 'hex' })}
          >
            <option value="hex">hex</option>
            <option value="base64">base64</option>
          </select>
        </div>
      </div>
      <div class="pair">
        <div>
          <label for="sign-prefix">Prefix of the signature</label>
          <input
            id="sign-prefix"
            placeholder="sha256="
            value={form.prefix ?? ''}
            onInput={(event) => write({ ...form, prefix: event.currentTarget.value })}
          />
        </div>
        <div>
          <label for="sign-what">What is signed</label>
          <input
            id="sign-what"
            placeholder="{body}"
            value={form.signed ?? '{body}'}
            onInput={(event) => write({ ...form, signed: event.currentTarget.value })}
          />
        </div>
      </div>
      <div class="pair">
        <div>
          <label for="sign-time">Timestamp header, if any</label>
          <input
            id="sign-time"
            value={form.timestamp_header ?? ''}
            onInput={(event) => optional('timestamp_header', event.currentTarget.value)}
          />
        </div>
        <div>
          <label for="sign-id">Id header, if any</label>
          <input id="sign-id" value={form.id_header ?? ''} onInput={(event) => optional('id_header', event.currentTarget.value)} />
        </div>
      </div>
    </>
  )
}
