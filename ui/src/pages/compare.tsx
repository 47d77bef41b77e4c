/** The same question by several strategies, side by side: what each answered, found, took and cost. */
import { useState } from 'preact/hooks'
import type { CompareResult, QueryResult } from '../../../src/client/client'
import { CitedText } from '../ask/cited-text'
import { EvidenceList } from '../ask/evidence-list'
import { Refusal } from '../ask/refusal'
import { type Place, SourcePanel } from '../ask/source-panel'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { count, dollars, duration, plural } from '../shared/numbers'
import { askable } from '../strategies/strategies'
import { StrategyChoice } from '../strategies/strategy-choice'
import type { TabProps } from './tab-props'

const AT_FIRST = 4 // strategies chosen when the page opens

type Compared = CompareResult['results'][number]
type AnsweredQuery = QueryResult & { readonly cost_usd: number }

const hasAnswer = (one: Compared): one is AnsweredQuery => 'answer' in one

export function ComparePage({ corpus, query }: TabProps) {
  const name = corpus.corpus
  const names = askable(corpus.strategies)
  const [question, write] = useState(query.get('q') ?? '')
  const [chosen, pick] = useState<readonly string[]>(() => names.filter((one) => one !== 'vector').slice(0, AT_FIRST))
  const [results, settle] = useState<readonly Compared[] | null>(null)
  const [busy, work] = useState(false)
  const [fault, fail] = useState<unknown>()
  const [place, open] = useState<Place | null>(null)
  const compare = async (event: Event) => {
    event.preventDefault()
    work(true)
    fail(undefined)
    try {
      settle((await corpusAt(name).compare({ query: question, strategies: chosen })).results)
    } catch (error) {
      fail(error)
    }
    work(false)
  }
  const told = results?.filter(hasAnswer) ?? []
  if ((corpus.counts.documents ?? 0) === 0) {
    return (
      <Empty title="There is nothing to compare on yet">
        <p>
          <a href={to(['c', name])}>Add documents</a> first; then the same question goes to several strategies, side by side.
        </p>
      </Empty>
    )
  }
  return (
    <>
      <h1 class="visually-hidden">Compare strategies</h1>
      <form onSubmit={compare} class="card asked">
        <label for="compared">Question</label>
        <div class="row">
          <input
            id="compared"
            class="grow"
            required
            value={question}
            onInput={(event) => write(event.currentTarget.value)}
            placeholder="The same question to each"
          />
          <button type="submit" class="primary" disabled={busy || chosen.length === 0}>
            Compare
          </button>
        </div>
        <StrategyChoice legend="Strategies" names={names} chosen={chosen} pick={pick} />
      </form>
      <Failure fault={fault} />
      {busy && <Busy what="Asking each" />}
      {told.length > 0 && <Table results={told} />}
      {results && (
        <div class="beside">
          {results.map((one) => (
            <section key={one.strategy} class="card" aria-label={one.strategy}>
              <h2>{one.strategy}</h2>
              {hasAnswer(one) ? (
                <Column question={question} result={one} all={told} open={open} />
              ) : (
                <p class="failure">{one.error.replaceAll('_', ' ')}</p>
              )}
            </section>
          ))}
        </div>
      )}
      <SourcePanel corpus={name} place={place} close={() => open(null)} />
    </>
  )
}

function Table({ results }: { readonly results: readonly AnsweredQuery[] }) {
  const slowest = Math.max(...results.map(time))
  return (
    <table class="list compared">
      <caption class="visually-hidden">Cost and time</caption>
      <thead>
        <tr>
          <th scope="col">Strategy</th>
          <th scope="col">Time</th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col" class="number">
            Cost
          </th>
          <th scope="col" class="number">
            Citations
          </th>
        </tr>
      </thead>
      <tbody>
        {results.map((one) => (
          <tr key={one.strategy}>
            <th scope="row">{one.strategy}</th>
            <td>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(100 * time(one)) / Math.max(1, slowest)}%` }} />
              </span>{' '}
              {duration(time(one))}
            </td>
            <td class="number">{count(one.usage.in + one.usage.out + one.usage.embedded)}</td>
            <td class="number">{dollars(one.cost_usd)}</td>
            <td class="number">{one.citations.length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const time = (one: AnsweredQuery): number => one.timing_ms.total ?? 0

function Column({
  question,
  result,
  all,
  open,
}: {
  readonly question: string
  readonly result: AnsweredQuery
  readonly all: readonly AnsweredQuery[]
  readonly open: (place: Place) => void
}) {
  const others = new Set(all.filter((one) => one !== result).flatMap((one) => one.evidence.map(({ id }) => id)))
  const alone = result.evidence.filter(({ id }) => !others.has(id)).length
  return (
    <>
      {result.answered ? (
        <CitedText answer={result.answer} citations={result.citations} support={result.support} open={open} />
      ) : (
        <Refusal answer={result.answer} nearest={result.nearest} open={open} />
      )}
      <details>
        <summary>
          {plural(result.evidence.length, 'piece')}, {alone} found only here
        </summary>
        <EvidenceList evidence={result.evidence} question={question} open={open} note={({ id }) => (others.has(id) ? '' : 'only here')} />
      </details>
    </>
  )
}
