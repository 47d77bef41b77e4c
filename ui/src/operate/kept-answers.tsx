/** For how long whole answers are kept for anyone who asks the same, and what that has saved. */
import type { Corpus } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { count, dollars, plural } from '../shared/numbers'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

const TIMES: readonly (readonly [seconds: number, word: string])[] = [
  [0, 'not at all'],
  [300, 'five minutes'],
  [3600, 'an hour'],
  [86_400, 'a day'],
  [604_800, 'a week'],
]

export function KeptAnswers({ corpus, change }: Props) {
  const { value } = useLoad((signal) => corpusAt(corpus.corpus, signal).usage({ limit: 1 }), [corpus])
  const seconds = secondsOf(corpus)
  const times = TIMES.some(([one]) => one === seconds) ? TIMES : [...TIMES, [seconds, `${count(seconds)} seconds`] as const]
  const { hits = 0, misses = 0, saved } = value?.answers ?? {}
  return (
    <section class="card" aria-labelledby="kept-answers">
      <h2 id="kept-answers">Cached answers</h2>
      <p class="fine">
        Anyone who asks the same question with the same rights gets the same answer, at once and free of charge, until the corpus changes.
      </p>
      <label for="kept-for">Keep an answer</label>
      <select
        id="kept-for"
        value={seconds}
        onChange={(event) => void change({ settings: { answers: { seconds: Number(event.currentTarget.value) } } })}
      >
        {times.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
      {hits + misses > 0 && saved && (
        <p class="fine">
          {plural(hits, 'question')} answered this way, {count(misses)} not found; saved {count(saved.in + saved.out + saved.embedded)}{' '}
          tokens, {dollars(saved.usd)}.
        </p>
      )}
    </section>
  )
}

function secondsOf({ settings }: Corpus): number {
  const { answers } = settings as { readonly answers?: { readonly seconds?: number } }
  return answers?.seconds ?? 0
}
