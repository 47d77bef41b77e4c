/** For a corpus that was empty when the visitor came: three steps to the first answer, which tick themselves off. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { lacking } from '../access/rights'
import { turns } from '../ask/conversation'
import { followed, hasEnded } from '../jobs/followed'
import { to } from '../route'

/** Corpora that were seen empty in this tab. */
const begun = signal<ReadonlySet<string>>(new Set())

interface Props {
  readonly corpus: string
  /** Whether it is empty; undefined: not known yet. */
  readonly isEmpty: boolean | undefined
}

export function FirstSteps({ corpus, isEmpty }: Props) {
  useEffect(() => {
    if (isEmpty && !begun.value.has(corpus)) begun.value = new Set([...begun.value, corpus])
  }, [corpus, isEmpty])
  if (!begun.value.has(corpus) || lacking('write') !== '') return null // a reader cannot drop anything
  const jobs = followed.value.filter((one) => one.corpus === corpus)
  const [dropped, read, asked] = [
    jobs.length > 0 || isEmpty === false,
    isEmpty === false && jobs.every(({ job }) => hasEnded(job)),
    (turns.value[corpus] ?? []).length > 0,
  ]
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">Three steps to the first answer</h2>
      <ol class="steps">
        <Step done={dropped} now={!dropped}>
          Drop files, or a folder, into the field below
        </Step>
        <Step done={read} now={dropped && !read}>
          Watch them being read, under Latest work
        </Step>
        <Step done={asked} now={read && !asked}>
          {read ? <a href={to(['c', corpus, 'ask'])}>Ask a question</a> : 'Ask a question'}
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  readonly done: boolean
  readonly now: boolean
  readonly children: ComponentChildren
}

function Step({ done, now, children }: StepProps) {
  return (
    <li data-done={done} aria-current={now ? 'step' : undefined}>
      {children}
      {done && <span class="visually-hidden"> (done)</span>}
    </li>
  )
}
