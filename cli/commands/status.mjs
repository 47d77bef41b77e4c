/** `loam status`: all corpora, or one with its jobs; `--watch` looks until nothing is under way. Plain: name, status, version, documents; jobs likewise. */
import { setTimeout as sleep } from 'node:timers/promises'
import { corpusPath, listed } from '../client.mjs'
import { progressSaid } from '../ingest/progress.mjs'
import { fields, many } from '../output.mjs'
import { connected } from '../settings.mjs'

const OFTEN = 1000 // ms between two looks
const GONE = new Set(['deleted', 'deleting'])
const UNDER_WAY = new Set(['queued', 'running'])

export async function run({ values, positionals, out, env }) {
  const { client } = connected({ values, env })
  const corpus = positionals[0] ?? values.corpus ?? env.LOAM_CORPUS // one that is merely remembered does not hide the others
  let before = ''
  for (;;) {
    const seen = corpus ? await one(client, corpus) : await all(client)
    const said = JSON.stringify(seen)
    if (said !== before) out.result(seen, { people: (now) => (values.watch ? `\u001b[2J\u001b[H${people(now)}` : people(now)), plain })
    before = said
    const busy = corpus ? seen.jobs.some(({ status }) => UNDER_WAY.has(status)) : seen.corpora.some(({ status }) => status === 'indexing')
    if (!values.watch || !busy) return
    await sleep(OFTEN)
  }
}

async function all(client) {
  const corpora = []
  for await (const corpus of listed(client, '/v1/corpora', { deleted: true })) corpora.push(corpus)
  return { corpora, jobs: [] }
}

async function one(client, name) {
  const corpus = await client.call('GET', corpusPath(name))
  if (GONE.has(corpus.status)) return { corpora: [corpus], jobs: [] } // nothing else of it can be seen
  const { data } = await client.call('GET', corpusPath(name, '/jobs'), { query: { limit: 10 } })
  return { corpora: [corpus], jobs: data }
}

const plain = ({ corpora, jobs }) =>
  [
    ...corpora.map(({ corpus, status, version, counts }) => fields('corpus', corpus, status, version, counts?.documents)),
    ...jobs.map(({ job, kind, status, progress }) => fields('job', job, kind, status, progress.done, progress.total)),
  ].join('\n')

function people({ corpora, jobs }) {
  if (corpora.length === 0) return 'No corpus yet; `loam init <corpus>` makes one.'
  return [...corpora.map(corpusSaid), ...(jobs.length ? ['', ...jobs.map(jobSaid)] : [])].join('\n')
}

function corpusSaid({ corpus, status, tuning, progress, version, counts = {}, strategies = [], usage, gone_at }) {
  if (GONE.has(status)) return `${corpus}  ${gone_at ? `deleted, goes for good at ${gone_at}` : 'being deleted'}`
  const counted = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n.toLocaleString('en')} ${kind}`)
  const spent = usage ? `, ${many(usage.in + usage.out + usage.embedded, 'token')} so far` : ''
  const under = progress ? `\n  ${progressSaid(progress)}` : ''
  return `${corpus}  ${status}${tuning ? ', tuning' : ''}, version ${version}${spent}${under}\n  ${strategies.join(', ')}\n  ${counted.join(', ') || 'empty'}`
}

const jobSaid = ({ job, kind, status, progress, error }) =>
  `  ${job}  ${kind} ${status} ${progress.done}/${progress.total}${UNDER_WAY.has(status) ? detail(progress) : ''}${error ? ` (${error})` : ''}`

const detail = (progress) => (progress.documents ? `  ${progressSaid(progress)}` : '')
