/** Decisions that people made about entities, merges by similarity, and the forms for both. */
import { useState } from 'preact/hooks'
import { type Corpus, collected, type NameOperation } from '../../../src/client/client'
import { Allowed, lacking } from '../access/rights'
import { useActing } from '../connections/acting'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, percent, plural, when } from '../shared/numbers'
import { offering } from '../strategies/strategies'
import { AddForm } from './add-form'
import { DecideForm } from './decide-form'
import { DecisionsList } from './decisions-list'

const MAX_DECISIONS = 1000 // decisions read; five calls
const SHOWN = 50

interface Props {
  readonly corpus: Corpus
  /** The name of an entity to decide about. */
  readonly entity: string
}

export function Names({ corpus: { corpus, version, strategies }, entity }: Props) {
  const hasLikeness = strategies.includes(offering('names'))
  const list = useLoad(
    async (signal) => {
      const of = corpusAt(corpus, signal)
      const [decisions, merges] = await Promise.all([
        collected((paging) => of.decisions.list(paging), MAX_DECISIONS),
        hasLikeness ? collected((paging) => of.names.merges(paging), MAX_DECISIONS) : { data: [], more: false },
      ])
      return { decisions, merges }
    },
    [corpus, version],
  )
  const { fault: refused, act } = useActing(list.again)
  const { value, fault, again } = list
  if (!value) return fault ? <Failure fault={fault} again={again} /> : <Busy />
  const { decisions, merges } = value
  return (
    <div class="columns even">
      <div class="stack">
        <section class="card" aria-labelledby="decisions">
          <h2 id="decisions">Decisions people made</h2>
          <Failure fault={refused} />
          <DecisionsList corpus={corpus} decisions={decisions.data} act={act} />
          {decisions.more && (
            <p class="fine">The earliest {plural(decisions.data.length, 'decision')} are shown; the API lists them all.</p>
          )}
        </section>
        {hasLikeness && <Likeness corpus={corpus} merges={merges} act={act} />}
      </div>
      <Allowed scope="write">
        <div class="stack">
          <DecideForm corpus={corpus} version={version} entity={entity} act={act} />
          <AddForm corpus={corpus} act={act} />
        </div>
      </Allowed>
    </div>
  )
}

interface LikenessProps {
  readonly corpus: string
  readonly merges: { readonly data: readonly NameOperation[]; readonly more: boolean }
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

/** What consolidation has merged (ArchRAG). */
function Likeness({ corpus, merges, act }: LikenessProps) {
  const [shown, show] = useState(SHOWN)
  const newest = merges.data.toReversed()
  const latest = new Set(newest.filter((one, i) => newest.findIndex((other) => pairOf(other) === pairOf(one)) === i))
  return (
    <section class="card" aria-labelledby="merges">
      <h2 id="merges">Similar names</h2>
      <p class="fine">
        Consolidation merges two names when both their spelling and what is said about them are similar. Nothing is lost, and names you
        separate here are not merged that way again.
      </p>
      {newest.length === 0 && (
        <p class="hint">
          No similar names have been merged yet. <a href={to(['c', corpus, 'usage'])}>Consolidate</a> to find similar names.
        </p>
      )}
      {newest.length > 0 && (
        <ul class="plain linked" aria-label="Similar names merged, newest first">
          {newest.slice(0, shown).map((one) => (
            <Entry key={one.n} corpus={corpus} decision={one} last={latest.has(one)} act={act} />
          ))}
        </ul>
      )}
      {newest.length > shown && (
        <button type="button" onClick={() => show(shown + SHOWN)}>
          More ({count(newest.length - shown)})
        </button>
      )}
      {merges.more && <p class="fine">The earliest {plural(newest.length, 'merge')} are shown; the API lists them all.</p>}
    </section>
  )
}

const pairOf = ({ a, b }: NameOperation): string => [a, b].toSorted().join(' ')

interface EntryProps {
  readonly corpus: string
  readonly decision: NameOperation
  /** Nothing has been decided about these two since. */
  readonly last: boolean
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

function Entry({ corpus, decision, last, act }: EntryProps) {
  const { op, a, b, names } = decision
  const [one, other] = names.map((name) => name || 'a deleted entity') as [string, string]
  const part = () => act(() => corpusAt(corpus).names.unmerge(a, b))
  const both = names.every(Boolean)
  return (
    <li>
      <p class="row wrap">
        <span class="grow break">
          <Name corpus={corpus} id={a} name={names[0]} /> {op === 'merge' ? 'is' : 'is not'} <Name corpus={corpus} id={b} name={names[1]} />
        </span>
        {last && both && op === 'merge' && (
          <button type="button" class="small" aria-label={`Separate ${one} and ${other}`} disabled={lacking('write') !== ''} onClick={part}>
            Separate
          </button>
        )}
      </p>
      <p class="fine">{reasonOf(decision)}</p>
    </li>
  )
}

function Name({ corpus, id, name }: { readonly corpus: string; readonly id: string; readonly name: string }) {
  if (!name) return <em>a deleted entity</em>
  return <a href={to(['c', corpus, 'explore'], { node: id })}>{name}</a>
}

function reasonOf({ op, by, spelling, context, at: time }: NameOperation): string {
  const who = by === 'rule' ? 'by similarity' : 'decided'
  const like = op === 'merge' ? `spelling ${percent(spelling)} similar, context ${percent(context)}` : ''
  return [time === undefined ? who : `${who} ${when(time)}`, like].filter(Boolean).join(' · ')
}
