/** What people have decided about entities, newest first, each with a button to undo it. */
import { useState } from 'preact/hooks'
import type { Decision } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { corpusAt } from '../shared/loam'
import { count, when } from '../shared/numbers'

const SHOWN = 50

interface Props {
  readonly corpus: string
  readonly decisions: readonly Decision[]
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

export function DecisionsList({ corpus, decisions, act }: Props) {
  const [shown, show] = useState(SHOWN)
  const newest = decisions.toReversed()
  if (newest.length === 0) return <p class="hint">No decisions yet. Each one is listed here and can be undone.</p>
  return (
    <>
      <ul class="plain linked" aria-label="Decisions, newest first">
        {newest.slice(0, shown).map((one) => (
          <li key={one.n}>
            <p class="row wrap">
              <span class="grow break">{saidOf(one)}</span>
              <button
                type="button"
                class="small"
                aria-label={`Undo: ${saidOf(one)}`}
                disabled={lacking('write') !== ''}
                onClick={() => act(() => corpusAt(corpus).decisions.undo(one.n))}
              >
                Undo
              </button>
            </p>
            <p class="fine">
              {one.by} · {when(one.at)}
            </p>
          </li>
        ))}
      </ul>
      {newest.length > shown && (
        <button type="button" onClick={() => show(shown + SHOWN)}>
          More ({count(newest.length - shown)})
        </button>
      )}
    </>
  )
}

function saidOf({ op, name, other_name, text = '', documents = [] }: Decision): string {
  const [one, other] = [name, other_name].map((shown) => shown || 'a name that is no longer in any text')
  switch (op) {
    case 'add':
      return documents.length > 0 ? `${text} is an entity in ${documents.join(', ')}` : `${text} is an entity`
    case 'merge':
      return `${one} is ${other}`
    case 'split':
      return `${one} is ${text} in ${documents.join(', ')}`
    case 'rename':
      return `${one} is called ${text}`
    case 'hide':
      return `${one} is hidden`
    case 'pin':
      return `${one} is pinned`
    case 'relate':
      return `${one} – ${text} – ${other}`
    case 'unrelate':
      return `${one} and ${other} are not related`
  }
}
