/** Which states endpoints are notified of, which hold now, and a test. */
import { useState } from 'preact/hooks'
import type { Alerts } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Failure } from '../shared/notices'
import { plural } from '../shared/numbers'

type Condition = Alerts['conditions'][number]

const CONDITIONS: readonly (readonly [Condition, string])[] = [
  ['budget_80', '80 % of the budget is spent'],
  ['budget_100', 'The budget is used up'],
  ['job_failed', 'The last job failed'],
  ['quarantine', 'A model could not read a document'],
  ['source_failing', 'A source keeps failing'],
  ['index_lag', 'The vector index is behind'],
]

export function AlertsCard({ corpus }: { readonly corpus: string }) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).alerts.get(), [corpus])
  const [failed, fail] = useState<unknown>()
  const [sent, tell] = useState<string>()
  if (isStatus(fault, 403)) return null
  const put = ({ raised: _, ...rules }: Alerts, condition: Condition, on: boolean) => {
    const conditions = on ? [...rules.conditions, condition] : rules.conditions.filter((one) => one !== condition)
    fail(undefined)
    void corpusAt(corpus)
      .alerts.put({ ...rules, conditions })
      .then(again, fail)
  }
  const test = () =>
    void corpusAt(corpus)
      .alerts.test()
      .then(({ deliveries }) => tell(`Sent to ${plural(deliveries, 'endpoint')}.`), fail)
  return (
    <section class="card" aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      <p class="fine">
        Endpoints subscribed to <code>alert.raised</code> and <code>alert.cleared</code> are notified once when a state begins and once when
        it ends.
      </p>
      <Failure fault={fault ?? failed} again={again} />
      {value &&
        CONDITIONS.map(([condition, name]) => {
          const since = value.raised.find((one) => one.condition === condition)?.since
          return (
            <label class="check" key={condition}>
              <input
                type="checkbox"
                checked={value.conditions.includes(condition)}
                onChange={(event) => put(value, condition, event.currentTarget.checked)}
              />
              <span>
                {name} {since && <span class="tag bad">since {since.slice(0, 16).replace('T', ' ')}</span>}
              </span>
            </label>
          )
        })}
      <p class="row">
        <button type="button" onClick={test}>
          Send a test
        </button>
        <span class="fine" role="status">
          {sent}
        </span>
      </p>
    </section>
  )
}
