/**
 * `loam repartition`: divides a corpus into partitions, or gives it another number of them, in place, and waits. Plain: job, kind, status, error. With
 * `--estimate`: documents, chunks, rows at least, rows at most, bytes, vectors, calls, dollars.
 */
import type { Job, RepartitionEstimate } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many } from '../output'
import { ended } from './reindex'

export const repartition = command(
  {
    usage: 'repartition <partitions>',
    summary:
      'divide a corpus into partitions, or into another number of them, in place, and wait; it answers and takes documents meanwhile',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      strategies: text(
        'those that the corpus keeps, such as erarag; none: an empty value. If it has none that partitions do not offer: all',
      ),
      estimate: flag('only show what it would write and cost'),
      detach: flag('do not wait'),
    },
    examples: [
      'loam repartition 16 -c large --estimate',
      'loam repartition 16 -c large',
      'loam repartition 8 -c grown --strategies erarag',
    ],
  },
  async ({ values, positionals: [count = ''], out, env }) => {
    if (!/^\d+$/.test(count)) throw misuse('say how many partitions it shall have, such as 16')
    const divided = await findCorpus(connect({ values, env }))
    if (values.estimate)
      return out.result(await divided.repartitionEstimate(Number(count)), { people: estimateForPeople, plain: estimatePlain })
    const kept = values.strategies?.split(',').flatMap((name) => name.trim() || [])
    const { job } = await divided.repartition(Number(count), kept)
    const view = values.detach ? await divided.job(job) : await ended(divided, job)
    out.result(view, { people: (one) => formatForPeople(one, count), plain: formatPlain })
    if (view.status === 'failed' || view.status === 'cancelled')
      throw new Failure(`repartition: the job has ${view.status}${view.error ? ` (${view.error})` : ''}`)
  },
)

function formatForPeople({ job, status, progress: { documents } }: Job, count: string): string {
  if (status === 'succeeded') return `repartition done: ${count} partitions`
  return `${job}: repartition ${status}, ${documents.done} of ${documents.total} documents; \`loam jobs ${job}\` shows how far it is`
}

const formatPlain = ({ job, kind, status, error }: Job): string => fields(job, kind, status, error)

function estimateForPeople({ from, to, job, estimate }: RepartitionEstimate): string {
  const { documents, chunks, rows, bytes, vectors, summaries } = estimate
  const held = `${Math.max(1, Math.round(bytes / 1e6))} MB of D1 and ${many(vectors, 'vector')} beside what is there until it is done`
  const calls =
    summaries.calls > 0 ? ` Summaries: at most about ${many(summaries.calls, 'call')} of the text model, $${summaries.usd.toFixed(4)}.` : ''
  const state = job ? ` The number is being changed (${job}).` : ''
  return `From ${from} to ${many(to, 'partition')}: ${many(documents, 'document')}, ${many(chunks, 'chunk')}; ${rows.min} to ${rows.max} rows written, ${held}.${calls}${state}`
}

const estimatePlain = ({ estimate: { documents, chunks, rows, bytes, vectors, summaries } }: RepartitionEstimate): string =>
  fields(documents, chunks, rows.min, rows.max, bytes, vectors, summaries.calls, summaries.usd)
