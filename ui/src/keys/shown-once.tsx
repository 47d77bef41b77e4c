/** A secret that was just made. */
import type { MintedKey } from '../../../src/client/client'
import { Copy } from '../shared/notices'

export function ShownOnce({ made }: { readonly made: MintedKey | null }) {
  if (!made?.key) return null
  return (
    <div class="notice" role="status">
      <p>
        <strong>Copy it now.</strong> It is shown once and kept only as a hash.
      </p>
      <p class="row wrap">
        <code class="break">{made.key}</code> <Copy text={made.key} />
      </p>
    </div>
  )
}
