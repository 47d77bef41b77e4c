/** One node: its text, what it is tied to and how, and where to go from it. */

import { lacking } from '../access/rights'
import type { Place } from '../ask/source-panel'
import { to } from '../route'
import { clip } from '../shared/numbers'
import { nameOf, textOf } from './namesakes'
import type { Picture, PictureNode } from './picture'

const SHOWN = 12 // ties
const LETTERS = 700 // of its text

interface Props {
  readonly corpus: string
  readonly spot: PictureNode
  readonly picture: Picture
  readonly select: (id: string) => void
  readonly centre: (id: string) => void
  readonly open: (place: Place) => void
}

export function NodeDetails({ corpus, spot, picture, select, centre, open }: Props) {
  const { id, kind, layer, text, place } = spot
  const names = new Map(picture.nodes.map((node) => [node.id, node]))
  const ties = picture.edges
    .filter(({ source, target }) => source === id || target === id)
    .flatMap((edge) => {
      const other = names.get(edge.source === id ? edge.target : edge.source)
      return other ? [{ edge, other }] : []
    })
  const inGraph = kind !== 'question' && kind !== 'passage' && kind !== 'unit'
  return (
    <section class="card details" aria-label="Selected node" aria-live="polite">
      <p class="row">
        <span class="tag" data-kind={kind}>
          {kind}
          {layer > 0 ? ` · layer ${layer}` : ''}
        </span>
      </p>
      <p class="break">{clip(textOf(spot) || id, LETTERS)}</p>
      {spot.about && (
        <p class="fine">
          Another entity has this name; this one is from{' '}
          <a class="break" href={to(['c', corpus, 'd', spot.about.document])}>
            {spot.about.title}
          </a>
          .
        </p>
      )}
      <p class="row wrap">
        {inGraph && (
          <button type="button" class="small" onClick={() => centre(id)}>
            Show its neighbours
          </button>
        )}
        {kind === 'document' && <a href={to(['c', corpus, 'd', id])}>Open</a>}
        {kind === 'entity' && (
          <a href={to(['c', corpus, 'ask'], { q: `What is said about ${spot.about?.title ?? text}?` })}>Ask about it</a>
        )}
        {kind === 'entity' && lacking('write') === '' && (
          <a href={to(['c', corpus, 'explore'], { view: 'names', entity: nameOf(spot) })}>Decide</a>
        )}
        {place && (
          <button type="button" class="small" onClick={() => open({ ...place, quote: text })}>
            Read in place
          </button>
        )}
      </p>
      {ties.length > 0 && (
        <ul class="plain ties" aria-label="Connected to">
          {ties.slice(0, SHOWN).map(({ edge, other }) => (
            <li key={`${edge.kind} ${edge.source} ${edge.target}`}>
              <button type="button" class="node" data-kind={other.kind} onClick={() => select(other.id)}>
                <span class="fine">{edge.kind}</span>
                <span class="grow">{clip(textOf(other) || other.id, 50)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {ties.length > SHOWN && <p class="fine">and {ties.length - SHOWN} more</p>}
    </section>
  )
}
