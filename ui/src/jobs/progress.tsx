/** The progress of work: a bar, and documents, chunks and texts counted separately, with the speed and the time left. */
import type { Job } from '../../../src/client/client'
import { count, duration } from '../shared/numbers'

const CHUNK = 10 // texts: about as much work as taking one chunk into the graph

type Known = Job['progress']

export function ProgressBar({ progress }: { readonly progress: Known }) {
  return (
    <span class="row" role="status">
      <progress max={1} value={shareOf(progress)} aria-label="Progress" />
      <span class="fine">{progressWords(progress) || 'queued'}</span>
    </span>
  )
}

export function progressWords({ done, total, documents, chunks, texts, rate, seconds_left: left }: Known): string {
  const of = (one: { done: number; total: number } | undefined, name: string): string =>
    one && one.total > 0 ? `${count(one.done)} of ${count(one.total)} ${name}` : ''
  const isEmbedding = texts !== undefined && texts.done < texts.total
  const speed = isEmbedding
    ? rate?.texts && `${count(Math.round(rate.texts))} texts a second`
    : rate?.chunks && `${count(Math.round(rate.chunks))} chunks a second`
  const counted = [
    of(documents, 'documents'),
    of(chunks, 'chunks'),
    texts && texts.total > 0 ? `${of(texts, 'texts')} embedded` : '',
    speed || '',
  ].filter(Boolean)
  const what = counted.length > 0 ? counted : [of({ done, total }, 'tasks')].filter(Boolean)
  return [...what, left ? `${duration(left * 1000)} left` : ''].filter(Boolean).join(', ')
}

/** Of several, each with its seconds or none that are known: work is done in turn, so the longest counts, and what is unknown comes on top. */
export function leftWords(seconds: readonly (number | undefined)[]): string {
  const known = seconds.flatMap((one) => one ?? [])
  if (known.length === 0) return ''
  return `${known.length < seconds.length ? 'at least' : 'about'} ${duration(Math.max(...known) * 1000)} left`
}

function shareOf({ done, total, chunks, texts }: Known): number {
  const work = (texts?.total ?? 0) + CHUNK * (chunks?.total ?? 0)
  if (work > 0) return ((texts?.done ?? 0) + CHUNK * (chunks?.done ?? 0)) / work
  return total > 0 ? done / total : 0
}
