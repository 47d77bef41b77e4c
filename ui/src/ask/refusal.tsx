/** A refusal, with the nearest sentences of the documents. */
import type { Nearest } from '../../../src/client/client'
import { clip } from '../shared/numbers'
import type { Place } from './source-panel'

const SHOWN = 200 // characters of a sentence

interface Props {
  readonly answer: string
  readonly nearest: readonly Nearest[]
  readonly open: (place: Place) => void
}

export function Refusal({ answer, nearest, open }: Props) {
  return (
    <div class="answer refusal">
      <p dir="auto">{answer}</p>
      {nearest.length > 0 && (
        <section aria-label="Nearest">
          <p class="fine">The closest sentences in the documents:</p>
          <ul class="plain">
            {nearest.map((one) => (
              <li key={`${one.id}-${one.start}`}>
                <button type="button" class="small quiet quoted" dir="auto" onClick={() => open(one)}>
                  “{clip(one.quote, SHOWN)}”
                </button>{' '}
                <bdi class="fine">{one.title || one.document}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
