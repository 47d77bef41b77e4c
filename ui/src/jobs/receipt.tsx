/** What an insertion touched, relative to everything there is: the promise of a growing graph, as bars. */
import type { Receipt } from '../../../src/client/client'
import { count, duration, plural } from '../shared/numbers'

/** A receipt counts segments, the corpus counts them among its summaries. */
const TOTAL: Readonly<Record<string, string>> = { segments: 'summaries' }

interface Props {
  readonly receipt: Receipt
  readonly counts: Readonly<Record<string, number>>
  readonly label: string
}

export function ReceiptBars({ receipt, counts, label }: Props) {
  const rows = Object.entries(receipt.touched).filter(([, n]) => n > 0)
  const { in: read, out, embedded } = receipt.tokens
  return (
    <>
      <table class="bars">
        <caption>What “{label}” touched</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Share</th>
            <th scope="col">Touched</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([kind, n]) => {
            const total = counts[TOTAL[kind] ?? kind] ?? 0
            return (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td>
                  <span class="bar" aria-hidden="true">
                    <span style={{ width: `${Math.min(100, (100 * n) / Math.max(1, total))}%` }} />
                  </span>
                </td>
                <td class="number">
                  {count(n)} <span class="fine">{n > total ? `(${count(total)} now)` : `of ${count(total)}`}</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="fine">
        {plural(receipt.rows_written, 'row')} written, {count(read + out)} tokens of text models, {count(embedded)} embedded
        {receipt.texts_embedded ? ` (${plural(receipt.texts_embedded, 'text')})` : ''}, {duration(receipt.ms)}; version {receipt.version}
        {receipt.examples_removed ? `; ${plural(receipt.examples_removed, 'worked example')} left the settings` : ''}
        {receipt.earlier_kept ? `; ${plural(receipt.earlier_kept, 'changed sentence')} kept for a time` : ''}
        {receipt.shared_with?.length ? `; shared with ${plural(receipt.shared_with.length, 'job')}` : ''}
      </p>
    </>
  )
}
