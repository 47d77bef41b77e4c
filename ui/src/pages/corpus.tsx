/** One corpus: its tabs, and the data they share. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { AskedAs } from '../access/asked-as'
import { isClosedFor } from '../backups/recovering'
import { followed, hasEnded } from '../jobs/followed'
import { to } from '../route'
import { showCurrent } from '../shared/in-view'
import { fetchAhead, LazyPart } from '../shared/lazy-part'
import { type Loaded, useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { StatusWord } from '../shared/status-word'
import { comingBack, oneDocument, tabs } from './tabs'

const TABS: readonly (readonly [path: string, name: string])[] = [
  ['', 'Documents'],
  ['ask', 'Ask'],
  ['compare', 'Compare'],
  ['explore', 'Explore'],
  ['labels', 'Labels'],
  ['connections', 'Connections'],
  ['checks', 'Checks'],
  ['usage', 'Usage and settings'],
]

const LOOK = 3000 // ms between two looks while something goes on
const WAITING_LOOK = 10_000 // ms between two looks whether a larger budget has come: that may take days

interface Props {
  readonly corpus: string
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export function CorpusPage({ corpus, path, query }: Props) {
  const seen = useLoad((signal) => corpusAt(corpus, signal).info(), [corpus])
  const { value, fault, again } = seen
  const running = followed.value.filter((one) => one.corpus === corpus && !hasEnded(one.job)).length
  useEffect(() => {
    document.title = `${corpus} · Loam`
    return () => {
      document.title = 'Loam'
    }
  }, [corpus])
  // What a finished job changed is read again.
  const known = useRef(running)
  useEffect(() => {
    if (known.current !== running) again()
    known.current = running
  }, [running])
  // Measuring begins while documents arrive and may outlast the last job: the word appears and disappears with it. Paused work goes on when somebody elsewhere
  // raises the budget.
  useEffect(() => {
    const goesOn = value?.tuning || running > 0 || value?.status === 'indexing'
    if (!goesOn && value?.status !== 'paused_budget') return
    const timer = setTimeout(again, goesOn ? LOOK : WAITING_LOOK)
    return () => clearTimeout(timer)
  }, [value, running])
  const [tab = ''] = path
  // While the corpus is read, so is what will show it.
  useLayoutEffect(() => fetchAhead(tab === 'd' ? oneDocument : tabs[tab]), [tab])
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the page.
  useEffect(() => showCurrent(bar.current), [tab, value === undefined])
  return (
    <section class="page wide">
      <div class="row wrap head">
        <a href={to([])}>Corpora</a>
        <span aria-hidden="true">/</span>
        <strong class="name">{corpus}</strong>
        {value && <StatusWord status={running > 0 ? 'indexing' : value.status} />}
        {value?.tuning && (
          <span title="auto measures which of its channels to trust here; until then it answers by what it measured last, or as hybrid does">
            <StatusWord status="tuning" />
          </span>
        )}
        <AskedAs />
      </div>
      <nav class="tabs" aria-label="Corpus" ref={bar}>
        {TABS.map(([piece, name]) => (
          <a
            key={piece}
            href={to(['c', corpus, ...(piece ? [piece] : [])])}
            aria-current={tab === piece || (piece === '' && tab === 'd') ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {fault && !value ? <Failure fault={fault} again={again} /> : value ? tabOf(value, seen, path, query) : <Busy />}
    </section>
  )
}

function tabOf(
  corpus: Corpus,
  { again }: Loaded<Corpus>,
  [tab = '', second]: readonly string[],
  query: URLSearchParams,
): ComponentChildren {
  const props = { corpus, again, query }
  if (corpus.status === 'restoring' || isClosedFor(corpus.corpus))
    return <LazyPart key="coming-back" part={comingBack} props={{ corpus: corpus.corpus, again }} />
  // Nothing of the document shown before stays under the next one's name.
  if (tab === 'd') return <LazyPart key={`document ${second}`} part={oneDocument} props={{ corpus, id: second ?? '', query }} />
  const part = tabs[tab]
  return part ? <LazyPart part={part} props={props} /> : <p>There is nothing here.</p>
}
