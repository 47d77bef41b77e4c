/** What is said about an entity by a person who added it and by a model: its types, other names, and descriptions with the documents they were read from. */
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { when } from '../shared/numbers'

const SHOWN = 3 // descriptions at first

export function EntityTold({ corpus, id }: { readonly corpus: string; readonly id: string }) {
  const { value } = useLoad((signal) => corpusAt(corpus, signal).entity(id), [corpus, id])
  if (!value) return null // a service of an earlier release does not report this, and nothing depends on it
  const { also, types, people, descriptions } = value
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
          {descriptions.slice(0, SHOWN).map(({ text, document }) => (
            <li key={text} class="fine">
              {text} <a href={to(['c', corpus, 'd', document])}>{document}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
