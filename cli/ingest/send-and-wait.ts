/** Sending and waiting at the same time, with one bar for both. */
import { type CorpusClient, isUnderWay, type Job, type Progress } from '../../src/client/client'
import { list } from '../connect'
import type { Many, SourceDocument } from '../documents'
import { interrupted } from '../failure'
import type { Progress as Bar, Output } from '../output'
import { seconds } from '../output'
import { boundsFor, toBatches } from './batches'
import { formatProgress, shareOf } from './progress'
import { type Refused, type Sent, send } from './send'
import type { Tally } from './tally'
import { createQueue, type Look, type Waited, waitForJobs } from './wait-for-jobs'

interface Plan {
  readonly corpus: CorpusClient
  /** The tally may grow while documents are read. */
  readonly found: { readonly tally: Pick<Tally, 'count'>; documents(): Many<SourceDocument> }
  readonly parallel: number
  /** Of a chunk, in tokens, if the service says it. */
  readonly chunkTokens?: number | undefined
  /** Waits until what was sent is indexed; otherwise only until it is accepted. */
  readonly isIndexed: boolean
  readonly out: Pick<Output, 'progress'>
  readonly began: number
  readonly now: () => number
}

export interface Summary {
  /** The service's own. Null: not looked at; undefined: nothing is under way. */
  readonly progress: Progress | null | undefined
  readonly accepted: number
  readonly unchanged: number
  readonly indexed: number
  readonly refused: readonly Refused[]
  readonly failed: readonly string[]
  readonly jobs: readonly string[]
  readonly tokens: number
}

interface State extends Summary {
  progress: Progress | null | undefined
  accepted: number
  unchanged: number
  indexed: number
  tokens: number
  readonly refused: Refused[]
  readonly failed: string[]
  readonly jobs: string[]
}

/** An interruption stops both; what was accepted continues in the service. */
export async function sendAndWait({ corpus, found, parallel, chunkTokens, isIndexed, out, began, now }: Plan): Promise<Summary> {
  const [abort, queue] = [new AbortController(), createQueue<Waited>()]
  const { signal } = abort
  const state: State = { progress: null, accepted: 0, unchanged: 0, indexed: 0, refused: [], failed: [], jobs: [], tokens: 0 }
  const stop = (): void => abort.abort(interrupted('interrupted; what was accepted is still indexed, and the same command again continues'))
  process.once('SIGINT', stop) // a second one ends the process
  let share = 0 // never falls, though more may be read while the first is sent
  const show = (isLast = false): void => {
    const bar = barOf(state, { count: found.tally.count, isLast, ms: now() - began })
    share = Math.max(share, bar.share)
    out.progress({ ...bar, share })
  }
  const onProgress = ({ progress }: Pick<Look, 'progress'>): void => {
    state.progress = progress
    show()
  }
  const onSent = ({ job, documents, unchanged, refused }: Sent): void => {
    state.accepted += documents - unchanged - refused.length
    state.unchanged += unchanged
    state.refused.push(...refused)
    if (job) {
      state.jobs.push(job)
      queue.add({ job, documents: documents - unchanged })
    }
    show()
  }
  const onLook = (look: Look): void => {
    onProgress(look)
    const { view } = look
    if (isUnderWay(view)) return
    state.tokens += view.usage.in + view.usage.out + view.usage.embedded
    if (view.status === 'succeeded') state.indexed += look.documents
    else state.failed.push(look.job)
  }
  const batches = toBatches(found.documents(), chunkTokens === undefined ? undefined : boundsFor(chunkTokens))
  const sending = send({ corpus, batches, parallel, signal, onSent }).finally(queue.close)
  const waiting = isIndexed ? waitForJobs({ corpus, take: queue.take, signal, onLook }) : Promise.resolve()
  try {
    await Promise.all([sending, waiting])
    // What an interrupted run had sent counts as unchanged now, and may still be in progress.
    if (isIndexed && state.unchanged > 0) await waitForOthers(corpus, signal, onProgress)
    if (isIndexed) state.progress = undefined // the last report is older than the end
    show(true)
    return state
  } catch (error) {
    abort.abort(error) // neither continues without the other
    await Promise.allSettled([sending, waiting])
    show(true)
    throw signal.reason
  } finally {
    process.off('SIGINT', stop)
  }
}

async function waitForOthers(corpus: CorpusClient, signal: AbortSignal, onLook: (look: Look) => void): Promise<void> {
  if ((await corpus.info({ signal })).status === 'settled') return
  const jobs = list((paging) => corpus.jobs(paging))
  const take = async (): Promise<Waited | undefined> => {
    for (let next = await jobs.next(); !next.done; next = await jobs.next()) {
      const job: Job = next.value
      if (isUnderWay(job)) return { job: job.job, documents: 0 }
    }
    return undefined
  }
  await waitForJobs({ corpus, take, signal, onLook })
}

interface Moment {
  readonly count: number
  readonly isLast: boolean
  readonly ms: number
}

function barOf({ accepted, unchanged, refused, progress }: State, { count, isLast, ms }: Moment): Bar {
  const given = accepted + unchanged
  // What an interrupted run had sent is unchanged now, and may still be in progress: the service knows.
  const coming = progress ? progress.documents.total - progress.documents.done : progress === null && !isLast ? accepted : 0
  const indexed = Math.max(0, given - coming)
  const work = progress ? shareOf(progress) : indexed / Math.max(1, given)
  return {
    share: ((given + refused.length) / Math.max(1, count)) * (0.1 + 0.9 * work), // indexing takes most of the time
    text: [`sent ${given + refused.length} of ${count}, indexed ${indexed}`, progress ? formatProgress(progress) : '', seconds(ms)]
      .filter(Boolean)
      .join('; '),
    isLast,
  }
}
