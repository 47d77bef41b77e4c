/** Looks at everything once before anything is sent: how many documents, which are new, what they would cost. Keeps them if they are not too many. */
import { corpusPath, listed } from '../client.mjs'
import { forEstimate } from './batches.mjs'

const KEPT = 64 * 1024 * 1024 // bytes of text held in memory; beyond that files are read again
const LISTED = 20_000 // documents of a corpus that are listed to see which are there

/**
 * @param {{read: () => AsyncIterable<{document: object} | {skipped: string, why: string}>, priced: boolean, told?: (count: number) => void}} what
 *   `read` may be called again; `priced`: what they would cost is asked
 * @returns what there is, and `documents()` to go through it
 */
export async function survey({ client, corpus, read, priced, told = () => {} }) {
  const there = await present(client, corpus)
  const skipped = []
  const seen = new Set()
  let [count, known, size, kept] = [0, 0, 0, []]
  const totals = []
  const fresh = async function* () {
    for await (const one of read()) {
      if ('skipped' in one) {
        skipped.push(one)
        continue
      }
      told(++count)
      seen.add(one.document.id)
      size += Buffer.byteLength(one.document.text)
      if (size > KEPT) kept = undefined
      kept?.push(one.document)
      if (there.has(one.document.id)) known++
      else yield one.document
    }
  }
  for await (const batch of forEstimate(fresh())) {
    if (priced) totals.push(await client.call('POST', corpusPath(corpus.corpus, '/estimate'), { body: { documents: batch } }))
  }
  const documents = kept ? () => kept : () => again(read)
  return { count, known, size, skipped, twice: count - seen.size, documents, cost: priced ? costOf(totals) : undefined }
}

async function* again(read) {
  for await (const one of read()) if ('document' in one) yield one.document
}

async function present(client, { corpus, counts }) {
  const ids = new Set()
  if ((counts?.documents ?? 0) > LISTED) return ids
  for await (const { document } of listed(client, corpusPath(corpus, '/documents'))) ids.add(document)
  return ids
}

/** The corpus's own strategies together, as the service says it for each part of what there is. */
export function costOf(estimates) {
  const sum = (of) => estimates.reduce((total, one) => total + of(one), 0)
  return {
    tokens: sum(({ tokens }) => tokens),
    usd: sum(({ corpus }) => corpus.usd),
    least: sum(({ corpus }) => corpus.bounds.min.usd),
    most: sum(({ corpus }) => corpus.bounds.max.usd),
  }
}
