/** `loam repartition`: gives a corpus in partitions another number of them, in place, and waits. Plain: job, kind, status, error. */
import type { Job } from '../../src/client/client'
import { command, flag } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { fields } from '../output'
import { ended } from './reindex'

export const repartition = command(
  {
    usage: 'repartition <partitions>',
    summary: 'give a corpus in partitions another number of them, in place, and wait; it answers and takes documents meanwhile',
    maxWords: 1,
    options: { ...service, ...corpus, detach: flag('do not wait') },
    examples: ['loam repartition 16 -c large', 'loam repartition 16 -c large --detach'],
  },
  async ({ values, positionals: [count = ''], out, env }) => {
    if (!/^\d+$/.test(count)) throw misuse('say how many partitions it shall have, such as 16')
    const divided = await findCorpus(connect({ values, env }))
    const { job } = await divided.repartition(Number(count))
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
