/** What was found, counted by the values of its documents' metadata; a click narrows the question to one. */
import type { SearchResult } from '../../../src/client/client'
import { facetName, LANGUAGE, languageName } from '../shared/languages'

interface Props {
  readonly facets: NonNullable<SearchResult['facets']>
  readonly narrow: (key: string, value: string) => void
}

export function Facets({ facets, narrow }: Props) {
  const keys = Object.entries(facets)
  return (
    <>
      {keys.map(([key, values]) => (
        <fieldset class="row wrap facets" key={key}>
          <legend class="fine">{facetName(key)}</legend>
          {values.length === 0 && <span class="fine">no result has it</span>}
          {values.map(({ value, documents }) => (
            <button
              key={JSON.stringify(value)}
              type="button"
              class="small"
              title={`Ask again, only where ${facetName(key)} is ${nameOf(key, value)}`}
              onClick={() => narrow(key, String(value))}
            >
              {nameOf(key, value)} <span class="fine">{documents}</span>
            </button>
          ))}
        </fieldset>
      ))}
    </>
  )
}

const nameOf = (key: string, value: unknown): string => (key === LANGUAGE ? languageName(String(value)) : String(value))
