/** A state in one word, never by colour alone. */
const WORDS: Readonly<Record<string, string>> = {
  paused_budget: 'paused: budget',
  dead: 'not delivered',
  delivered: 'heard',
  looking: 'looking …',
  tuning: 'tuning',
  off: 'switched off',
}

export function StatusWord({ status }: { readonly status: string }) {
  return (
    <span class="status" data-status={status}>
      {WORDS[status] ?? status}
    </span>
  )
}
