/** Which models run, for what, and where. */
import type { ModelList } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { loam } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count } from '../shared/numbers'

type Running = ModelList['running'][number]

const ROLES: { readonly [role in Running['role']]: string } = {
  embedding: 'Embeds',
  embedding_previous: 'Embeds for older corpora',
  text: 'Writes',
  extract: 'Extracts',
  summarise: 'Summarises',
  describe: 'Describes',
  answer: 'Answers',
  classify: 'Classifies',
  judge: 'Judges claims',
  rerank: 'Ranks',
}
const PLACES: { readonly [place in Running['runs_on']]: string } = {
  worker: 'inside Loam',
  workers_ai: 'on Workers AI',
  machine: 'on this machine',
  server: 'on the model server',
}

export function ModelsCard() {
  const { value, fault, again } = useLoad((signal) => loam({ signal }).models(), [])
  return (
    <section class="card" aria-labelledby="models">
      <h2 id="models">Models</h2>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value && (
        <dl class="pairs">
          {value.running.map((one) => (
            <div key={one.role}>
              <dt>{ROLES[one.role]}</dt>
              <dd>{modelWords(one)}</dd>
            </div>
          ))}
        </dl>
      )}
      {value && !value.running.some(({ role }) => role === 'text') && (
        <p class="fine">No text model: answers quote sentences of the documents, and no model extracts or summarises anything.</p>
      )}
    </section>
  )
}

export function modelWords({ model, window, dimensions, runs_on }: Running): string {
  const reads = window === null ? '' : `, reads ${count(window)} tokens`
  return `${model}, ${PLACES[runs_on]}${reads}${dimensions === undefined ? '' : `, ${count(dimensions)} dimensions`}`
}
