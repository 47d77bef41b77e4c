/**
 * Figures for Prometheus: those of the deployment for admin keys of all corpora, those of the corpora that a key may see for any
 * admin key.
 */

import { partitionUids } from '../../corpus-uid'
import { EXPOSITION_TYPE, exposition } from '../../metrics/exposition'
import type { CorpusRecord } from '../../ports/catalogue'
import { noKey } from '../access'
import type { Ctx } from '../context'
import { optionalNumberOf } from '../cursor'
import { corporaSamples, countedSamples } from '../metrics-samples'
import type { Parameter, WholeNumber } from '../parameters'
import { hasCorpusNamed, visibleUids } from '../principal'
import { notFound } from '../problem'
import { route } from '../route'

const SHOWN = 100 // corpora that have series by default
const MAX_SHOWN = 500 // an object is asked for each, out of the 1,000 calls that an invocation may make
const COUNTED = 1000
const MAX_CALLS = 900 // to objects: a corpus in partitions has several

const corpora: WholeNumber = {
  name: 'corpora',
  in: 'query',
  description: `How many corpora have series of their own, by name; ${SHOWN} by default. With 0 no corpus object is woken.`,
  schema: { type: 'integer', minimum: 0, maximum: MAX_SHOWN },
}
const corpus: Parameter = {
  name: 'corpus',
  in: 'query',
  description: 'Only this corpus.',
  schema: { type: 'string' },
}
const EXAMPLE = `# HELP loam_documents Documents of a corpus.
# TYPE loam_documents gauge
loam_documents{corpus="manuals"} 3
`

export const metricsRoutes = [
  route({
    method: 'get',
    path: '/metrics',
    id: 'getMetrics',
    tag: 'service',
    summary: 'Get metrics for Prometheus',
    description:
      'Text format 0.0.4. For an admin key for all corpora, if METRICS is on: requests, latencies, model calls, tokens and neurons, refusals and cache hits of the deployment. For the corpora an admin key may see: jobs, documents, queues, outbox, index lag, budget and cost. No label contains anything from a document or a question.',
    access: 'admin',
    parameters: [corpora, corpus],
    answers: { 200: { description: 'The metrics.', type: EXPOSITION_TYPE, example: EXAMPLE } },
    problems: ['invalid', 'corpus_not_found'],
  }).answer(async (c) => {
    const principal = c.get('principal')
    if (!principal) throw noKey()
    const world = c.get('world')
    const { records, known } = await recordsOf(c)
    const own = principal.corpora === null ? await countedSamples(world) : {}
    const text = exposition({ ...own, ...(await corporaSamples(world, records, known)) })
    return { response: new Response(text, { headers: { 'content-type': EXPOSITION_TYPE } }) }
  }),
]

async function recordsOf(c: Ctx): Promise<{ readonly records: readonly CorpusRecord[]; readonly known: number }> {
  const principal = c.get('principal')
  const { catalogue } = c.get('world')
  const name = c.req.query('corpus')
  const visible = visibleUids(principal)
  if (name) {
    const record = principal && hasCorpusNamed(principal, name) ? await catalogue.corpus(name) : null
    if (!record || (visible !== null && !visible.includes(record.uid))) throw notFound('corpus')
    return { records: [record], known: 1 }
  }
  const shown = optionalNumberOf(c, corpora) ?? SHOWN
  const all = await catalogue.corpora(visible, '', COUNTED)
  return { records: withinCalls(all.slice(0, shown)), known: all.length }
}

function withinCalls(records: readonly CorpusRecord[]): readonly CorpusRecord[] {
  let calls = 0
  return records.filter(({ uid }) => {
    calls += 1 + partitionUids(uid).length
    return calls <= MAX_CALLS
  })
}
