/** Probes and the gate: which questions are pinned, how strictly, and their latest results. */
import { useState } from 'preact/hooks'
import type { Corpus, Probes as Pinned, Probe } from '../../../src/client/client'
import { useActing } from '../connections/acting'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { AddProbe } from './add-probe'
import { Measured } from './measured'
import { isSameProbe } from './pinned'
import { ProbeResults } from './probe-results'

interface Props {
  readonly corpus: Corpus
  readonly query: URLSearchParams
}

export function Probes({ corpus, query }: Props) {
  const name = corpus.corpus
  const pinned = useLoad((signal) => corpusAt(name, signal).probes(), [name])
  const health = useLoad((signal) => corpusAt(name, signal).health(), [name, corpus.version])
  const { fault: refused, act } = useActing(() => {
    pinned.again()
    health.again()
  })
  const { value, fault, again } = pinned
  if (isStatus(fault, 401, 403)) return <ProbesForWriters />
  if (!value) return fault ? <Failure fault={fault} again={again} /> : <Busy />
  return (
    <div class="columns even">
      <div>
        <section class="card" aria-labelledby="probes">
          <h2 id="probes">Probes</h2>
          <p class="fine">
            {corpus.partitions > 1
              ? 'Questions and the documents they must find. They are asked over all partitions when the corpus has changed, an hour apart at the earliest. No change is refused because of them.'
              : 'Questions and the documents they must find. They are asked before a reindex, rebuild or consolidation takes effect; one that would find fewer is refused, and the graph stays as it is.'}
          </p>
          <Pins corpus={corpus} probes={value.probes} act={act} />
          <Failure fault={refused} />
          <AddProbe corpus={corpus} query={query} full={value.probes.length} act={act} />
        </section>
      </div>
      <div>
        <Measured corpus={corpus} health={health} pinned={value.probes.length} />
        <Bounds key={`${value.k} ${value.tolerance}`} corpus={corpus} pinned={value} act={act} />
      </div>
    </div>
  )
}

export function ProbesForWriters() {
  return (
    <Empty title="Probes need the right to write">
      <p>
        The questions this corpus must keep answering are shown to keys with the right to write. What they find is shown under Usage and
        settings.
      </p>
    </Empty>
  )
}

type Act = (work: () => Promise<unknown>) => Promise<void>

function Pins({
  corpus: { corpus, partitions },
  probes,
  act,
}: {
  readonly corpus: Corpus
  readonly probes: Pinned['probes']
  readonly act: Act
}) {
  if (probes.length === 0)
    return (
      <p class="hint">
        {partitions > 1 ? 'None yet.' : 'None yet, so every change of the graph is accepted.'} Pin the questions that must keep working.
      </p>
    )
  const remove = (gone: Probe) =>
    act(() => corpusAt(corpus).changeProbes((now) => ({ ...now, probes: now.probes.filter((one) => !isSameProbe(one, gone)) })))
  return (
    <ul class="plain linked" aria-label="Pinned">
      {probes.map((one) => (
        <li key={one.query + one.expect.join('\n')}>
          <p class="row">
            <strong class="grow break">{one.query}</strong>
            <button type="button" class="small danger" aria-label={`Remove ${one.query}`} onClick={() => remove(one)}>
              Remove
            </button>
          </p>
          <p class="fine">
            must find{' '}
            {one.expect.map((document, i) => (
              <span key={document}>
                {i > 0 && ', '}
                <a class="break" href={to(['c', corpus, 'd', document])}>
                  {document}
                </a>
              </span>
            ))}
          </p>
          <ProbeResults {...one} />
        </li>
      ))}
    </ul>
  )
}

function Bounds({ corpus: { corpus, partitions }, pinned, act }: { readonly corpus: Corpus; readonly pinned: Pinned; readonly act: Act }) {
  const [k, reach] = useState(String(pinned.k))
  const [percent, tolerate] = useState(String(Math.round(pinned.tolerance * 1000) / 10))
  const save = (event: Event) => {
    event.preventDefault()
    void act(() => corpusAt(corpus).changeProbes((now) => ({ ...now, k: Number(k), tolerance: Number(percent) / 100 })))
  }
  return (
    <section class="card" aria-labelledby="bounds">
      <h2 id="bounds">How strict</h2>
      <form class="stack" onSubmit={save}>
        <label for="probe-k">Pieces of evidence checked</label>
        <input id="probe-k" type="number" required min={1} max={100} value={k} onInput={(event) => reach(event.currentTarget.value)} />
        {partitions === 1 && (
          <>
            <label for="probe-tolerance">What a strategy may lose (percent)</label>
            <input
              id="probe-tolerance"
              type="number"
              required
              min={0}
              max={100}
              step={0.1}
              value={percent}
              onInput={(event) => tolerate(event.currentTarget.value)}
            />
          </>
        )}
        <p>
          <button type="submit">Save</button>
        </p>
      </form>
    </section>
  )
}
