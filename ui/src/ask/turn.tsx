/** One question and its answer: first the evidence, then the words, then the citations and the cost. */

import { to } from '../route'
import { Busy, Copy, CopyLink, Failure } from '../shared/notices'
import { clip, count, dollars, duration, plural } from '../shared/numbers'
import { choicesInQuery } from './choices-text'
import { CitedText } from './cited-text'
import type { Turn } from './conversation'
import { Disagreements } from './disagreements'
import { EvidenceList } from './evidence-list'
import { Facets } from './facets'
import { namesOf, numbersOf } from './numbers'
import { quoteInWords } from './quote-in-words'
import { RatingView, Unrated } from './rating'
import { Refusal } from './refusal'
import type { Place } from './source-panel'
import { Where } from './where'
import { withSources } from './with-sources'

interface Props {
  readonly corpus: string
  readonly turn: Turn
  /** Does the corpus log its questions? Only then can answers be rated. */
  readonly isLogged: boolean
  readonly open: (place: Place) => void
  readonly narrow: (key: string, value: string) => void
  /** Asks again, as of today. */
  readonly anew: () => void
  /** Puts the question into the field for the next one. */
  readonly edit: () => void
}

export function TurnView({ corpus, turn, isLogged, open, narrow, anew, edit }: Props) {
  const { question, text, citations, found, ended, fault } = turn
  const names = namesOf(citations)
  const numbers = numbersOf(citations)
  const isRefused = turn.done?.answered === false
  return (
    <article class="turn" aria-busy={!ended}>
      <h2 dir="auto">{question}</h2>
      <div aria-live="polite">
        {!found && !ended && <Busy what="Searching" />}
        {isRefused ? (
          <Refusal answer={text} nearest={turn.done?.nearest ?? []} open={open} />
        ) : (
          text && <CitedText answer={text} citations={citations} support={turn.done?.support ?? []} open={open} />
        )}
        {found && !text && !ended && <Busy what="Writing" />}
      </div>
      {turn.withheld && <p class="notice">{WITHHELD[turn.withheld]}</p>}
      {ended && !turn.done && !fault && !turn.withheld && found && <p class="fine">Stopped.</p>}
      <Failure fault={fault} />
      <Taken turn={turn} />
      {turn.done?.cache && <Kept cache={turn.done.cache} />}
      <Skipped turn={turn} />
      <Expanded turn={turn} />
      {found?.facets && <Facets facets={found.facets} narrow={narrow} />}
      {turn.done && <Disagreements told={turn.done} open={open} />}
      {turn.done && !isLogged && <Unrated corpus={corpus} />}
      {turn.done?.question_id && <RatingView corpus={corpus} question={turn.done.question_id} />}
      {citations.length > 0 && (
        <ul class="citations" aria-label="Citations">
          {citations.map((one, at) => (
            <li key={`${one.marker}-${one.start}-${one.span.start}`}>
              <button type="button" onClick={() => open(one)}>
                <span class="marker" aria-hidden="true">
                  {names[at]}
                </span>
                <span dir="auto">
                  “{clip(quoteInWords(one.quote), 140)}” <bdi class="fine">{one.title || one.document}</bdi>{' '}
                  {one.corpus && <span class="tag">{one.corpus}</span>} <Where place={one} title={one.title} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {ended && (
        <p class="row wrap">
          {!turn.withheld && (
            <>
              <button type="button" class="small" onClick={anew}>
                Ask again
              </button>
              <button type="button" class="small" onClick={edit}>
                Edit
              </button>
            </>
          )}
          {text && !isRefused && <Copy text={withSources(text, citations)}>Copy with sources</Copy>}
          {found && found.evidence.length > 0 && (
            <>
              <CopyLink link={linkTo(corpus, turn)} />
              <a href={to(['c', corpus, 'explore'], { q: question, s: found.strategy })}>See it in the graph</a>
              <a href={to(['c', corpus, 'compare'], { q: question })}>Compare strategies</a>
              {citations.length > 0 && <a href={probeOf(corpus, turn)}>Pin as a probe</a>}
            </>
          )}
        </p>
      )}
      {found && found.evidence.length > 0 && (
        <details>
          <summary>{plural(found.evidence.length, 'piece')} of evidence</summary>
          <EvidenceList evidence={found.evidence} question={question} open={open} note={(_, at) => citedAs(numbers.get(at + 1))} />
        </details>
      )}
    </article>
  )
}

const citedAs = (number: number | undefined): string => (number === undefined ? '' : `cited as ${number}`)

/** The question as it was asked; whoever opens it sees what their own key may see. */
function linkTo(corpus: string, { question, how }: Turn): string {
  const query = choicesInQuery(how)
  query.set('q', question)
  return `${location.origin}${location.pathname}${to(['c', corpus, 'ask'])}?${query}`
}

/** The question, and the documents its answer cites, to be pinned as a probe. */
function probeOf(corpus: string, { question, citations }: Turn): string {
  const cited = [...new Set(citations.map(({ document }) => document))]
  return to(['c', corpus, 'checks'], { view: 'probes', q: question }) + cited.map((id) => `&d=${encodeURIComponent(id)}`).join('')
}

const WITHHELD = {
  forgotten: 'The answer is gone: a document it rests on was deleted.',
  access: 'The answer is withheld: it rests on a document that you may not see now.',
} as const

type Cache = NonNullable<NonNullable<Turn['done']>['cache']>

function Kept({ cache: { age_seconds: age, saved } }: { readonly cache: Cache }) {
  return (
    <p class="fine row wrap">
      <span class="tag">answered before</span>
      <span>{age < 90 ? plural(age, 'second') : plural(Math.round(age / 60), 'minute')} ago; nothing has changed since</span>
      <span>
        saved {count(saved.in + saved.out + saved.embedded)} tokens, {dollars(saved.usd)}
      </span>
    </p>
  )
}

function Skipped({ turn: { found } }: { readonly turn: Turn }) {
  if (!found?.skipped?.length) return null
  return (
    <p class="notice">
      Not asked: {found.skipped.map(({ corpus, code }) => `${corpus} (${code.replaceAll('_', ' ')})`).join(', ')}. The answer comes from the
      others.
    </p>
  )
}

/** What the text model made of the question. It is not a source. */
function Expanded({ turn: { found, how } }: { readonly turn: Turn }) {
  if (!found?.expanded?.length) return null
  return (
    <details class="fine">
      <summary>{how.expand === 'hyde' ? 'Searched for passages like this imagined one' : 'Also searched for these parts'}</summary>
      <ul>
        {found.expanded.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  )
}

const DEGRADED: Readonly<Record<string, string>> = {
  budget: 'the budget is used up, so only keywords were searched',
  embedding: 'the embedding model did not answer',
  index: 'the vector index did not answer',
  reranker: 'the reranker did not answer',
  text_model: 'the text model did not answer',
  scorer: 'paths were scored by embeddings',
  judge: 'the model that checks answers did not answer',
  expansion: 'the text model did not expand the question',
  truncated: 'cut off: the text model reached its length limit',
}

function Taken({ turn: { done, found } }: { readonly turn: Turn }) {
  if (!done) return null
  const { generator, grounded, insufficient, usage, timing_ms, degraded } = done
  const tokens = usage.in + usage.out + usage.embedded
  return (
    <p class="fine row wrap">
      <span class="tag">{found?.strategy ?? done.strategy}</span>
      <span>{generator === 'model' ? 'written by the text model' : 'quoted from the documents, no text model'}</span>
      <span>
        {insufficient
          ? 'the documents do not say'
          : grounded
            ? 'every statement is supported by its source'
            : 'not every statement is supported by its source'}
      </span>
      <span>{duration(timing_ms.total ?? 0)}</span>
      {tokens > 0 && <span>{count(tokens)} tokens</span>}
      {degraded.map((what) => (
        <span key={what}>{DEGRADED[what] ?? what}</span>
      ))}
    </p>
  )
}
