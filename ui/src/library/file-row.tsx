/** One file of a drop: its progress, and what can be done about it: stopped while it waits, is sent or is indexed; tried again after a failure. */
import { useState } from 'preact/hooks'
import type { Job } from '../../../src/client/client'
import { faultWords } from '../jobs/fault-words'
import { follow, followed, hasEnded } from '../jobs/followed'
import { messageOf } from '../shared/advice'
import { corpusAt } from '../shared/loam'
import { plural } from '../shared/numbers'
import type { FileState } from './file-state'

export interface Acting {
  readonly corpus: string
  /** For a file that has not been sent yet, or is being sent alone. */
  readonly cancel: (name: string) => void
  /** Sends it once more. */
  readonly again: (file: File) => void
}

interface Props extends Acting {
  readonly file: FileState
  readonly all: readonly FileState[]
}

export function FileRow({ corpus, file, all, cancel, again }: Props) {
  const [fault, fail] = useState('')
  const { name, phase } = file
  const job = jobOf(file)
  const act = async (action: 'cancel' | 'retry', id: string) => {
    fail('')
    try {
      await corpusAt(corpus)[action](id)
      await follow(corpus, id, name)
    } catch (error) {
      fail(error instanceof Error ? messageOf(error) : 'It was refused.')
    }
  }
  const shared = job ? all.filter((one) => one.job === job.job).length - 1 : 0
  const others = shared > 0 ? ` with ${plural(shared, 'other file')}` : ''
  const source = file.file
  const button = (words: string, press: () => void) => (
    <button type="button" class="small quiet" aria-label={`${words}: ${name}`} title={`${words}${others}`} onClick={press}>
      {words}
    </button>
  )
  return (
    <li class="row wrap">
      <span class="grow break">{name}</span> <span>{wordsOf(file)}</span>
      {(phase === 'waiting' || (phase === 'sending' && !file.isTogether)) && button('Cancel', () => cancel(name))}
      {phase === 'sent' && job && isRunning(job) && button(`Cancel${others}`, () => void act('cancel', job.job))}
      {phase === 'sent' && job?.status === 'failed' && button(`Try again${others}`, () => void act('retry', job.job))}
      {phase === 'sent' && job?.status === 'cancelled' && source && button('Send again', () => again(source))}
      {fault && <span class="failure">{fault}</span>}
    </li>
  )
}

const isRunning = (job: Job): boolean => !hasEnded(job) || job.status === 'paused_budget'

const jobOf = ({ job }: FileState): Job | undefined => followed.value.find((one) => one.job.job === job)?.job

/** Of the files that are neither done nor given up; undefined where that is not known yet. */
export const secondsLeft = (files: readonly FileState[]): readonly (number | undefined)[] =>
  files.filter((one) => urgencyOf(one) === 1).map((one) => jobOf(one)?.progress.seconds_left)

/** The result of its job is known while it is followed; after that it has succeeded. */
export function isDone(one: FileState): boolean {
  if (one.phase === 'unchanged') return true
  const job = jobOf(one)
  return one.phase === 'sent' && (!job || job.status === 'succeeded')
}

/** 0: failed; 1: in progress; 2: done. */
export function urgencyOf(one: FileState): number {
  if (isDone(one)) return 2
  const job = jobOf(one)
  return job && hasEnded(job) ? 0 : 1
}

function wordsOf(one: FileState): string {
  if (one.phase === 'unchanged') return 'already here'
  if (one.phase !== 'sent') return one.phase === 'waiting' ? 'waiting' : 'sending …'
  const job = jobOf(one)
  if (!job || job.status === 'succeeded') return 'indexed'
  if (job.status === 'paused_budget') return 'waiting for a larger budget'
  if (job.status === 'cancelled') return 'cancelled: the rest was not indexed'
  if (job.status === 'failed') return `failed${job.error ? `: ${faultWords(job.error)}` : ''}`
  const { texts } = job.progress
  if (texts && texts.total > 0 && texts.done < texts.total) return `embedding, ${Math.floor((100 * texts.done) / texts.total)} %`
  return job.status === 'queued' ? 'sent, waiting to be indexed' : 'indexing …'
}
