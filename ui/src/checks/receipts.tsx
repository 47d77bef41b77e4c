/** The receipts of a corpus, newest first, and the check of their chain. */
import { useEffect, useState } from 'preact/hooks'
import type { CommitReceipt, Corpus, Job } from '../../../src/client/client'
import { doneWord } from '../jobs/job-words'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { plural, when } from '../shared/numbers'
import { ChainCheck } from './chain-check'
import { receiptsUpTo } from './latest-receipts'
import { ReceiptEntry } from './receipt-entry'
import { byJob } from './receipt-groups'

const SHOWN = 50

interface Props {
  readonly corpus: Corpus
  readonly query: URLSearchParams
}

export function Receipts({ corpus, query }: Props) {
  const { corpus: name, counts, versions } = corpus
  const [partition, choose] = useState(Number(query.get('p')) || 0)
  const version = versions ? (versions[partition] ?? 0) : corpus.version
  const wanted = Number(query.get('v')) || 0
  const [upto, turn] = useState(wanted || version)
  useEffect(() => turn(wanted || version), [wanted, version])
  const list = useLoad(
    (signal) => receiptsUpTo(name, { version: upto, most: SHOWN, partition: versions && partition }, signal),
    [name, upto, partition],
  )
  const jobs = useLoad((signal) => corpusAt(name, signal).jobs({ limit: 200 }), [name, version])
  if (corpus.version === 0) {
    return (
      <Empty title="No receipts yet">
        <p>
          Every change leaves a receipt of what it touched. <a href={to(['c', name])}>Add a document</a> to see the first one.
        </p>
      </Empty>
    )
  }
  const known = new Map((jobs.value?.data ?? []).map((job) => [job.job, job]))
  const { value, fault, again } = list
  return (
    <div class="columns even">
      <section class="card" aria-labelledby="receipts">
        <h2 id="receipts">Receipts</h2>
        <p class="fine">
          One per change, by the job it was for, newest first: what was added, forgotten or consolidated, and what that touched. They
          contain no text and are kept as long as the corpus.
        </p>
        {versions && (
          <p class="row">
            <label for="partition">Partition</label>
            <select id="partition" value={partition} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {versions.map((of, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: partitions have no other name
                <option key={n} value={n}>{`${n} (version ${of})`}</option>
              ))}
            </select>
          </p>
        )}
        <Failure fault={fault} again={again} />
        {!value && !fault && <Busy />}
        <ul class="plain linked receipts">
          {byJob(value ?? []).map(({ job, receipts }) => (
            <Group key={job ?? ''} job={job} receipts={receipts} corpus={name} jobs={known} counts={counts} wanted={wanted} />
          ))}
        </ul>
        {(upto < version || upto > SHOWN) && (
          <p class="row">
            {upto < version && (
              <button type="button" onClick={() => turn(version)}>
                Newest
              </button>
            )}
            {upto > SHOWN && (
              <button type="button" onClick={() => turn(upto - SHOWN)}>
                Older
              </button>
            )}
          </p>
        )}
      </section>
      <ChainCheck corpus={name} />
    </div>
  )
}

interface GroupProps {
  readonly corpus: string
  readonly job: string | null
  readonly receipts: readonly CommitReceipt[]
  readonly jobs: ReadonlyMap<string, Job>
  readonly counts: Corpus['counts']
  /** The version that a link leads to. */
  readonly wanted: number
}

function Group({ corpus, job, receipts, jobs, counts, wanted }: GroupProps) {
  const entries = receipts.map((one) => (
    <ReceiptEntry key={one.version} corpus={corpus} receipt={one} jobs={jobs} counts={counts} open={one.version === wanted} />
  ))
  const [newest] = receipts
  if (receipts.length === 1 || !newest) return <>{entries}</>
  const kind = job === null ? undefined : jobs.get(job)?.kind
  return (
    <li>
      <details open={receipts.some(({ version }) => version === wanted)}>
        <summary>
          <strong>{job === null ? 'Automatic upkeep' : kind ? doneWord(kind) : 'An earlier job'}</strong>{' '}
          {plural(receipts.length, 'version')} <span class="fine">{when(newest.at)}</span>
        </summary>
        <ul class="plain linked">{entries}</ul>
      </details>
    </li>
  )
}
