/** For how long a statement's wording before a new version of its document is kept and shown with answers. */
import type { Corpus } from '../../../src/client/client'
import { Changes } from '../library/changes'
import { count } from '../shared/numbers'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

const TIMES: readonly (readonly [days: number, word: string])[] = [
  [0, 'not at all'],
  [30, '30 days'],
  [365, 'a year'],
  [3650, 'ten years'],
]

export function Earlier({ corpus, change }: Props) {
  const days = daysOf(corpus)
  const times = TIMES.some(([one]) => one === days) ? TIMES : [...TIMES, [days, `${count(days)} days`] as const]
  return (
    <section class="card" aria-labelledby="earlier">
      <h2 id="earlier">What new versions changed</h2>
      <p class="fine">
        When a new version of a document changes a number, date or name in a sentence, answers can say what it said before. With a judge,
        they can do so for a sentence that is worded differently, and removed sentences are kept for that. Deleting the document deletes
        that too.
      </p>
      <label for="earlier-for">Keep what was changed</label>
      <select
        id="earlier-for"
        value={days}
        onChange={(event) => void change({ settings: { earlier: { days: Number(event.currentTarget.value) } } })}
      >
        {times.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
      {days > 0 && <Changes corpus={corpus.corpus} summary="Recent changes" />}
    </section>
  )
}

function daysOf({ settings }: Corpus): number {
  const { earlier } = settings as { readonly earlier?: { readonly days?: number } }
  return earlier?.days ?? 0
}
