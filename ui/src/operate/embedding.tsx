/** Which embedding model the corpus has, and moving it to another of the deployment's: the cost, the progress, and cancelling. */
import { useEffect, useState } from 'preact/hooks'
import type { Corpus, Migration } from '../../../src/client/client'
import { Allowed, lacking } from '../access/rights'
import { follow, followed } from '../jobs/followed'
import { workWord } from '../jobs/job-words'
import { ProgressBar } from '../jobs/progress'
import { useLoad } from '../shared/load'
import { corpusAt, loam } from '../shared/loam'
import { Failure } from '../shared/notices'
import { count, dollars, duration, plural } from '../shared/numbers'

const EMBEDDING: ReadonlySet<string> = new Set(['embedding', 'embedding_previous'])
const LOOK = 2000 // ms between two checks of a move
const STEPS: { readonly [step in NonNullable<Migration['step']>]: string } = {
  vectors: 'The texts are being sent to the new model.',
  await: 'The new model is embedding the texts.',
  feed: 'A graph is being built from the new vectors, beside the one in use.',
  whole: 'The new graph is being consolidated.',
  write: 'Summaries of groups that changed are being rewritten.',
  settle: 'Documents added meanwhile are being embedded.',
  measure: 'Both graphs are being asked the probes.',
  compare: 'Both graphs are being compared.',
  fill: 'The new index is being filled.',
  promote: 'The corpus is about to be switched.',
  clear: 'The corpus uses the new model; its old index is being emptied.',
}

interface Props {
  readonly corpus: Corpus
  /** The corpus is read again. */
  readonly again: () => void
}

export function EmbeddingCard({ corpus, again }: Props) {
  const models = useLoad((signal) => loam({ signal }).models(), [])
  const state = useLoad(
    async (signal) => (lacking('write') === '' ? corpusAt(corpus.corpus, signal).migration() : null),
    [corpus.corpus, corpus.embedding_model],
  )
  const others = (models.value?.running ?? []).flatMap(({ role, model }) =>
    EMBEDDING.has(role) && model !== corpus.embedding_model ? [model] : [],
  )
  const job = state.value?.job ?? null
  useEffect(() => {
    if (job === null) return
    void follow(corpus.corpus, job, workWord('migrate')).then(again, () => undefined)
    const timer = setTimeout(state.again, LOOK)
    return () => clearTimeout(timer)
  }, [state.value])
  return (
    <section class="card" aria-labelledby="embedding">
      <h2 id="embedding">Embedding model</h2>
      <p>
        Its vectors come from <strong>{corpus.embedding_model ?? 'an unknown model'}</strong>.
      </p>
      <Failure fault={models.fault} again={models.again} />
      {job !== null && state.value && <Moving corpus={corpus.corpus} job={job} state={state.value} again={state.again} />}
      {job === null && others.map((to) => <Offer key={to} corpus={corpus.corpus} to={to} begun={state.again} />)}
      {job === null && models.value && others.length === 0 && (
        <p class="fine">
          The deployment has no other model. Where it has two, you can move a corpus from one to the other here; it keeps answering
          meanwhile.
        </p>
      )}
    </section>
  )
}

/** First the cost; nothing is spent before it was shown. */
function Offer({ corpus, to, begun }: { readonly corpus: string; readonly to: string; readonly begun: () => void }) {
  const [found, tell] = useState<Migration | null>(null)
  const [fault, fail] = useState<unknown>()
  const doing = (work: () => Promise<void>) => () => {
    fail(undefined)
    work().catch(fail)
  }
  const estimate = doing(async () => tell(await corpusAt(corpus).migration(to)))
  const begin = doing(async () => {
    await corpusAt(corpus).migrate(to)
    tell(null)
    begun()
  })
  return (
    <>
      <Failure fault={fault} />
      {found === null ? (
        <p>
          <button type="button" onClick={estimate}>
            What a move to {to} would cost
          </button>
        </p>
      ) : (
        <>
          <p>{costWords(found)}</p>
          <p class="fine">
            Questions use the current model until the new index is complete; then the corpus switches at once. Until then you can cancel.
          </p>
          <Allowed scope="admin">
            <p class="row">
              <button type="button" class="primary" onClick={begin}>
                Move it to {to}
              </button>
              <button type="button" onClick={() => tell(null)}>
                Cancel
              </button>
            </p>
          </Allowed>
        </>
      )}
    </>
  )
}

export function costWords({ estimate: { texts, tokens, usd, seconds, rewritten } }: Migration): string {
  const time = seconds === null ? '' : `, in about ${duration(seconds * 1000)} at the recent pace`
  const anew = rewritten.usd > 0 ? ` Rewritten summaries and reports: at most ${dollars(rewritten.usd)}.` : ''
  return `${plural(texts, 'text')} to embed, ${count(tokens)} tokens: about ${dollars(usd)}${time}.${anew}`
}

interface MovingProps {
  readonly corpus: string
  readonly job: string
  readonly state: Migration
  readonly again: () => void
}

function Moving({ corpus, job, state: { to, step }, again }: MovingProps) {
  const [fault, fail] = useState<unknown>()
  const known = followed.value.find((one) => one.job.job === job)
  const cancel = () => {
    fail(undefined)
    corpusAt(corpus).cancel(job).then(again, fail)
  }
  return (
    <>
      <p role="status">
        {to ? `Moving to ${to.model}. ` : ''}
        {step === null ? '' : STEPS[step]}
      </p>
      {known && <ProgressBar progress={known.job.progress} />}
      <Failure fault={fault} />
      {step !== 'clear' && (
        <Allowed scope="write">
          <button type="button" onClick={cancel}>
            Cancel the move
          </button>
        </Allowed>
      )}
    </>
  )
}
