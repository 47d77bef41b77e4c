/** The way of documents from wherever they are read to "they can be found": survey, question, sending, waiting, one summary. */
import { corpusPath, listed } from '../client.mjs'
import { Failure, interrupted } from '../failure.mjs'
import { fields, many, seconds } from '../output.mjs'
import { agreed } from '../question.mjs'
import { wholeNumber } from '../request.mjs'
import { batches } from './batches.mjs'
import { made } from './made.mjs'
import { send } from './send.mjs'
import { survey } from './survey.mjs'
import { line, settle, underWay } from './wait.mjs'

const PARALLEL = 4
const SHOWN = 20 // skipped or refused documents named at the end

/** @param {{client: object, corpus: string, read: () => AsyncIterable<object>, values: object, out: object, stdin: object}} what */
export async function takeIn({ client, corpus, read, values, out, stdin, now = () => Date.now() }) {
  const parallel = wholeNumber('parallel', values.parallel ?? String(PARALLEL))
  const target = await made(client, corpus, out)
  const found = await survey({ client, corpus: target, read, priced: values.yes !== true })
  for (const { skipped, why } of found.skipped.slice(0, SHOWN)) out.note(`left out: ${skipped} (${why})`)
  if (found.twice > 0)
    out.note(`${many(found.twice, 'id comes', 'ids come')} more than once; the last document of an id stays (--prefix keeps folders apart)`)
  if (found.count === 0) throw new Failure('there is nothing to take in')
  if (!(await agreedTo(found, { out, stdin }))) return
  const began = now()
  const summary = await sent({ client, corpus, found, parallel, values, out, began, now })
  const whole = { corpus, documents: found.count, ...summary, skipped: found.skipped, ms: now() - began }
  out.result(whole, {
    people: said,
    plain: (all) => fields('documents', all.documents, all.accepted, all.unchanged, all.refused.length, all.skipped.length),
  })
  if (summary.failed.length) throw new Failure(`${many(summary.failed.length, 'job')} failed: ${summary.failed.slice(0, SHOWN).join(', ')}`)
  if (summary.refused.length || found.skipped.length) process.exitCode = 1
}

async function agreedTo({ count, known, size, cost }, { out, stdin }) {
  out.note(
    `${many(count, 'document')}, ${(size / 1e6).toFixed(1)} MB of text${known ? `; ${many(known, 'is', 'are')} here already, and cost nothing where unchanged` : ''}`,
  )
  if (!cost || count === known) return true
  const price = cost.most === 0 ? 'free here' : `${usd(cost.usd)} (${usd(cost.least)} to ${usd(cost.most)})`
  out.note(`the new ones: some ${many(cost.tokens, 'token')}, ${price}`)
  return (
    cost.most === 0 ||
    agreed('Take them in?', { stdin, otherwise: 'this may cost money and nobody can be asked here; --yes goes on without' })
  )
}

const usd = (amount) => `$${amount < 0.01 && amount > 0 ? '<0.01' : amount.toFixed(2)}`.replace('$<', '<$')

/** Sending and waiting side by side. An interruption stops both; what was accepted goes on in the service. */
async function sent({ client, corpus, found, parallel, values, out, began, now }) {
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

function said({ accepted, unchanged, indexed, refused, skipped, tokens, ms }) {
  return [
    `${many(accepted, 'document')} taken in${indexed === accepted ? '' : `, ${indexed} indexed so far`}, ${unchanged} unchanged, in ${seconds(ms)}; ${many(tokens, 'token')}`,
    ...refused.slice(0, SHOWN).map(({ id, why }) => `refused: ${id} (${why})`),
    ...(skipped.length ? [`${many(skipped.length, 'file')} left out`] : []),
  ].join('\n')
}
