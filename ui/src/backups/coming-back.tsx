/** Shown instead of a corpus that is being restored and answers nothing: its progress. Reading it moves the restore forward. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { LoamError, type Recovery } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { follow } from '../jobs/followed'
import { workWord } from '../jobs/job-words'
import { corpusAt, isStatus } from '../shared/loam'
import { Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { momentIn, momentUtc } from './moments'
import { isClosedFor, isOver, recovering } from './recovering'

const LOOK = 2000 // ms between two checks

const STEPS = ['closing', 'setting_back', 'replaying'] as const
const WORDS: { readonly [step in (typeof STEPS)[number]]: string } = {
  closing: 'Closing the corpus everywhere, which takes twenty seconds',
  setting_back: 'Restoring its storage, and keeping later deletions and access changes',
  replaying: 'Deleting again what was deleted since',
}

interface Props {
  readonly corpus: string
  /** The corpus is read again. */
  readonly again: () => void
}

export function ComingBack({ corpus, again }: Props) {
  const [fault, fail] = useState<unknown>()
  const [looks, count] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  // The element that had the focus may be gone.
  useEffect(() => void (document.activeElement === document.body && heading.current?.focus({ preventScroll: true })), [])
  useEffect(() => {
    const aborted = new AbortController()
    const look = async () => {
      try {
        await lookAt(corpus, aborted.signal, again)
        fail(undefined)
      } catch (error) {
        if (!aborted.signal.aborted && !isPassing(error)) fail(error)
      }
      if (!aborted.signal.aborted) count((n) => n + 1)
    }
    const timer = setTimeout(look, looks === 0 ? 0 : LOOK)
    return () => {
      clearTimeout(timer)
      aborted.abort()
    }
  }, [looks, corpus])
  const seen = isClosedFor(corpus) ? recovering.value?.recovery : undefined
  return (
    <section class="card estimate" aria-labelledby="coming-back">
      <h2 id="coming-back" ref={heading} tabIndex={-1}>
        {seen ? `Being restored to ${momentIn(seen.time)}` : 'Being restored'}
      </h2>
      {seen && <p class="fine">{momentUtc(seen.time)}</p>}
      <p>It answers nothing until it is complete. You may leave this page; it continues without it.</p>
      {seen && <Steps recovery={seen} />}
      <Failure fault={fault} />
    </section>
  )
}

function Steps({ recovery: { status, replaying } }: { readonly recovery: Recovery }) {
  const step = STEPS.find((one) => one === status) ?? 'closing'
  return (
    <>
      <progress max={STEPS.length} value={STEPS.indexOf(step)} aria-label="Steps done" />
      <p role="status">
        {WORDS[step]}
        {replaying > 0 && `, ${plural(replaying, 'change')} left`} …
      </p>
    </>
  )
}

/** Only an administrator's key is told the progress; any other waits until the corpus is there. */
async function lookAt(corpus: string, signal: AbortSignal, again: () => void): Promise<void> {
  if (lacking('admin') !== '') return again()
  try {
    const recovery = await corpusAt(corpus, signal).recovery()
    recovering.value = { corpus, recovery }
    if (!isOver(recovery)) return
    if (recovery.job) void follow(corpus, recovery.job, workWord('restore')).catch(() => undefined)
    again()
  } catch (error) {
    if (!isStatus(error, 403, 404)) throw error
    again() // it is restored from a backup, or the key may not ask
  }
}

/** When its storage is restored its object restarts, and a check may coincide with that. */
const isPassing = (error: unknown): boolean => error instanceof LoamError && (error.status === undefined || error.status >= 500)
