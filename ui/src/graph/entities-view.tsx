/** Entities, pinned and most frequent first, each with a link into the graph. */
import { useState } from 'preact/hooks'
import { type Corpus, collected, type Node } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { mentionedIn } from './mentioned'
import { textOf } from './namesakes'

const ROWS = 100 // shown at a time

export function Entities({ corpus }: { readonly corpus: Corpus }) {
  const name = corpus.corpus
  const [q, look] = useState('')
  const [rows, show] = useState(ROWS)
  const { value, fault, again } = useLoad(
    (signal) => collected((paging) => corpusAt(name, signal).entities({ ...paging, sort: 'mentions', ...(q ? { q } : {}) }), rows),
    [name, corpus.version, q, rows],
  )
  return (
    <div class="card">
      <label>
        <span class="visually-hidden">Find an entity</span>
        <input
          type="search"
          placeholder="Find an entity"
          value={q}
          onInput={(event) => {
            show(ROWS)
            look(event.currentTarget.value)
          }}
        />
      </label>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      <ul class="names">
        {byName(value?.data ?? []).map((node) => (
          <li key={node.id}>
            <a href={to(['c', name, 'explore'], { node: node.id })}>{textOf(node)}</a>{' '}
            {mentionedIn(node) > 0 && (
              <span class="fine" title={`in ${plural(mentionedIn(node), 'chunk')}`}>
                {mentionedIn(node)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {value?.data.length === 0 && <p class="fine">{q ? 'No entity by this name.' : 'No names have been found in the documents yet.'}</p>}
      {value?.more && (
        <button type="button" onClick={() => show(rows + ROWS)}>
          More
        </button>
      )}
    </div>
  )
}

/** Those of one chunk come in no order that a reader sees; they are put by name. What comes before them stays. */
function byName(nodes: readonly Node[]): readonly Node[] {
  const first = nodes.findLastIndex((one) => mentionedIn(one) > 1 || isPinned(one)) + 1
  return [...nodes.slice(0, first), ...nodes.slice(first).sort((a, b) => (a.text < b.text ? -1 : 1))]
}

const isPinned = ({ data }: Node): boolean => (data as { readonly pinned?: unknown } | undefined)?.pinned === true
