/** What an object that has told the sinks something must catch up with. May be repeated at any time. */

import type { Ledger } from '../store'
import { cursorOf } from '../told/outbox'
import { openBook } from './jobs'

/** Jobs that waited for the sinks to be told of their deletions. */
export function finishTold(ledger: Ledger): void {
  const told = Math.min(cursorOf(ledger, 'model'), cursorOf(ledger, 'index'))
  ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const rows = ledger.sql.all<{ n: number }>(`SELECT n FROM job WHERE phase = 'telling' AND told <= ?`, told)
    for (const { n } of rows) {
      const job = book.find(n)
      if (job) job.told = 0
    }
    book.save()
  })
}
