/** The files of a drop, each with how far it is: waiting, sent, being indexed (with the time left), there; and those that were not taken, with the reason. */
import { followed, hasEnded } from '../jobs/followed'
import { duration, plural } from '../shared/numbers'
import type { FileState, Refused } from './file-state'

const SHOWN = 8 // before one asks for all

export function RefusedFiles({
  refused,
  retry,
}: {
  readonly refused: readonly Refused[]
  readonly retry: (files: readonly File[]) => void
}) {
  if (refused.length === 0) return null
  const files = refused.flatMap(({ file }) => file ?? [])
  return (
    <div class="failure" role="alert">
      <ul>
        {refused.map(({ name, why, file }) => (
          <li key={name}>
            <strong>{name}</strong>: {why}{' '}
            {file && (
              <button type="button" class="small quiet" aria-label={`Try again: ${name}`} onClick={() => retry([file])}>
                Try again
              </button>
            )}
          </li>
        ))}
      </ul>
      {files.length > 1 && (
        <button type="button" class="small" onClick={() => retry(files)}>
          Try all {files.length} again
        </button>
      )}
    </div>
  )
}

export function FileList({ files, cancel }: { readonly files: readonly FileState[]; readonly cancel: (() => void) | undefined }) {
  if (files.length === 0) return null
  const states = files.map((one) => ({ ...one, words: wordsOf(one) }))
  const done = states.filter(({ words }) => words === INDEXED || words === SAME).length
  // What is under way first.
  const rows = [...states].sort((a, b) => Number(isDone(a.words)) - Number(isDone(b.words)))
  const left = Math.max(0, ...files.map(secondsLeft))
  return (
    <details class="files fine" open={done < files.length}>
      <summary>
        {plural(files.length, 'file')}: {done} done{left > 0 ? `, about ${duration(left * 1000)} left` : ''}
      </summary>
      {cancel && (
        <button type="button" class="small" onClick={cancel}>
          Stop sending
        </button>
      )}
      <ul class="plain" aria-label="Files">
        {rows.slice(0, SHOWN).map(({ name, words }) => (
          <li key={name} class="row">
            <span class="grow">{name}</span> {words}
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p>and {plural(rows.length - SHOWN, 'more file')}</p>}
    </details>
  )
}

const INDEXED = 'indexed'
const SAME = 'already here'
const isDone = (words: string): boolean => words === INDEXED || words === SAME

const jobOf = ({ job }: FileState) => followed.value.find((one) => one.job.job === job)?.job
const secondsLeft = (one: FileState): number => jobOf(one)?.progress.seconds_left ?? 0

function wordsOf(one: FileState): string {
  if (one.phase === 'unchanged') return SAME
  if (one.phase !== 'sent') return one.phase === 'waiting' ? 'waiting' : 'sending …'
  const job = jobOf(one)
  if (!job || job.status === 'succeeded') return INDEXED
  if (hasEnded(job)) return job.status === 'paused_budget' ? 'waits for a larger budget' : job.status
  const { texts } = job.progress
  if (texts && texts.total > 0 && texts.done < texts.total) return `embedding, ${Math.floor((100 * texts.done) / texts.total)} %`
  return job.status === 'queued' ? 'sent, waits to be indexed' : 'indexing …'
}
