/** The whole corpus at a glance: its communities by size, each with a plain name; without ArchRAG, the topics of EraRAG. */

import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { Busy, Empty, Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { offering } from '../strategies/strategies'
import { CutLayers } from './cut-layers'
import { Outline } from './outline'
import type { Branch } from './segment-tree'
import { CHUNKS, NAMES, READ, treeFrom } from './trees'

export function Communities({ corpus }: { readonly corpus: Corpus }) {
  const { corpus: name, version } = corpus
  const [most, read] = useState(READ)
  const { value, fault, again } = useLoad(
    async (signal) => {
      const of = { corpus: name, most, signal }
      const communities = await treeFrom(of, 'communities')
      return { communities, segments: communities ? null : await treeFrom(of, 'segments') }
    },
    [name, version, most],
  )
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { communities, segments } = value
  const tree = communities ?? segments
  if (!tree) {
    return (
      <Empty title="No communities yet">
        <WhatGives corpus={corpus} />
      </Empty>
    )
  }
  const { root, cut } = tree
  const leaves = communities ? NAMES : CHUNKS
  return (
    <section class="card" aria-labelledby="communities">
      <h2 id="communities">{communities ? 'Communities' : 'Topics'}</h2>
      {communities ? (
        <p class="fine">
          Names that belong together, by their relations: {plural(root.children.length, 'community', 'communities')} with{' '}
          {plural(root.leaves, leaves.one, leaves.many)}, the largest first.
        </p>
      ) : (
        <div class="fine">
          <WhatGives corpus={corpus} />
          <p>Until then, these are EraRAG’s: passages that say similar things, the largest topic first.</p>
        </div>
      )}
      <CutLayers cut={cut} what={communities ? 'communities' : 'topics'} more={() => read(most + READ)} />
      <Outline corpus={name} branches={bySize(root)} leaves={leaves} />
      <p class="fine">
        <a href={to(['c', name, 'explore'], { all: 1 })}>Draw every node</a> of the graph, up to 5,000 of them.
      </p>
    </section>
  )
}

const bySize = ({ children }: Branch): readonly Branch[] => children.toSorted((a, b) => b.leaves - a.leaves || (a.name < b.name ? -1 : 1))

function WhatGives({ corpus }: { readonly corpus: Corpus }) {
  return (
    <>
      <p>ArchRAG groups names that belong together and describes each group, layer by layer.</p>
      {corpus.strategies.includes(offering('communities')) ? (
        <p>They form once documents mention people, places or terms together. These do not yet.</p>
      ) : (
        <p>
          It is not switched on here: <a href={to(['c', corpus.corpus, 'usage'])}>Usage and settings</a>
        </p>
      )}
    </>
  )
}
