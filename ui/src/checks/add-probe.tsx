/** A question to pin, and which of the documents found for it must still be found. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { MOST_PROBES } from './pinned'

const SHOWN = 8 // documents to choose from

interface Props {
  readonly corpus: Corpus
  readonly query: URLSearchParams
  /** Existing probes. */
  readonly full: number
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

export function AddProbe({ corpus: { corpus, counts }, query, full, act }: Props) {
  const [question, write] = useState(query.get('q') ?? '')
  const [offered, offer] = useState<readonly string[]>(query.getAll('d'))
  const [chosen, pick] = useState<readonly string[]>(query.getAll('d'))
  const [other, name] = useState('')
  const [fault, fail] = useState<unknown>()
  if ((counts.documents ?? 0) === 0) {
    return (
      <p class="fine">
        There are no documents to find yet. <a href={to(['c', corpus])}>Add some</a> first.
      </p>
    )
  }
  if (full >= MOST_PROBES) return <p class="fine">A corpus holds {MOST_PROBES} probes. Remove one before you add another.</p>
  const expect = [...new Set([...chosen, ...(other.trim() ? [other.trim()] : [])])]
  const look = async () => {
    fail(undefined)
    try {
      const { evidence } = await corpusAt(corpus).search({ query: question, top_k: 20 })
      const found = [...new Set(evidence.flatMap(({ document }) => document ?? []))].slice(0, SHOWN)
      offer(found)
      pick(found.slice(0, 1))
      if (found.length === 0) throw new Error('Nothing was found. Enter the document’s id.')
    } catch (error) {
      fail(error)
    }
  }
  const add = (event: Event) => {
    event.preventDefault()
    fail(undefined)
    if (expect.length === 0) return fail(new Error('Choose at least one document that it must find.'))
    void act(async () => {
      await corpusAt(corpus).changeProbes((now) => ({
        ...now,
        probes: [...now.probes.filter((one) => one.query !== question), { query: question, expect }],
      }))
      write('')
      offer([])
      pick([])
      name('')
    })
  }
  return (
    <form class="stack" onSubmit={add}>
      <label for="probe-question">Question</label>
      <input
        id="probe-question"
        required
        maxLength={500}
        placeholder="Who may approve a refund?"
        value={question}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <p>
        <button type="button" disabled={question.trim() === ''} onClick={look}>
          See what it finds now
        </button>
      </p>
      {offered.length > 0 && (
        <fieldset class="choices">
          <legend>Documents that must be found</legend>
          {offered.map((id) => (
            <label class="check" key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => pick(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
              />
              <span class="break">{id}</span>
            </label>
          ))}
        </fieldset>
      )}
      <label for="probe-other">
        Another document’s id <span class="fine">if it should be found and is not listed</span>
      </label>
      <input id="probe-other" maxLength={256} autocomplete="off" value={other} onInput={(event) => name(event.currentTarget.value)} />
      <Failure fault={fault} />
      <p>
        <button type="submit" class="primary">
          Pin it
        </button>
      </p>
    </form>
  )
}
