/** Sending and waiting side by side, with one bar for both. */
import { corpusPath, listed } from '../client.mjs'
import { interrupted } from '../failure.mjs'
import { seconds } from '../output.mjs'
import { batches } from './batches.mjs'
import { progressSaid, shareOf } from './progress.mjs'
import { send } from './send.mjs'
import { line, settle, underWay } from './wait.mjs'

/** An interruption stops both; what was accepted goes on in the service. */
export async function sent({ client, corpus, found, parallel, values, out, began, now }) {
  const [abort, jobs] = [new AbortController(), line()]
  const state = { progress: null, accepted: 0, unchanged: 0, indexed: 0, refused: [], failed: [], jobs: [], tokens: 0 }
  const stop = () => abort.abort(interrupted('interrupted; what was accepted goes on, and the same command again continues'))
  process.once('SIGINT', stop) // a second one ends the process
  const show = (last = false) => out.progress(barOf({ ...state, count: found.count, last, ms: now() - began }))
  const looked = ({ progress }) => {
    state.progress = progress
    show()
  }
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
    told({ job, documents, view, progress }) {
      looked({ progress })
      if (underWay(view)) return
      state.tokens += view.usage.in + view.usage.out + view.usage.embedded
      if (view.status === 'succeeded') state.indexed += documents
      else state.failed.push(job)
    },
  })
  try {
    await Promise.all([sending, waiting])
    // What an interrupted run had sent counts as unchanged now, and may still be on its way.
    if (values.wait !== 'accepted' && state.unchanged > 0) await others({ client, corpus, signal: abort.signal, told: looked })
    show(true)
    return state
  } catch (error) {
    abort.abort(error) // neither goes on without the other
    await Promise.allSettled([sending, waiting])
    show(true)
    throw abort.signal.reason
  } finally {
    process.off('SIGINT', stop)
  }
}

async function others({ client, corpus, signal, told }) {
  if ((await client.call('GET', corpusPath(corpus), { signal })).status === 'settled') return
  const jobs = listed(client, corpusPath(corpus, '/jobs'))
  const take = async () => {
    for (let { value, done } = await jobs.next(); !done; { value, done } = await jobs.next()) if (underWay(value)) return { job: value.job }
    return undefined
  }
  await settle({ client, corpus, jobs: { take }, signal, told })
}

function barOf({ accepted, unchanged, refused, progress, count, last, ms }) {
  const given = accepted + unchanged
  // What an interrupted run had sent is unchanged now, and may still be on its way: the service knows.
  const coming = progress ? progress.documents.total - progress.documents.done : progress === null && !last ? accepted : 0 // null: not asked yet
  const indexed = Math.max(0, given - coming)
  const work = progress ? shareOf(progress) : indexed / Math.max(1, given)
  return {
    share: ((given + refused.length) / count) * (0.1 + 0.9 * work), // indexing takes most of the time
    says: [`sent ${given + refused.length} of ${count}, indexed ${indexed}`, progress ? progressSaid(progress) : '', seconds(ms)]
      .filter(Boolean)
      .join('; '),
    last,
  }
}
