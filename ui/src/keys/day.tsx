/** What a key has used of its day, next to its limits. */
import type { KeyUsage } from '../../../src/client/client'
import { count, dollars, when } from '../shared/numbers'
import { UsedOf } from '../shared/used-of'

export function Day({ usage }: { readonly usage: KeyUsage }) {
  const { limits, tokens, usd, requests, held, resets_at } = usage
  return (
    <div class="fine">
      <UsedOf what=" tokens" used={tokens} all={limits.tokens_a_day} word={count} />
      <UsedOf what="" used={usd} all={limits.usd_a_day} word={dollars} />
      <UsedOf what=" requests" used={requests} all={limits.requests_a_day} word={count} />
      {held.tokens > 0 && (
        <p>
          Reserved for calls in progress: {count(held.tokens)} tokens, {dollars(held.usd)}.
        </p>
      )}
      <p>Today; resets {when(resets_at)}.</p>
    </div>
  )
}
