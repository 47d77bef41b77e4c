/** What is said about an entity by a person who added it, by a document that brought it and by a model: its types, other names, and descriptions with the documents they were read from. */
import type { EntityDetails } from '../../../src/client/client'
import { to } from '../route'
import { when } from '../shared/numbers'

const SHOWN = 3 // descriptions at first

interface Props {
  readonly corpus: string
  readonly details: EntityDetails
}

export function EntityTold({ corpus, details }: Props) {
  const { also, types, people, descriptions } = details
  return (
    <>
      {types.length > 0 && <p class="fine">Type: {types.map(({ type, chunks }) => `${type} (${chunks})`).join(', ')}</p>}
      {people && (
        <p class="fine">
          Added by {people.by}, {when(people.at)}
          {people.type && `: ${people.type}`}
        </p>
      )}
      {people?.description && <p class="fine">{people.description}</p>}
      {also.length > 0 && <p class="fine">Also: {also.join(', ')}</p>}
      {descriptions.length > 0 && (
        <ul class="plain" aria-label="What is said about it">
          {descriptions.slice(0, SHOWN).map(({ text, document, by }) => (
            <li key={text} class="fine">
              {text} {by === 'brought' && 'Brought by '}
              <a href={to(['c', corpus, 'd', document])}>{document}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
