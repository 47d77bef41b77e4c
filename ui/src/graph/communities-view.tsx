/** Communities, layer by layer, each with its report. */

import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { clip, plural } from '../shared/numbers'
import { offering } from '../strategies/strategies'
import { dataOf } from './node-data'

export function Communities({ corpus }: { readonly corpus: Corpus }) {
  const name = corpus.corpus
  const [layer, look] = useState<number | null>(null)
  const told = useLoad((signal) => corpusAt(name, signal).layers('communities'), [name, corpus.version])
  const layers = told.value?.layers ?? []
  const shown = layer ?? layers.at(-1)?.layer ?? null
  if (told.fault) return <Failure fault={told.fault} again={told.again} />
  if (!told.value) return <Busy />
  if (shown === null) {
    return (
      <Empty title="No communities yet">
        <p>ArchRAG groups entities that belong together and describes each group, layer by layer.</p>
        {corpus.strategies.includes(offering('communities')) ? (
          <p>They form once documents mention people, places or terms together. These do not yet.</p>
        ) : (
          <p>
            It is not switched on here: <a href={to(['c', name, 'usage'])}>Usage and upkeep</a>
          </p>
        )}
      </Empty>
    )
  }
  return (
    <>
      <p class="row wrap">
        {layers.map(({ layer: one, count }) => (
          <button key={one} type="button" class="small" aria-pressed={one === shown} onClick={() => look(one)}>
            Layer {one} ({count})
          </button>
        ))}
      </p>
      <OfLayer corpus={corpus} layer={shown} />
    </>
  )
}

function OfLayer({ corpus: { corpus, version }, layer }: { readonly corpus: Corpus; readonly layer: number }) {
  const { value, fault, again } = useLoad(
    (signal) => corpusAt(corpus, signal).layer('communities', layer, { limit: 100 }),
    [corpus, version, layer],
  )
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  return (
    <ul class="cards">
      {value.data
        .map((node) => ({ ...node, members: dataOf(node).members }))
        .map(({ id, text, tokens, members }) => (
          <li key={id} class="card">
            <p>{clip(text, 400) || <em>Its report is not written yet.</em>}</p>
            <p class="fine row wrap">
              {Array.isArray(members) && <span>{plural(members.length, 'member')}</span>}
              <span>{plural(tokens, 'token')}</span>
              <a href={to(['c', corpus, 'explore'], { node: id })}>In the graph</a>
            </p>
          </li>
        ))}
    </ul>
  )
}
