/** How far the service is, in words and as a share: documents, chunks and texts apart, how fast, and how long it will take. */
import { seconds } from '../output.mjs'

const CHUNK = 10 // texts: about as much work as taking one chunk into the graph

/** @param {{documents: Count, chunks: Count, texts: Count, rate?: {texts?: number, chunks?: number}, seconds_left?: number}} progress */
export function progressSaid({ documents, chunks, texts, rate = {}, seconds_left: left }) {
  const said = [of(documents, 'documents'), of(chunks, 'chunks'), texts.total > 0 ? `${of(texts, 'texts')} embedded` : '']
  const fast = texts.done < texts.total ? rate.texts && `${number(rate.texts)} texts/s` : rate.chunks && `${number(rate.chunks)} chunks/s`
  return [...said, fast || '', left ? `${seconds(left * 1000)} left` : ''].filter(Boolean).join(', ')
}

/** Of all it has been given. */
export function shareOf({ chunks, texts }) {
  const total = texts.total + CHUNK * chunks.total
  return total > 0 ? (texts.done + CHUNK * chunks.done) / total : 0
}

const number = (n) => Math.round(n).toLocaleString('en')
const of = ({ done, total }, name) => (total > 0 ? `${number(done)} of ${number(total)} ${name}` : '')
