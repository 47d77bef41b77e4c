/** `loam jobs`, `loam cancel`, `loam retry`: work in progress and done, newest first. Plain: id, kind, status, done, total, error. */
import { type CorpusClient, isUnderWay, type Job } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { formatProgress } from '../ingest/progress'
import { corpus, service } from '../options'
import { fields, type Output } from '../output'
import { wholeNumber } from '../question'
import { table } from '../table'

const LIMIT = '20' // jobs shown unless said

export const jobs = command(
  {
    usage: 'jobs [job]',
    summary: 'list jobs, newest first, or show one',
    maxWords: 1,
    options: { ...service, ...corpus, limit: text(`at most this many (${LIMIT})`) },
    examples: ['loam jobs', 'loam jobs j_7f3a --json | jq .receipt'],
  },
  async ({ values, positionals: [id], out, env }) => {
    const limit = wholeNumber('limit', values.limit ?? LIMIT)
    const listed = await findCorpus(connect({ values, env }))
    if (id !== undefined) return show(await listed.job(id), out)
    const { data } = await listed.jobs({ limit })
    out.result(data, {
      people: (rows) =>
        rows.length === 0
          ? 'No jobs yet; `loam ingest` takes files in.'
          : table(
              ['job', 'kind', 'status', 'tasks', ''],
              rows.map((one) => [one.job, one.kind, one.status, `${one.progress.done}/${one.progress.total}`, detailOf(one)]),
              out,
            ),
      plain: (rows) => rows.map(formatPlain).join('\n'),
    })
  },
)

export const cancel = change('cancel', 'cancel a job in progress', (listed, id) => listed.cancel(id))
export const retry = change('retry', 'retry a failed job, or one that is waiting for budget', (listed, id) => listed.retry(id))

function change(name: string, summary: string, call: (listed: CorpusClient, id: string) => Promise<Job>) {
  return command(
    { usage: `${name} <job>`, summary, maxWords: 1, options: { ...service, ...corpus }, examples: [`loam ${name} j_7f3a`] },
    async ({ values, positionals: [id], out, env }) => {
      if (!id) throw misuse(`which job? loam ${name} <job>; \`loam jobs\` lists them`)
      show(await call(await findCorpus(connect({ values, env })), id), out)
    },
  )
}

function show(shown: Job, out: Output): void {
  out.result(shown, {
    people: (one) =>
      `${one.job}  ${one.kind} ${one.status}, ${one.progress.done} of ${one.progress.total} tasks\n${detailOf(one)}`.trimEnd(),
    plain: formatPlain,
  })
}

const formatPlain = ({ job, kind, status, progress, error }: Job): string => fields(job, kind, status, progress.done, progress.total, error)
const detailOf = (one: Job): string => one.error ?? (isUnderWay(one) && one.progress.documents ? formatProgress(one.progress) : '')
