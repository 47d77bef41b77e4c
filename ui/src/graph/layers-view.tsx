/** EraRAG's tree: chunks below, summaries of summaries above, as an icicle and as a nested list. */

import { useState } from 'preact/hooks'
import { type Corpus, collected } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { clip, plural } from '../shared/numbers'
import { offering } from '../strategies/strategies'
import { Icicle } from './icicle'
import { type Branch, treeOf } from './segment-tree'

const MAX_SEGMENTS = 1000 // segments of a layer

async function segments(corpus: string, signal: AbortSignal): Promise<Branch | null> {
  const there = corpusAt(corpus, signal)
  const { layers } = await there.layers('segments')
  const found = await Promise.all(layers.map(({ layer }) => collected((paging) => there.layer('segments', layer, paging), MAX_SEGMENTS)))
  return treeOf(found.flatMap(({ data }) => data))
}

export function Layers({ corpus }: { readonly corpus: Corpus }) {
  const name = corpus.corpus
  const { value, fault, again } = useLoad(async (signal) => ({ root: await segments(name, signal) }), [name, corpus.version])
  const [looked, look] = useState<string | null>(null)
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { root } = value
  if (!root) {
    return (
      <Empty title="No layers yet">
        <p>
          EraRAG sorts passages into segments by hashing, summarises each, and does the same with the summaries, so that a new document
          rewrites only one branch.
        </p>
        <p>
          {corpus.strategies.includes(offering('segments'))
            ? 'The corpus is still too small for a second layer.'
            : 'It is not switched on here: '}
          {!corpus.strategies.includes(offering('segments')) && <a href={to(['c', name, 'usage'])}>Usage and upkeep</a>}
        </p>
      </Empty>
    )
  }
  const branch = looked === null ? null : find(root, looked)
  return (
    <>
      <Icicle root={root} selected={looked} select={look} />
      {branch && (
        <section class="card" aria-live="polite" aria-label="Selected segment">
          <p class="fine row">
            <span class="tag" data-kind="summary">
              layer {branch.layer}
            </span>
            <span>{plural(branch.leaves, 'chunk')} below</span>
            <a href={to(['c', name, 'explore'], { node: branch.id })}>In the graph</a>
          </p>
          <p>{clip(branch.text, 1200) || <em>Its summary is not written yet.</em>}</p>
        </section>
      )}
      <details>
        <summary>As a list</summary>
        <ul class="nested">
          {root.children.map((child) => (
            <Nested key={child.id} branch={child} select={look} />
          ))}
        </ul>
      </details>
    </>
  )
}

function Nested({ branch, select }: { readonly branch: Branch; readonly select: (id: string) => void }) {
  return (
    <li>
      <button type="button" class="small quiet" onClick={() => select(branch.id)}>
        {clip(branch.text, 90) || branch.id} <span class="fine">{plural(branch.leaves, 'chunk')}</span>
      </button>
      {branch.children.length > 0 && (
        <ul>
          {branch.children.map((child) => (
            <Nested key={child.id} branch={child} select={select} />
          ))}
        </ul>
      )}
    </li>
  )
}

function find(branch: Branch, id: string): Branch | null {
  if (branch.id === id) return branch
  for (const child of branch.children) {
    const found = find(child, id)
    if (found) return found
  }
  return null
}
