/** What the corpus may spend, and how much of that is spent. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { count, dollars } from '../shared/numbers'
import { UsedOf } from '../shared/used-of'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function Budget({ corpus: { budget, usage, status }, change }: Props) {
  const [tokens, limit] = useState(String(budget.tokens ?? ''))
  const [usd, cap] = useState(String(budget.usd ?? ''))
  const save = (event: Event) => {
    event.preventDefault()
    const wanted = { ...(tokens === '' ? {} : { tokens: Number(tokens) }), ...(usd === '' ? {} : { usd: Number(usd) }) }
    void change({ budget: Object.keys(wanted).length ? wanted : null })
  }
  return (
    <form class="card" onSubmit={save}>
      <h2>Budget</h2>
      <UsedOf what=" tokens" used={usage.in + usage.out + usage.embedded} all={budget.tokens} word={count} />
      <UsedOf what="" used={usage.usd ?? 0} all={budget.usd} word={dollars} />
      {status === 'paused_budget' && <p class="failure">Work is waiting for a larger budget, and continues as soon as you save one.</p>}
      <p class="fine">Once it is spent, new documents wait and questions are answered by keyword search alone. Leave empty for no limit.</p>
      <label for="budget-tokens">Tokens</label>
      <input id="budget-tokens" type="number" min={0} step={1} value={tokens} onInput={(event) => limit(event.currentTarget.value)} />
      <label for="budget-usd">US dollars</label>
      <input id="budget-usd" type="number" min={0} step="any" value={usd} onInput={(event) => cap(event.currentTarget.value)} />
      <button type="submit">Save</button>
    </form>
  )
}
