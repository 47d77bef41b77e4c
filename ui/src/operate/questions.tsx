/** Whether questions are kept, and which of them went badly. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Failure } from '../shared/notices'
import { count } from '../shared/numbers'

const SHOWN = 15 // groups
const MODES = [
  ['none', 'Not at all'],
  ['redacted', 'Without addresses, numbers and answers'],
  ['full', 'In full, with answers'],
] as const

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function QuestionsCard({ corpus, change }: Props) {
  const { questions, question_days: days } = corpus.audit
  return (
    <section class="card" aria-labelledby="questions">
      <h2 id="questions">Questions</h2>
      <div class="row wrap">
        <label>
          Keep questions{' '}
          <select value={questions} onChange={(event) => void change({ audit: { questions: event.currentTarget.value } })}>
            {MODES.map(([mode, name]) => (
              <option value={mode} key={mode}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="inline">
          for{' '}
          <input
            type="number"
            class="short"
            min={1}
            max={3650}
            value={days}
            onChange={(event) => void change({ audit: { question_days: event.currentTarget.valueAsNumber } })}
          />{' '}
          days
        </label>
      </div>
      {questions === 'none' ? (
        <p class="fine">A log of questions shows what people ask that the documents do not answer.</p>
      ) : (
        <Report corpus={corpus.corpus} />
      )}
    </section>
  )
}

function Report({ corpus }: { readonly corpus: string }) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).queryLog.report(), [corpus])
  const [isSure, ask] = useState(false)
  const [failed, fail] = useState<unknown>()
  if (isStatus(fault, 403)) return <p class="fine">Only a key that may read the whole corpus sees them.</p>
  const forget = async () => {
    ask(false)
    await corpusAt(corpus).queryLog.forgetAll().then(again, fail)
  }
  return (
    <>
      <Failure fault={fault ?? failed} again={again} />
      {value?.data.length === 0 && <p class="fine">No question has gone badly so far.</p>}
      {value && value.data.length > 0 && (
        <table class="list">
          <caption>Found nothing, refused, or rated badly</caption>
          <thead>
            <tr>
              {['Question', 'Times', 'Nothing', 'Refused', 'Bad', 'Last'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {value.data.slice(0, SHOWN).map((one) => (
              <tr key={one.ids[0]}>
                <td class="break">{one.question}</td>
                <td class="number">{count(one.count)}</td>
                <td class="number">{count(one.nothing)}</td>
                <td class="number">{count(one.refused)}</td>
                <td class="number">{count(one.bad)}</td>
                <td>{one.last_seen.slice(0, 10)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="row wrap">
        <button type="button" onClick={again}>
          Refresh
        </button>
        {isSure ? (
          <button type="button" class="danger" onClick={() => void forget()}>
            Yes, delete the whole log
          </button>
        ) : (
          <button type="button" onClick={() => ask(true)}>
            Delete the log
          </button>
        )}
      </p>
    </>
  )
}
