/** Sending and waiting side by side, with one bar for both. */
import { corpusPath, listed } from '../client.mjs'
import { interrupted } from '../failure.mjs'
import { seconds } from '../output.mjs'
import { batches } from './batches.mjs'
import { send } from './send.mjs'
import { line, settle, underWay } from './wait.mjs'

/** An interruption stops both; what was accepted goes on in the service. */
export async function sent({ client, corpus, found, parallel, values, out, began, now }) {
  const [abort, jobs] = [new AbortController(), line()]
  const state = { accepted: 0, unchanged: 0, indexed: 0, refused: [], failed: [], jobs: [], tokens: 0 }
  const stop = () => abort.abort(interrupted('interrupted; what was accepted goes on, and the same command again continues'))
  process.once('SIGINT', stop) // a second one ends the process
  const show = (share = 0, last = false) => out.progress(progressOf({ ...state, count: found.count, share, last, ms: now() - began }))
  const sending = send({
    client,
    corpus,
    batches: batches(found.documents()),
    parallel,
    signal: abort.signal,
    told({ job, documents, unchanged, refused }) {
      state.accepted += documents - unchanged - refused.length
      state.unchanged += unchanged
      state.refused.push(...refused)
      if (job) {
        state.jobs.push(job)
        jobs.add({ job, documents: documents - unchanged })
      }
      show()
    },
  }).finally(jobs.close)
  const waiting = settle({
    client,
    corpus,
    jobs: values.wait === 'accepted' ? { take: async () => undefined } : jobs,
    signal: abort.signal,
    told({ job, documents, view, share }) {
      show(share * documents)
      if (underWay(view)) return
      state.tokens += view.usage.in + view.usage.out + view.usage.embedded
      if (view.status === 'succeeded') state.indexed += documents
      else state.failed.push(job)
    },
  })
  try {
    await Promise.all([sending, waiting])
    // What an interrupted run had sent counts as unchanged now, and may still be on its way.
    if (values.wait !== 'accepted' && state.unchanged > 0) await others(client, corpus, abort.signal)
    show(0, true)
    return state
  } catch (error) {
    abort.abort(error) // neither goes on without the other
    await Promise.allSettled([sending, waiting])
    show(0, true)
    throw abort.signal.reason
  } finally {
    process.off('SIGINT', stop)
  }
}

async function others(client, corpus, signal) {
  if ((await client.call('GET', corpusPath(corpus), { signal })).status === 'settled') return
  const jobs = listed(client, corpusPath(corpus, '/jobs'))
  const take = async () => {
    for (let { value, done } = await jobs.next(); !done; { value, done } = await jobs.next()) if (underWay(value)) return { job: value.job }
    return undefined
  }
  await settle({ client, corpus, jobs: { take }, signal, told: () => {} })
}

function progressOf({ accepted, unchanged, refused, indexed, count, share, last, ms }) {
  const there = unchanged + refused.length
  const ready = Math.floor(Math.min(indexed + share, accepted))
  return {
    share: (there + accepted * 0.1 + ready * 0.9) / count, // indexing takes most of the time
    says: `sent ${accepted + there} of ${count}, indexed ${ready + unchanged}, ${seconds(ms)}`,
    last,
  }
}
