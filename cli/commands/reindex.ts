/** `loam reindex`: builds the graph of a corpus again from its documents, and waits. Plain: job, kind, status, version of the receipt, error. */
import type { CorpusClient, Job } from '../../src/client/client'
import { command, flag } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { fields } from '../output'

const LOOK = 30 // seconds one request waits
const KINDS = ['consolidate', 'rebuild', 'languages'] as const

export const reindex = command(
  {
    usage: 'reindex [corpus]',
    summary: 'build the graph of a corpus again from its documents, and wait for it; the old graph answers until then',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      consolidate: flag('instead, only the work that needs the whole graph'),
      rebuild: flag('the same, and send everything to the database and the vector index again'),
      languages: flag('instead, detect the languages of documents indexed before Loam recorded them'),
      detach: flag('do not wait'),
    },
    examples: ['loam reindex birds', 'loam reindex birds --rebuild --detach'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const asked = KINDS.filter((kind) => values[kind])
    if (asked.length > 1) throw misuse(`choose one of --${asked.join(' and --')}`)
    const connection = connect({ values, env })
    const whole = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    const [kind = 'reindex'] = asked
    const { job } = await (kind === 'languages' ? whole.detectLanguages() : whole.upkeep(kind))
    const view = values.detach ? await whole.job(job) : await ended(whole, job)
    out.result(view, { people: formatForPeople, plain: formatPlain })
    if (view.status === 'failed' || view.status === 'cancelled')
      throw new Failure(`${kind}: the job has ${view.status}${view.error ? ` (${view.error})` : ''}`)
  },
)

export async function ended(whole: CorpusClient, id: string): Promise<Job> {
  let last: Job | undefined
  for await (const job of whole.watchJob(id, { seconds: LOOK })) last = job
  if (last === undefined) throw new Failure(`the job ${id} cannot be seen`)
  return last
}

function formatForPeople({ job, kind, status, receipt }: Job): string {
  if (status !== 'succeeded') return `${job}: ${kind} ${status}; \`loam jobs ${job}\` shows how far it is`
  return `${kind} done${receipt ? `: version ${receipt.version}` : ''}`
}

const formatPlain = ({ job, kind, status, receipt, error }: Job): string => fields(job, kind, status, receipt?.version, error)
