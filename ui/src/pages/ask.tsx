/** Questions and streamed answers, with the evidence they rest on. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { AskingForm } from '../ask/asking-form'
import { type Choices, withFilter } from '../ask/choices'
import { choicesFromQuery, remember, remembered } from '../ask/choices-text'
import { ask, clear, keep, keeping, type Turn, turns } from '../ask/conversation'
import { Examples } from '../ask/examples'
import type { Place } from '../ask/source-panel'
import { to } from '../route'
import { key } from '../session'
import { LANGUAGE } from '../shared/languages'
import { fetchAhead, LazyPart, lazy } from '../shared/lazy-part'
import { Empty } from '../shared/notices'
import type { TabProps } from './tab-props'

// Fetched while a question is typed, which takes longer.
const turnView = lazy(() => import('../ask/turn').then((module) => module.TurnView))
const sourcePanel = lazy(() => import('../ask/source-panel').then((module) => module.SourcePanel))
const keptList = lazy(() => import('../ask/kept').then((module) => module.KeptConversations))

export function AskPage({ corpus, query }: TabProps) {
  const name = corpus.corpus
  const [question, put] = useState(query.get('q') ?? '')
  const write = (text: string) => {
    for (const part of [turnView, sourcePanel]) fetchAhead(part)
    put(text)
  }
  const [choices, setChoices] = useState<Choices>(() => choicesFromQuery(query) ?? remembered(name))
  const [place, open] = useState<Place | null>(null)
  const running = useRef<AbortController | null>(null)
  const end = useRef<HTMLDivElement>(null)
  const said = turns.value[name] ?? []
  const busy = said.some((turn) => !turn.ended)
  useEffect(() => () => running.current?.abort(), [])
  // Two changes at the same moment: the second adds to the first.
  const latest = useRef(choices)
  const choose = (part: Partial<Choices>) => {
    latest.current = { ...latest.current, ...part }
    setChoices(latest.current)
    remember(name, latest.current)
  }
  // A link to a question may be followed while this page is open: its options replace the chosen ones.
  const address = query.toString()
  const opened = useRef(address)
  useEffect(() => {
    if (opened.current === address) return
    opened.current = address
    const linked = choicesFromQuery(query)
    if (query.has('q')) write(query.get('q') ?? '')
    if (linked) {
      latest.current = linked
      setChoices(linked)
    }
  }, [address])
  const pose = async (text: string, how = latest.current, fresh = false) => {
    if (text.trim() === '' || busy) return
    running.current = new AbortController()
    write('')
    setTimeout(() => end.current?.scrollIntoView({ block: 'end', behavior: 'smooth' }))
    await ask(name, { query: text.trim(), how, fresh }, running.current.signal)
  }
  const narrow = (turn: Turn) => (key: string, value: string) => {
    const { how } = turn
    const narrower = key === LANGUAGE ? { ...how, languages: [value] } : { ...how, filters: withFilter(how.filters, key, value) }
    choose(narrower)
    void pose(turn.question, narrower)
  }
  const mayKeep = Boolean(key.value) && corpus.audit.conversation_days > 0 && choices.corpora.length === 0
  const [isListed, list] = useState(false)
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
              <Examples corpus={name} version={corpus.version} isLogged={corpus.audit.questions !== 'none'} write={write} />
            </>
          )}
        </Empty>
      )}
      <div class="turns">
        {said.map((turn) => (
          <LazyPart
            key={turn.id}
            part={turnView}
            props={{
              corpus: name,
              turn,
              isLogged: corpus.audit.questions !== 'none',
              open,
              narrow: narrow(turn),
              anew: () => void pose(turn.question, turn.how, true),
              edit: () => {
                write(turn.question)
                choose(turn.how)
                document.getElementById('question')?.focus()
              },
            }}
          />
        ))}
      </div>
      <AskingForm
        corpus={name}
        strategies={corpus.strategies}
        question={question}
        write={write}
        choices={choices}
        choose={choose}
        busy={busy}
        pose={() => void pose(question)}
        stop={() => running.current?.abort()}
        keeping={mayKeep ? { on: keeping.value[name] !== undefined, set: (on) => keep(name, on ? { id: null } : undefined) } : undefined}
        startOver={said.length > 0 && !busy ? () => clear(name) : undefined}
      />
      {mayKeep && (
        <details class="card" onToggle={(event) => list(event.currentTarget.open)}>
          <summary>Kept conversations</summary>
          {isListed && <LazyPart part={keptList} props={{ corpus: name, choices }} />}
        </details>
      )}
      <div ref={end} />
      {place && <LazyPart part={sourcePanel} props={{ corpus: name, place, close: () => open(null) }} />}
    </>
  )
}
