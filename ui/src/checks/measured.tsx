/** The latest results of the probes: by the schedule, and at the last gate, before and after the change. */
import type { Corpus, CorpusHealth } from '../../../src/client/client'
import { to } from '../route'
import type { Loaded } from '../shared/load'
import { Busy, Failure } from '../shared/notices'
import { percent, when } from '../shared/numbers'

interface Props {
  readonly corpus: Corpus
  readonly health: Loaded<CorpusHealth>
  readonly pinned: number
}

export function Measured({ corpus: { corpus, partitions }, health: { value, fault, again }, pinned }: Props) {
  return (
    <section class="card" aria-labelledby="measured">
      <h2 id="measured">Last measurement</h2>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value && <Found probes={value.probes} pinned={pinned} isDivided={partitions > 1} />}
      {value && pinned > 0 && !value.gate && partitions === 1 && (
        <p class="fine">
          No change has been checked by them yet. They are asked on{' '}
          <a href={to(['c', corpus, 'usage'])}>reindex, consolidate and rebuild</a>.
        </p>
      )}
      {value?.gate && <Gate gate={value.gate} />}
    </section>
  )
}

interface FoundProps {
  readonly probes: CorpusHealth['probes']
  readonly pinned: number
  readonly isDivided: boolean
}

function Found({ probes: { recall, k, at }, pinned, isDivided }: FoundProps) {
  const rows = Object.entries(recall)
  if (pinned === 0) return <p class="fine">Once a question is pinned, this shows what share of its documents each strategy finds.</p>
  if (rows.length === 0) {
    return (
      <p class="fine">
        They have not been asked yet.{' '}
        {isDivided ? 'They are asked soon after they are pinned.' : 'The schedule asks four of them every few minutes.'}
      </p>
    )
  }
  return (
    <>
      <table class="bars">
        <caption>Documents found among the first {k} pieces</caption>
        <tbody>
          {rows.map(([strategy, share]) => (
            <tr key={strategy}>
              <th scope="row">{strategy}</th>
              <td>
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${100 * share}%` }} />
                </span>
              </td>
              <td class="number">{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {at !== null && <p class="fine">By the schedule, {when(at)}.</p>}
    </>
  )
}

function Gate({ gate: { kind, promoted, at, k, recall } }: { readonly gate: NonNullable<CorpusHealth['gate']> }) {
  const rows = Object.entries(recall)
  return (
    <>
      <p class={promoted ? 'notice' : 'failure'}>
        {promoted ? '✓' : '✗'} The last {kind} was {promoted ? 'let through' : 'refused; the graph was left unchanged'}, {when(at)}.
      </p>
      {rows.length > 0 && (
        <table class="list">
          <caption class="visually-hidden">Found before and after the {kind}</caption>
          <thead>
            <tr>
              <th scope="col">Found in {k}</th>
              <th scope="col" class="number">
                Before
              </th>
              <th scope="col" class="number">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([strategy, { before, after }]) => (
              <tr key={strategy}>
                <th scope="row">{strategy}</th>
                <td class="number">{percent(before)}</td>
                <td class="number">{percent(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
