/** One receipt: its purpose and what it touched at a glance, and all of it when opened. */
import { useState } from 'preact/hooks'
import type { CommitReceipt, Job } from '../../../src/client/client'
import { doneWord, workWord } from '../jobs/job-words'
import { ReceiptBars } from '../jobs/receipt'
import { touchedWords } from '../jobs/touched'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { plural, when } from '../shared/numbers'

interface Props {
  readonly corpus: string
  readonly receipt: CommitReceipt
  readonly jobs: ReadonlyMap<string, Job>
  readonly counts: Readonly<Record<string, number>>
  readonly open: boolean
}

export function ReceiptEntry({ corpus, receipt, jobs, counts, open }: Props) {
  const [opened, see] = useState(open)
  const { version, at: time, jobs: names } = receipt
  const kinds = [...new Set(names.flatMap((id) => jobs.get(id)?.kind ?? []))]
  return (
    <li>
      <details open={open} onToggle={(event) => see(event.currentTarget.open)}>
        <summary>
          <strong>Version {version}</strong> {names.length === 0 ? 'without a job' : kinds.map(doneWord).join(', ')}{' '}
          <span class="fine">
            {when(time)} · {touchedWords(receipt.touched)}
          </span>
        </summary>
        {opened && <Whole corpus={corpus} receipt={receipt} counts={counts} forgot={kinds.includes('delete')} />}
      </details>
    </li>
  )
}

type WholeProps = Omit<Props, 'jobs' | 'open'> & { readonly forgot: boolean }

function Whole({ corpus, receipt: { jobs, state, change, hash }, counts, forgot }: WholeProps) {
  const [first] = jobs
  return (
    <>
      {forgot && <p class="fine">Once its job had succeeded, no text of the document was left in any table, index or answer.</p>}
      {first ? (
        <OfJob corpus={corpus} id={first} counts={counts} />
      ) : (
        <p class="fine">Not from a job: an immediate decision, such as a name or a label, or catch-up work.</p>
      )}
      {jobs.length > 1 && <p class="fine">Together with {plural(jobs.length - 1, 'other job')}.</p>}
      <dl class="hashes fine">
        <dt>Change</dt>
        <dd>
          <code>{change}</code>
        </dd>
        <dt>State</dt>
        <dd>
          <code>{state}</code>
        </dd>
        <dt>Hash</dt>
        <dd>
          <code>{hash}</code>
        </dd>
      </dl>
    </>
  )
}

/** A job is kept for thirty days, its commits' receipts permanently. */
function OfJob({ corpus, id, counts }: { readonly corpus: string; readonly id: string; readonly counts: Props['counts'] }) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).job(id), [corpus, id])
  if (isStatus(fault, 404)) return <p class="fine">What a job cost is kept for thirty days.</p>
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  return value.receipt ? (
    <ReceiptBars receipt={value.receipt} counts={counts} label={workWord(value.kind)} />
  ) : (
    <p class="fine">Its job is still running.</p>
  )
}
