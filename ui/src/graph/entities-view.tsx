/** Entities by name, each with a way into the graph. */
import { useState } from 'preact/hooks'
import type { Corpus, Node } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { textOf } from './namesakes'
import { dataOf } from './node-data'

export function Entities({ corpus }: { readonly corpus: Corpus }) {
  const name = corpus.corpus
  const [q, look] = useState('')
  const [cursor, turn] = useState<string | null>(null)
  const { value, fault, again } = useLoad(
    (signal) => corpusAt(name, signal).entities({ limit: 100, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) }),
    [name, corpus.version, q, cursor],
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
            {chunksOf(node) !== undefined && <span class="fine">{chunksOf(node)}</span>}
          </li>
        ))}
      </ul>
      {value?.data.length === 0 && <p class="fine">{q ? 'No entity by this name.' : 'No names have been found in the documents yet.'}</p>}
      {value?.next_cursor && (
        <button type="button" onClick={() => turn(value.next_cursor)}>
          More
        </button>
      )}
    </div>
  )
}

function chunksOf(node: Node): number | undefined {
  const { chunks } = dataOf(node)
  return typeof chunks === 'number' ? chunks : undefined
}
