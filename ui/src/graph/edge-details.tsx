/** One edge: what it connects, and the sentence that says so, in its document. */
import type { Place } from '../ask/source-panel'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { Busy, Failure } from '../shared/notices'
import { clip } from '../shared/numbers'
import { edgeWord } from './kinds'
import { nameOf } from './namesakes'
import { edgeKey, type PictureEdge, type PictureNode } from './picture'
import { isSaid, sayingOf } from './saying'

const NAME = 80 // letters

interface Props {
  readonly corpus: string
  readonly edge: PictureEdge
  readonly nodes: ReadonlyMap<string, PictureNode>
  readonly open: (place: Place) => void
}

export function EdgeDetails({ corpus, edge, nodes, open }: Props) {
  const { value, fault, again } = useLoad(
    async (signal) => ({ said: await sayingOf({ corpus, edge, nodes, signal }) }),
    [corpus, edgeKey(edge)],
  )
  const name = (id: string): string => clip(nameOf(nodes.get(id) ?? { text: id }), NAME)
  const said = value?.said
  return (
    <section class="card details" aria-label="Selected connection" aria-live="polite">
      <p>
        <strong>{name(edge.source)}</strong> {edgeWord(edge.kind)} <strong>{name(edge.target)}</strong>
      </p>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy what="Looking for the sentence" />}
      {said && (
        <>
          <blockquote dir="auto">{said.quote}</blockquote>
          <p class="row wrap fine">
            <a href={to(['c', corpus, 'd', said.document], { start: said.start, end: said.end })}>{said.title}</a>
            <button type="button" class="small" onClick={() => open(said)}>
              Read in place
            </button>
          </p>
        </>
      )}
      {value && !said && (
        <p class="fine">
          {isSaid(edge)
            ? 'No single sentence says so: one part of a document names both, in different sentences, or somebody added the connection.'
            : 'This follows from how the graph was built; no sentence states it.'}
        </p>
      )}
    </section>
  )
}
