/** Events that could not be delivered to an endpoint, and on request everything it was sent. */
import { useState } from 'preact/hooks'
import type { Delivery, Endpoint } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { plural, when } from '../shared/numbers'
import { useRepeatWhile } from '../shared/repeat-while'
import { StatusWord } from '../shared/status-word'
import { resultWord } from './results'

const SHOWN = 20
const SOON = 60_000 // ms

/** It is being sent, or will be sent again while one waits for it. */
function isUnderWay({ status, attempts, next_attempt_at: next }: Delivery): boolean {
  return status === 'pending' && (attempts === 0 || (next !== undefined && Date.parse(next) - Date.now() < SOON))
}

interface Props {
  readonly corpus: string
  readonly endpoint: Endpoint
  /** Sending again reactivates an endpoint that was given up. */
  readonly told: () => void
}

export function Deliveries({ corpus, endpoint: { endpoint, url }, told }: Props) {
  const [all, open] = useState(false)
  const [fault, fail] = useState<unknown>()
  const list = useLoad(
    (signal) => corpusAt(corpus, signal).endpoints.deliveries(endpoint, { limit: SHOWN, ...(all ? {} : { status: 'dead' }) }),
    [corpus, endpoint, all],
  )
  const { value, again } = list
  useRepeatWhile(all && (value?.data ?? []).some(isUnderWay), value, again)
  const send = async ({ delivery }: Delivery) => {
    fail(undefined)
    try {
      await corpusAt(corpus).endpoints.redeliver(delivery)
      open(true)
      again()
      told()
    } catch (error) {
      fail(error)
    }
  }
  const rows = value?.data ?? []
  return (
    <>
      <Failure fault={list.fault ?? fault} />
      {!all && rows.length > 0 && (
        <p class="failure">
          {plural(rows.length, 'event')} could not be delivered{value?.next_cursor ? ', and more' : ''}.
        </p>
      )}
      {all && rows.length === 0 && !list.loading && <p class="fine">Nothing has been sent to it yet.</p>}
      {rows.length > 0 && (
        <ul class="plain deliveries" aria-label={`Deliveries to ${url}`}>
          {rows.map((one) => (
            <li key={one.delivery}>
              <span>
                {one.type} <StatusWord status={one.status} />
              </span>
              <span class="fine">{detailWords(one)}</span>
              {one.status !== 'pending' && (
                <button
                  type="button"
                  class="small"
                  aria-label={`Send again: ${one.type} of ${when(one.created_at)}`}
                  onClick={() => send(one)}
                >
                  Send again
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p>
        <button type="button" class="small" aria-pressed={all} onClick={() => open(!all)}>
          {all ? 'Only undelivered' : 'All deliveries'}
        </button>
      </p>
    </>
  )
}

function detailWords({ created_at, attempts, last_result, next_attempt_at }: Delivery): string {
  const tries = attempts > 0 ? plural(attempts, 'attempt') : 'in progress'
  const next = next_attempt_at && attempts > 0 ? `next ${when(next_attempt_at)}` : ''
  return [when(created_at), tries, resultWord(last_result), next].filter(Boolean).join(' · ')
}
