/** The service's progress, in words and as a share: documents, chunks and texts separately, how fast, and how long it will take. */
import type { Count, Progress } from '../../src/client/client'
import { seconds } from '../output'

const CHUNK = 10 // texts: about as much work as taking one chunk into the graph

export function formatProgress({ documents, chunks, texts, rate = {}, seconds_left: left }: Progress): string {
  const done = [
    formatCount(documents, 'documents'),
    formatCount(chunks, 'chunks'),
    texts.total > 0 ? `${formatCount(texts, 'texts')} embedded` : '',
  ]
  const speed = texts.done < texts.total ? rate.texts && `${round(rate.texts)} texts/s` : rate.chunks && `${round(rate.chunks)} chunks/s`
  return [...done, speed || '', left ? `${seconds(left * 1000)} left` : ''].filter(Boolean).join(', ')
}

/** Of all it has been given. */
export function shareOf({ chunks, texts }: Progress): number {
  const total = texts.total + CHUNK * chunks.total
  return total > 0 ? (texts.done + CHUNK * chunks.done) / total : 0
}

const round = (n: number): string => Math.round(n).toLocaleString('en')
const formatCount = ({ done, total }: Count, noun: string): string => (total > 0 ? `${round(done)} of ${round(total)} ${noun}` : '')
