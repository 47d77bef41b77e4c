/** A secret, shown once. */
import { Copy } from '../shared/notices'

interface Props {
  readonly secret: string
  /** What to do with it. */
  readonly what: string
  readonly url?: string
}

export function Secret({ secret, what, url }: Props) {
  return (
    <div class="notice" role="status">
      <p>
        <strong>Copy the secret now.</strong> It is shown once. {what}
      </p>
      {url && (
        <p class="row">
          <span class="fine">Address</span> <code class="break grow">{url}</code> <Copy text={url} />
        </p>
      )}
      <p class="row">
        <span class="fine">Secret</span> <code class="break grow">{secret}</code> <Copy text={secret} />
      </p>
    </div>
  )
}
