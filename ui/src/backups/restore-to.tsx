/** Restores the corpus to a moment: first which moment, then what that would mean, and only then confirmation. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Corpus, LoamError, type RecoveryEstimate } from '../../../src/client/client'
import { Allowed } from '../access/rights'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { count, plural } from '../shared/numbers'
import { fieldOf, momentIn, momentUtc, timeOf, zone } from './moments'
import { recovering } from './recovering'

const REMEMBERED = 30 * 86_400_000 // ms; the service refuses older moments with the same reason
const SECOND = 1000 // ms; fields for times have no fractions of it
const SOME = 3_600_000 // ms before now, as the initial value

interface Props {
  readonly corpus: Corpus
  /** The corpus is read again. */
  readonly again: () => void
}

export function RestoreTo({ corpus: { corpus, created_at }, again }: Props) {
  const [now] = useState(Date.now)
  const earliest = Math.max(Math.ceil(Date.parse(created_at) / SECOND) * SECOND, now - REMEMBERED)
  const [field, enter] = useState(fieldOf(Math.max(earliest, now - SOME)))
  const [found, tell] = useState<RecoveryEstimate | null>(null)
  const [isBusy, occupy] = useState(false)
  const [fault, fail] = useState<unknown>()
  const time = timeOf(field)
  const doing = async (work: () => Promise<void>) => {
    fail(undefined)
    occupy(true)
    await work().catch(fail)
    occupy(false)
  }
  const estimate = (event: Event) => {
    event.preventDefault()
    tell(null)
    if (time) void doing(async () => tell(await corpusAt(corpus).recoveryEstimate(time)))
  }
  const restore = ({ time, confirm }: RecoveryEstimate) =>
    doing(async () => {
      tell(null) // the estimate is valid only once
      recovering.value = { corpus, recovery: await corpusAt(corpus).restoreTo({ time, confirm }) }
      again()
    })
  const isUnavailable = fault instanceof LoamError && fault.code === 'point_in_time_unavailable'
  return (
    <section class="card" aria-labelledby="restore-to">
      <h2 id="restore-to">Restore to a moment</h2>
      <Ended corpus={corpus} />
      <p class="fine">
        Takes the corpus back to a moment of the last 30 days. What was deleted since stays deleted. You see what would be lost before
        anything changes.
      </p>
      <Allowed scope="admin">
        <form onSubmit={estimate}>
          <label for="restore-moment">Moment, in your time zone ({zone()})</label>
          <input
            id="restore-moment"
            type="datetime-local"
            step="1"
            required
            min={fieldOf(earliest)}
            aria-describedby="restore-utc"
            value={field}
            disabled={isBusy}
            onInput={(event) => {
              tell(null)
              fail(undefined)
              enter(event.currentTarget.value)
            }}
          />
          <p id="restore-utc" class="fine">
            {time === null ? 'Enter a date and a time.' : `That is ${momentUtc(time)}.`}
          </p>
          <button type="submit" disabled={isBusy}>
            {isBusy ? 'Looking …' : 'Estimate'}
          </button>
        </form>
        {found && <Question corpus={corpus} found={found} yes={() => restore(found)} no={() => tell(null)} />}
      </Allowed>
      {isUnavailable ? <Unavailable /> : <Failure fault={fault} />}
    </section>
  )
}

function Unavailable() {
  return (
    <p class="notice" role="status">
      Not available here: only on Cloudflare are earlier states of a corpus kept (point-in-time recovery of Durable Objects). Nothing was
      changed. A backup works everywhere: Download it under Upkeep, and restore it under <a href={to([])}>Corpora</a>.
    </p>
  )
}

interface QuestionProps {
  readonly corpus: string
  readonly found: RecoveryEstimate
  readonly yes: () => void
  readonly no: () => void
}

function Question({ corpus, found: { time, version_then: then, committed_at: made, version, lost, kept }, yes, no }: QuestionProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const actions = Object.entries(lost.actions)
  return (
    <section class="notice estimate" aria-labelledby="restore-question">
      <h2 id="restore-question" ref={heading} tabIndex={-1}>
        Restore “{corpus}” to {momentIn(time)}?
      </h2>
      <ul>
        <li>
          It was version <strong>{count(then)}</strong> then{made && ` (of ${momentIn(made)})`}; it is {count(version)} now.{' '}
          <strong>{plural(lost.commits, 'version')}</strong> would be undone.
        </li>
        <li>
          <strong>{plural(lost.documents, 'document')}</strong> were added or changed since: they would be lost, or go back to what they
          were.
        </li>
        <li>
          {plural(kept.deleted, 'deletion')} and {plural(kept.access, 'change')} of access since then stay in effect.
        </li>
        {actions.length > 0 && <li>Done since: {actions.map(([action, n]) => `${action} ${count(n)}`).join(', ')}.</li>}
        <li>The question log, conversations and kept answers are emptied. Keys, webhooks, audit log and costs stay.</li>
      </ul>
      <p>It answers no questions until it is restored. That takes half a minute, or longer for a large corpus.</p>
      <p class="row">
        <button type="button" class="danger" onClick={yes}>
          Restore it
        </button>
        <button type="button" onClick={no}>
          Cancel
        </button>
      </p>
    </section>
  )
}

/** The result, if this page saw it. */
function Ended({ corpus }: { readonly corpus: string }) {
  const seen = recovering.value
  if (seen?.corpus !== corpus) return null
  const { status, time, version_before: before, version } = seen.recovery
  return (
    <p class="notice" role="status">
      {status === 'refused'
        ? `The platform could not restore it to ${momentIn(time)}. It is open again as it was, at version ${count(version ?? 0)}; nothing was lost.`
        : `It is back as it was at ${momentIn(time)} (${momentUtc(time)}), without what was deleted since: version ${count(before ?? 0)} became ${count(version ?? 0)}.`}
    </p>
  )
}
