/**
 * The files of a drop, each with its progress: waiting, being sent, being indexed (with the time left), done; and those that were refused,
 * with the reason.
 */
import { useState } from 'preact/hooks'
import { leftWords } from '../jobs/progress'
import { plural } from '../shared/numbers'
import { type Acting, FileRow, isDone, secondsLeft, urgencyOf } from './file-row'
import type { FileState, Refused } from './file-state'

const SHOWN = 8 // before all are requested

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

interface ListProps extends Acting {
  readonly files: readonly FileState[]
  /** While something is being sent. */
  readonly cancelAll: (() => void) | undefined
}

export function FileList({ files, cancelAll, ...acting }: ListProps) {
  const [isWhole, showAll] = useState(false)
  if (files.length === 0) return null
  const done = files.filter(isDone).length
  // Work in progress first, and before it whatever failed.
  const rows = files.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
  const left = leftWords(secondsLeft(files))
  return (
    <details class="files fine" open={done < files.length}>
      <summary>
        {plural(files.length, 'file')}: {done} done{left && `, ${left}`}
      </summary>
      {cancelAll && (
        <button type="button" class="small" onClick={cancelAll}>
          Stop sending
        </button>
      )}
      <ul class="plain" aria-label="Files">
        {(isWhole ? rows : rows.slice(0, SHOWN)).map((one) => (
          <FileRow key={one.name} file={one} all={files} {...acting} />
        ))}
      </ul>
      {rows.length > SHOWN && !isWhole && (
        <button type="button" class="small quiet" onClick={() => showAll(true)}>
          and {plural(rows.length - SHOWN, 'more file')}
        </button>
      )}
    </details>
  )
}
