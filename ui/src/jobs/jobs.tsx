/** The newest jobs, updated while they run, and the receipt of the selected one. */
import { useEffect, useState } from 'preact/hooks'
import type { Corpus, Job } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { duration } from '../shared/numbers'
import { StatusWord } from '../shared/status-word'
import { follow, followed, hasEnded } from './followed'
import { JobAdvice } from './job-advice'
import { workWord } from './job-words'
import { ProgressBar } from './progress'
import { ReceiptBars } from './receipt'

const SHOWN = 5

interface Row {
  readonly job: Job
  readonly label: string
}

export function Jobs({ corpus }: { readonly corpus: Corpus }) {
  const name = corpus.corpus
  const { value } = useLoad((signal) => corpusAt(name, signal).jobs({ limit: SHOWN }), [name, corpus.version, corpus.status])
  const [looked, look] = useState<string | null>(null)
  const [unfolded, unfold] = useState<boolean | null>(null)
  // Jobs started elsewhere are followed too.
  useEffect(() => {
    for (const job of value?.data ?? []) if (!hasEnded(job)) void follow(name, job.job, workWord(job.kind)).catch(() => undefined)
  }, [value, name])
  const own = followed.value.filter((one) => one.corpus === name)
  const rows: Row[] = [
    ...own,
    ...(value?.data ?? []).filter((job) => !own.some((one) => one.job.job === job.job)).map((job) => ({ job, label: workWord(job.kind) })),
  ].slice(0, SHOWN)
  const [newest] = rows
  if (!newest) return null
  // Shown: jobs started in this visit, running ones, and those that need attention; earlier successful ones take one line.
  const isOpen = unfolded ?? (own.length > 0 || !['succeeded', 'cancelled'].includes(newest.job.status))
  const open = rows.find((row) => row.job.job === looked) ?? newest
  return (
    <section class="card work" aria-labelledby="jobs">
      <details open={isOpen} onToggle={(event) => unfold(event.currentTarget.open)}>
        <summary>
          <h2 id="jobs">Latest work</h2> {!isOpen && <Summary {...newest} />}
        </summary>
        <ul class="jobs">
          {rows.map(({ job, label }) => (
            <li key={job.job}>
              <button type="button" class="job" aria-pressed={job.job === open.job.job} onClick={() => look(job.job)}>
                <span class="label">{label}</span>
                <State job={job} />
              </button>
            </li>
          ))}
        </ul>
        {open.job.receipt && <ReceiptBars receipt={open.job.receipt} counts={corpus.counts} label={open.label} />}
        <JobAdvice key={open.job.job} corpus={name} job={open.job} label={open.label} />
      </details>
    </section>
  )
}

function Summary({ job, label }: Row) {
  return (
    <span class="row">
      <span class="fine">{label}</span>
      <State job={job} />
    </span>
  )
}

function State({ job: { status, progress, receipt } }: { readonly job: Job }) {
  if (status === 'queued' || status === 'running') return <ProgressBar progress={progress} />
  return (
    <span class="row">
      <StatusWord status={status} />
      {receipt && <span class="fine">{duration(receipt.ms)}</span>}
    </span>
  )
}
