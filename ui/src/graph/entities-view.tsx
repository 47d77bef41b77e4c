/** Entities by name, each with a way into the graph. */
import { useState } from 'preact/hooks'
import { at, call } from '../api/client'
import { useLoad } from '../api/load'
import type { Corpus, GraphNode, Page } from '../api/types'
import { Busy, Failure } from '../parts/notices'
import { to } from '../route'
import { textOf } from './namesakes'

export function Entities({ corpus }: { readonly corpus: Corpus }) {
  const name = corpus.corpus
  const [q, look] = useState('')
  const [cursor, turn] = useState<string | null>(null)
  const asked = new URLSearchParams({ limit: '100', ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) }).toString()
  const { value, fault, again } = useLoad(
    (signal) => call<Page<GraphNode>>('GET', `${at(name, 'entities')}?${asked}`, { signal }),
    [name, corpus.version, asked],
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
            turn(null)
            look(event.currentTarget.value)
          }}
        />
      </label>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      <ul class="names">
        {value?.data.map((node) => (
          <li key={node.id}>
            <a href={to(['c', name, 'explore'], { node: node.id })}>{textOf(node)}</a>{' '}
            {typeof node.data.chunks === 'number' && <span class="fine">{node.data.chunks}</span>}
          </li>
        ))}
      </ul>
      {value?.data.length === 0 && <p class="fine">{q ? 'No entity by this name.' : 'The documents name nobody and nothing yet.'}</p>}
      {value?.next_cursor && (
        <button type="button" onClick={() => turn(value.next_cursor)}>
          More
        </button>
      )}
    </div>
  )
}
