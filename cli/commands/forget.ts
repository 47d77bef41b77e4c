/** `loam forget`: deletes documents, and waits until nothing of them is left. Plain: document, status, version of the receipt, chunks, edges. */
import { type CorpusClient, type Job, LoamError } from '../../src/client/client'
import { command, flag } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many, safe } from '../output'

const LOOK = 30 // seconds one request waits

export const forget = command(
  {
    usage: 'forget <document>…',
    summary: 'delete documents, wait until nothing remains, and show the receipt',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus, yes: flag('accepted for scripts: forget never asks', { short: 'y' }) },
    examples: ['loam forget docs/old.md', "loam search 'Project Raven' -k 50 | cut -f2 | sort -u | xargs loam forget"],
  },
  async ({ values, positionals, out, env }) => {
    if (positionals.length === 0) throw misuse('which documents? loam forget <document>…')
    const documents = await findCorpus(connect({ values, env }))
    const failed: string[] = []
    // All are requested before waiting for the first: they are worked on together.
    const jobs: { readonly id: string; readonly job: string }[] = []
    for (const id of new Set(positionals)) {
      const job = await remove(documents, id)
      if (job === undefined) failed.push(`${id}: there is no such document`)
      else jobs.push({ id, job })
    }
    for (const { id, job } of jobs) {
      const view = await waitForEnd(documents, job)
      if (view.status !== 'succeeded') failed.push(`${id}: its deletion has ${view.status}${view.error ? ` (${view.error})` : ''}`)
      out.result({ document: id, ...view }, { people: () => formatForgotten(id, view), plain: () => formatPlain(id, view) })
    }
    if (failed.length > 0) throw new Failure(failed.join('\n'))
  },
)

/** The job. Undefined: there is no such document, which does not stop the others. */
async function remove(corpus: CorpusClient, id: string): Promise<string | undefined> {
  try {
    return (await corpus.remove(id)).job
  } catch (error) {
    if (!(error instanceof LoamError && error.code === 'document_not_found')) throw error
    return undefined
  }
}

async function waitForEnd(corpus: CorpusClient, id: string): Promise<Job> {
  let last: Job | undefined
  for await (const job of corpus.watchJob(id, { seconds: LOOK })) last = job
  if (last === undefined) throw new Failure(`the job ${id} cannot be read with this key`)
  return last
}

function formatForgotten(id: string, { status, receipt }: Job): string {
  if (status !== 'succeeded' || !receipt) return `${safe(id)}: ${status}`
  const { chunks, edges, entities, summaries, communities } = receipt.touched
  const touched = `${many(chunks, 'chunk')}, ${many(entities, 'entity', 'entities')}, ${many(summaries, 'summary', 'summaries')}, ${many(communities, 'community', 'communities')}, ${many(edges, 'edge')}`
  const examples = receipt.examples_removed ?? 0
  const left = examples > 0 ? ` ${many(examples, 'worked example')} of it left the settings.` : ''
  return `${safe(id)} is forgotten: nothing of it is left. Version ${receipt.version} touched ${touched}.${left}`
}

const formatPlain = (id: string, { status, receipt }: Job): string =>
  fields(id, status, receipt?.version, receipt?.touched.chunks, receipt?.touched.edges)
