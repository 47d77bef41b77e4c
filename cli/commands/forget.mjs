/** `loam forget`: documents deleted, waited for until nothing of them is left. Plain: document, status, version of the receipt, chunks, edges. */
import { corpusPath } from '../client.mjs'
import { Failure, misuse } from '../failure.mjs'
import { underWay } from '../ingest/wait.mjs'
import { fields, many, safe } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

const LOOK = 30 // seconds one request waits

export async function run({ values, positionals, out, env }) {
  if (positionals.length === 0) throw misuse('which documents? loam forget <document>…')
  const { client, corpus } = connected({ values, env })
  const name = await chosen({ client, corpus })
  const ids = [...new Set(positionals)]
  const failed = []
  // All are asked for before the first is waited for: they are worked on together.
  const begun = []
  for (const id of ids) begun.push({ id, ...(await removed(client, name, id, failed)) })
  for (const { id, job } of begun.filter((one) => one.job)) {
    const view = await ended(client, name, job)
    if (view.status !== 'succeeded') failed.push(`${id}: its deletion has ${view.status}${view.error ? ` (${view.error})` : ''}`)
    out.result({ document: id, ...view }, { people: () => said(id, view), plain: () => plain(id, view) })
  }
  if (failed.length > 0) throw new Failure(failed.join('\n'))
}

/** A document that is not there does not keep the others. */
async function removed(client, name, id, failed) {
  try {
    return await client.call('DELETE', corpusPath(name, `/documents/${encodeURIComponent(id)}`))
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'document_not_found')) throw error
    failed.push(`${id}: there is no such document`)
    return {}
  }
}

async function ended(client, name, job) {
  for (;;) {
    const view = await client.call('GET', corpusPath(name, `/jobs/${encodeURIComponent(job)}`), { query: { wait: LOOK } })
    if (!underWay(view)) return view
  }
}

function said(id, { status, receipt }) {
  if (status !== 'succeeded' || !receipt) return `${safe(id)}: ${status}`
  const { chunks, edges, entities, summaries, communities } = receipt.touched
  const touched = `${many(chunks, 'chunk')}, ${many(entities, 'entity', 'entities')}, ${many(summaries, 'summary', 'summaries')}, ${many(communities, 'community', 'communities')}, ${many(edges, 'edge')}`
  return `${safe(id)} is forgotten: nothing of it is left. Version ${receipt.version} touched ${touched}.`
}

const plain = (id, { status, receipt }) => fields(id, status, receipt?.version, receipt?.touched.chunks, receipt?.touched.edges)
