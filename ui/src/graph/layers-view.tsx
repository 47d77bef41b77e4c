/** The layers of EraRAG and ArchRAG as outlines; EraRAG's also as a drawing. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { Busy, Empty, Failure } from '../shared/notices'
import { clip, plural } from '../shared/numbers'
import { offering } from '../strategies/strategies'
import { CutLayers } from './cut-layers'
import { Icicle } from './icicle'
import { type Leaves, Outline } from './outline'
import { type Branch, countBranches, countLayers } from './segment-tree'
import { CHUNKS, NAMES, READ, type Tree, treeFrom } from './trees'

export function Layers({ corpus }: { readonly corpus: Corpus }) {
  const { corpus: name, version, partitions } = corpus
  const [most, read] = useState(READ)
  const { value, fault, again } = useLoad(
    async (signal) => {
      const of = { corpus: name, most, signal }
      const hierarchy = partitions > 1 ? null : treeFrom(of, 'communities') // refused there
      const [segments, communities] = await Promise.all([treeFrom(of, 'segments'), hierarchy])
      return { segments, communities }
    },
    [name, version, partitions, most],
  )
  const more = () => read(most + READ)
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { segments, communities } = value
  if (!segments && !communities) return <NoLayers corpus={corpus} />
  return (
    <>
      {segments && (
        <OneTree corpus={name} title="By what it says" from="EraRAG" of="segment" leaves={CHUNKS} tree={segments} more={more}>
          <Drawn corpus={name} root={segments.root} />
        </OneTree>
      )}
      {communities && (
        <OneTree
          corpus={name}
          title="By whom and what it names"
          from="ArchRAG"
          of="community"
          leaves={NAMES}
          tree={communities}
          more={more}
        />
      )}
    </>
  )
}

interface TreeProps {
  readonly corpus: string
  readonly title: string
  readonly from: string
  readonly of: 'segment' | 'community'
  readonly leaves: Leaves
  readonly tree: Tree
  /** Reads more of each layer. */
  readonly more: () => void
  readonly children?: ComponentChildren
}

function OneTree({ corpus, title, from, of, leaves, tree: { root, cut }, more, children }: TreeProps) {
  const branches = countBranches(root)
  return (
    <section class="card" aria-labelledby={`tree-${of}`}>
      <h2 id={`tree-${of}`}>{title}</h2>
      <p class="fine">
        {from}: {of === 'segment' ? plural(branches, 'segment') : plural(branches, 'community', 'communities')} in{' '}
        {plural(countLayers(root), 'layer')}, {plural(root.leaves, leaves.one, leaves.many)} below. Open a heading to see what it
        summarises.
      </p>
      <CutLayers cut={cut} what={of === 'segment' ? 'segments' : 'communities'} more={more} />
      <Outline corpus={corpus} branches={root.children} leaves={leaves} />
      {children}
    </section>
  )
}

function Drawn({ corpus, root }: { readonly corpus: string; readonly root: Branch }) {
  const [looked, look] = useState<string | null>(null)
  const branch = looked === null ? null : find(root, looked)
  return (
    <details>
      <summary>As a drawing</summary>
      <Icicle root={root} selected={looked} select={look} />
      {branch && (
        <section class="card" aria-live="polite" aria-label="Selected segment">
          <p class="fine row">
            <span class="tag" data-kind="summary">
              layer {branch.layer}
            </span>
            <span>{plural(branch.leaves, 'chunk')} below</span>
            <a href={to(['c', corpus, 'explore'], { node: branch.id })}>In the graph</a>
          </p>
          <p>{clip(branch.text, 1200) || <em>Its summary is not written yet.</em>}</p>
        </section>
      )}
    </details>
  )
}

function NoLayers({ corpus }: { readonly corpus: Corpus }) {
  const isOn = corpus.strategies.includes(offering('segments'))
  return (
    <Empty title="No layers yet">
      <p>
        EraRAG sorts passages into segments by hashing, summarises each, and does the same with the summaries, so that a new document
        rewrites only one branch.
      </p>
      <p>
        {isOn ? 'The corpus is still too small for a second layer.' : 'It is not switched on here: '}
        {!isOn && <a href={to(['c', corpus.corpus, 'usage'])}>Usage and settings</a>}
      </p>
    </Empty>
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
