/** Which entities were taken for one thing, by likeness or by a person, and the deciding of it. */
import { useState } from 'preact/hooks'
import { type Corpus, collected, type NameOperation } from '../../../src/client/client'
import { Allowed, lacking } from '../access/rights'
import { useActing } from '../connections/acting'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, percent, plural, when } from '../shared/numbers'
import { MergeNames } from './merge-names'

const MAX_DECISIONS = 1000 // decisions read; five calls
const SHOWN = 50

export function Names({ corpus: { corpus, version } }: { readonly corpus: Corpus }) {
  const list = useLoad((signal) => collected((paging) => corpusAt(corpus, signal).names.merges(paging), MAX_DECISIONS), [corpus, version])
  const { fault: refused, act } = useActing(list.again)
  const [shown, show] = useState(SHOWN)
  const { value, fault, again } = list
  if (!value) return fault ? <Failure fault={fault} again={again} /> : <Busy />
  const newest = value.data.toReversed()
  const latest = new Set(newest.filter((one, i) => newest.findIndex((other) => pairOf(other) === pairOf(one)) === i))
  return (
    <div class="columns even">
      <section class="card" aria-labelledby="merges">
        <h2 id="merges">Names of one thing</h2>
        <p class="fine">
          Consolidation takes two spellings for one thing when both the spelling and what is said about them are alike. Nothing of either is
          lost, and what is parted here is not merged by likeness again.
        </p>
        {newest.length === 0 && (
          <p class="hint">
            No names have been merged yet. <a href={to(['c', corpus, 'usage'])}>Consolidate</a>, and what is alike is found; or merge two
            yourself.
          </p>
        )}
        <Failure fault={refused} />
        {newest.length > 0 && (
          <ul class="plain linked" aria-label="Decisions, newest first">
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
        {value.more && <p class="fine">Of {plural(newest.length, 'decision')}, the earliest; the API lists them all.</p>}
      </section>
      <Allowed scope="write">
        <MergeNames corpus={corpus} version={version} act={act} />
      </Allowed>
    </div>
  )
}

const pairOf = ({ a, b }: NameOperation): string => [a, b].toSorted().join(' ')

interface EntryProps {
  readonly corpus: string
  readonly decision: NameOperation
  /** Nothing was decided about these two since. */
  readonly last: boolean
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

function Entry({ corpus, decision, last, act }: EntryProps) {
  const { op, a, b, names } = decision
  const [one, other] = names.map((name) => name || 'an entity that is gone') as [string, string]
  const decide = () => act(() => (op === 'merge' ? corpusAt(corpus).names.unmerge(a, b) : corpusAt(corpus).names.merge(a, b)))
  const both = names.every(Boolean)
  return (
    <li>
      <p class="row wrap">
        <span class="grow break">
          <Name corpus={corpus} id={a} name={names[0]} /> {op === 'merge' ? 'is' : 'is not'} <Name corpus={corpus} id={b} name={names[1]} />
        </span>
        {last && both && (
          <button
            type="button"
            class="small"
            aria-label={op === 'merge' ? `Part ${one} and ${other}` : `Merge ${one} and ${other}`}
            disabled={lacking('write') !== ''}
            onClick={decide}
          >
            {op === 'merge' ? 'Part' : 'Merge'}
          </button>
        )}
      </p>
      <p class="fine">{reasonOf(decision)}</p>
    </li>
  )
}

function Name({ corpus, id, name }: { readonly corpus: string; readonly id: string; readonly name: string }) {
  if (!name) return <em>an entity that is gone</em>
  return <a href={to(['c', corpus, 'explore'], { node: id })}>{name}</a>
}

function reasonOf({ op, by, spelling, context, at: time }: NameOperation): string {
  const who = by === 'rule' ? 'by likeness' : 'decided'
  const like = op === 'merge' ? `spelling ${percent(spelling)} alike, what is said ${percent(context)}` : ''
  return [time === undefined ? who : `${who} ${when(time)}`, like].filter(Boolean).join(' · ')
}
