/** Questions and streamed answers, with the evidence they rest on. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { CitationDialog, type Place } from '../ask/citation-dialog'
import { ask, clear, turns } from '../ask/conversation'
import { Examples } from '../ask/examples'
import { TurnView } from '../ask/turn'
import { to } from '../route'
import { Empty } from '../shared/notices'
import { askable, summaries } from '../strategies/strategies'
import type { TabProps } from './tab-props'

export function AskPage({ corpus, query }: TabProps) {
  const name = corpus.corpus
  const [question, write] = useState(query.get('q') ?? '')
  const [strategy, choose] = useState('auto')
  const [top, reach] = useState(10)
  const [day, date] = useState('')
  const [place, open] = useState<Place | null>(null)
  const running = useRef<AbortController | null>(null)
  const end = useRef<HTMLDivElement>(null)
  const said = turns.value[name] ?? []
  const busy = said.some((turn) => !turn.ended)
  useEffect(() => () => running.current?.abort(), [])
  const pose = async (text: string) => {
    if (text.trim() === '' || busy) return
    running.current = new AbortController()
    write('')
    setTimeout(() => end.current?.scrollIntoView({ block: 'end', behavior: 'smooth' }))
    await ask(name, { query: text.trim(), strategy, top_k: top, ...(day ? { as_of: day } : {}) }, running.current.signal)
  }
  const empty = (corpus.counts.documents ?? 0) === 0
  return (
    <>
      <h1 class="visually-hidden">Ask {name}</h1>
      {said.length === 0 && (
        <Empty title={empty ? 'There is nothing to ask about yet' : 'Ask this corpus'}>
          {empty ? (
            <p>
              <a href={to(['c', name])}>Add documents</a> first; a question then gets an answer with the sentences it rests on.
            </p>
          ) : (
            <>
              <p>Every statement of an answer leads to a sentence of a document, quoted letter for letter.</p>
              <Examples corpus={name} version={corpus.version} write={write} />
            </>
          )}
        </Empty>
      )}
      <div class="turns">
        {said.map((turn) => (
          <TurnView key={turn.id} corpus={name} turn={turn} open={open} />
        ))}
      </div>
      <form
        class="asking card"
        onSubmit={(event) => {
          event.preventDefault()
          void pose(question)
        }}
      >
        <label for="question" class="visually-hidden">
          Question
        </label>
        <textarea
          id="question"
          rows={2}
          placeholder="Ask a question"
          value={question}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            void pose(question)
          }}
        />
        <div class="row wrap">
          <label class="inline">
            <span class="wide-only">Strategy</span>
            <select value={strategy} onChange={(event) => choose(event.currentTarget.value)} title={summaries[strategy]}>
              {askable(corpus.strategies).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label class="inline">
            Pieces
            <input type="number" min={1} max={100} value={top} onChange={(event) => reach(Number(event.currentTarget.value) || 10)} />
          </label>
          <label class="inline" title="Only what was in force on that day">
            <span class="wide-only">In force on</span>
            <input type="date" value={day} onChange={(event) => date(event.currentTarget.value)} />
          </label>
          <span class="grow" />
          {said.length > 0 && !busy && (
            <button type="button" class="quiet" onClick={() => clear(name)}>
              Start over
            </button>
          )}
          {busy ? (
            <button type="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          ) : (
            <button type="submit" class="primary">
              Ask
            </button>
          )}
        </div>
      </form>
      <div ref={end} />
      <CitationDialog corpus={name} place={place} close={() => open(null)} />
    </>
  )
}
