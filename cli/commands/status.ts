/**
 * `loam status`: all corpora, or one with its jobs; `--watch` continues until nothing is in progress. Plain: name, status, version, documents; jobs
 * likewise.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Corpus, type CorpusClient, isUnderWay, type Job, type Loam } from '../../src/client/client'
import { command, flag } from '../command'
import { all, connect } from '../connect'
import { formatProgress } from '../ingest/progress'
import { corpus, service } from '../options'
import { fields, many } from '../output'

const PAUSE = 1000 // ms between two looks
const MAX_JOBS = 10 // of a corpus shown
const GONE: ReadonlySet<string> = new Set(['deleted', 'deleting'])

interface Status {
  readonly corpora: readonly Corpus[]
  readonly jobs: readonly Job[]
}

export const status = command(
  {
    usage: 'status [corpus]',
    summary: 'show all corpora, or one corpus and its jobs',
    maxWords: 1,
    options: { ...service, ...corpus, watch: flag('keep watching until nothing is in progress') },
    examples: ['loam status', 'loam status birds --watch'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const { loam } = connect({ values, env })
    const name = named ?? values.corpus ?? env.LOAM_CORPUS // a merely remembered corpus does not hide the others
    let before = ''
    for (;;) {
      const now = name ? await lookAt(loam.corpus(name)) : await lookAtAll(loam)
      const text = JSON.stringify(now)
      const clear = values.watch ? '\u001b[2J\u001b[H' : ''
      if (text !== before) out.result(now, { people: (seen) => clear + formatForPeople(seen), plain: formatPlain })
      before = text
      const isBusy = name ? now.jobs.some(isUnderWay) : now.corpora.some((one) => one.status === 'indexing')
      if (!values.watch || !isBusy) return
      await sleep(PAUSE)
    }
  },
)

async function lookAtAll(loam: Loam): Promise<Status> {
  return { corpora: await all((paging) => loam.corpora({ ...paging, deleted: true })), jobs: [] }
}

async function lookAt(corpus: CorpusClient): Promise<Status> {
  const view = await corpus.info()
  if (GONE.has(view.status)) return { corpora: [view], jobs: [] } // nothing else of it can be seen
  const { data } = await corpus.jobs({ limit: MAX_JOBS })
  return { corpora: [view], jobs: data }
}

const formatPlain = ({ corpora, jobs }: Status): string =>
  [
    ...corpora.map(({ corpus, status, version, counts }) => fields('corpus', corpus, status, version, counts?.documents)),
    ...jobs.map(({ job, kind, status, progress }) => fields('job', job, kind, status, progress.done, progress.total)),
  ].join('\n')

function formatForPeople({ corpora, jobs }: Status): string {
  if (corpora.length === 0) return 'No corpus yet; `loam init <corpus>` creates one.'
  return [...corpora.map(formatCorpus), ...(jobs.length ? ['', ...jobs.map(formatJob)] : [])].join('\n')
}

function formatCorpus({
  corpus,
  status,
  tuning,
  reranking,
  progress,
  version,
  counts = {},
  strategies = [],
  usage,
  gone_at,
}: Corpus): string {
  if (GONE.has(status)) return `${corpus}  ${gone_at ? `deleted, permanently at ${gone_at}` : 'being deleted'}`
  const counted = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n.toLocaleString('en')} ${kind}`)
  const spent = usage ? `, ${many(usage.in + usage.out + usage.embedded, 'token')} so far` : ''
  const under = progress ? `\n  ${formatProgress(progress)}` : ''
  return `${corpus}  ${status}${tuning ? ', tuning' : ''}, version ${version}${spent}${under}\n  ${strategies.join(', ')}${rerankingWords(reranking)}\n  ${counted.join(', ') || 'empty'}`
}

function rerankingWords(reranking: Corpus['reranking']): string {
  if (!reranking) return ''
  const { reranker, weight, measured } = reranking
  const said = !measured ? 'not measured yet' : weight === 0 ? 'not used: it gains nothing on the probes' : `${weight} of a score`
  return `\n  re-ranker ${reranker}: ${said}`
}

function formatJob(job: Job): string {
  const { progress, error } = job
  const detail = isUnderWay(job) && progress.documents ? `  ${formatProgress(progress)}` : ''
  return `  ${job.job}  ${job.kind} ${job.status} ${progress.done}/${progress.total}${detail}${error ? ` (${error})` : ''}`
}
