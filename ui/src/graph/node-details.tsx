/** One node: its text, its ties and their kinds, and where to go from it. */

import { lacking } from '../access/rights'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { clip } from '../shared/numbers'
import { EntityTold } from './entity-told'
import { kindWord, tieWord } from './kinds'
import { nameOf, textOf } from './namesakes'
import { edgeKey, type Picture, type PictureEdge, type PictureNode } from './picture'
import { isSaid } from './saying'

const SHOWN = 12 // ties
const TITLE = 120 // letters of a name
const LETTERS = 500 // of its text

interface Props {
  readonly corpus: string
  readonly spot: PictureNode
  readonly picture: Picture
  readonly select: (id: string) => void
  readonly centre: (id: string) => void
  readonly show: (edge: PictureEdge) => void
}

export function NodeDetails({ corpus, spot, picture, select, centre, show }: Props) {
  const { id, kind, layer, text } = spot
  const names = new Map(picture.nodes.map((node) => [node.id, node]))
  const ties = picture.edges
    .filter(({ source, target }) => source === id || target === id)
    .flatMap((edge) => {
      const other = names.get(edge.source === id ? edge.target : edge.source)
      return other ? [{ edge, other }] : []
    })
  // A service of an earlier release does not report this, and nothing depends on it.
  const { value } = useLoad(
    (signal) => (kind === 'entity' ? corpusAt(corpus, signal).entity(id) : Promise.resolve(undefined)),
    [corpus, id],
  )
  const details = value?.id === id ? value : undefined
  const brought = new Set(details?.relations?.flatMap((one) => (one.by.includes('brought') ? [one.id] : [])))
  const inGraph = kind !== 'question' && kind !== 'passage' && kind !== 'unit'
  const [name = '', ...rest] = textOf(spot).split('\n')
  return (
    <section class="card details" aria-label="Selected node" aria-live="polite">
      <p class="row">
        <span class="tag" data-kind={kind}>
          {kindWord(kind)}
          {layer > 0 ? ` · layer ${layer}` : ''}
        </span>
      </p>
      <p class="break">
        <strong>{clip(name || id, rest.length > 0 || name.length < TITLE ? TITLE : LETTERS)}</strong>
      </p>
      {rest.length > 0 && <p class="fine">{clip(rest.join(' '), LETTERS)}</p>}
      {spot.about && (
        <p class="fine">
          Another entity has this name; this one is from{' '}
          <a class="break" href={to(['c', corpus, 'd', spot.about.document])}>
            {spot.about.title}
          </a>
          .
        </p>
      )}
      {details && <EntityTold corpus={corpus} details={details} />}
      <p class="row wrap">
        {inGraph && (
          <button type="button" class="small" onClick={() => centre(id)}>
            Start from here
          </button>
        )}
        {kind === 'document' && <a href={to(['c', corpus, 'd', id])}>Open</a>}
        {kind === 'entity' && (
          <a href={to(['c', corpus, 'ask'], { q: `What is said about ${spot.about?.title ?? text}?` })}>Ask about it</a>
        )}
        {kind === 'entity' && lacking('write') === '' && (
          <a href={to(['c', corpus, 'explore'], { view: 'names', entity: nameOf(spot) })}>Correct this name</a>
        )}
      </p>
      {ties.length > 0 && (
        <ul class="plain ties" aria-label="Connected to">
          {ties.slice(0, SHOWN).map(({ edge, other }) => (
            <li key={edgeKey(edge)} class="row">
              <button type="button" class="node" data-kind={other.kind} onClick={() => select(other.id)}>
                <span class="fine">{tieWord(edge, id)}</span>
                <span class="grow">{clip(nameOf(other) || other.id, 50)}</span>
                {edge.kind === 'relates' && brought.has(other.id) && <span class="fine">brought</span>}
              </button>
              {isSaid(edge) && (
                <button
                  type="button"
                  class="small quiet"
                  aria-label={`Why: ${tieWord(edge, id)} ${clip(nameOf(other) || other.id, 50)}`}
                  onClick={() => show(edge)}
                >
                  Why
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {ties.length > SHOWN && <p class="fine">and {ties.length - SHOWN} more</p>}
    </section>
  )
}
