/** A running Loam for benches: started by the same code as `npm start`, in a state folder of its own, and called over HTTP. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Loam as Client, type Corpus, type CorpusClient, type NewBatch, type NewCorpus, type Receipt } from '../../src/client/client'

const LOOK = 20 // seconds one request waits for a job

export interface Loam {
  readonly url: string
  readonly key: string
  /** Nothing is repeated: what is measured is one call. */
  readonly client: Client
  memory(): Promise<Memory>
  /** What everything is kept in, until it is stopped. */
  readonly state: string
  /** Ends it; what it kept stays. */
  end(): Promise<void>
  /** Ends it, and clears away what it kept. */
  stop(): Promise<void>
}

/** Of the product's isolate, at most since it was started; bytes (scripts/lib/memory.mjs). */
export interface Memory {
  readonly heap: number
  readonly buffers: number
  /** Both, after collections of everything. */
  readonly live: number
  /** Both, after any collection, with what is no longer reachable. */
  readonly held: number
  readonly collections: number
  /** Of the runtime, which ends where an isolate is too large. */
  readonly restarts: number
}

interface Started {
  readonly url: string
  readonly key: string
  memory(): Promise<Memory>
  stop(): Promise<void>
}

/** `embeddings: 'hash'` computes them in the stand-in in microseconds, so that what is measured is Loam; `'real'` runs the encoder. */
export async function start(embeddings: 'hash' | 'real', env: { readonly [name: string]: string } = {}): Promise<Loam> {
  const root = process.cwd()
  const path = join(root, 'scripts/lib/start-loam.mjs')
  const { startLoam } = (await import(path)) as { startLoam(options: unknown): Promise<Started> }
  const state = join(root, '.loam', `bench-${process.pid}-${embeddings}`)
  const model = embeddings === 'hash' ? { LOCAL_MODEL_URL: 'hash' } : {}
  const started = await startLoam({ port: 0, state, quiet: true, env: { ...process.env, LOCAL_AI_RATES: 'off', ...model, ...env } })
  return {
    url: started.url,
    key: started.key,
    client: new Client({ url: started.url, key: started.key, retries: 0 }),
    memory: started.memory,
    state,
    end: started.stop,
    stop: async () => {
      await started.stop()
      rmSync(state, { recursive: true, force: true })
    },
  }
}

/** As they are named on the command line; the service refuses others. */
export const asStrategies = (names: readonly string[]) => names as NonNullable<NewCorpus['strategies']>

/** Puts documents in as one batch and waits for the job. */
export async function ingest(
  corpus: CorpusClient,
  upserts: NonNullable<NewBatch['upserts']>,
): Promise<{ readonly receipt: Receipt; readonly seconds: number }> {
  const since = performance.now()
  const { job } = await corpus.batch({ upserts })
  return { receipt: await receiptOf(corpus, job), seconds: (performance.now() - since) / 1000 }
}

/** What the schedule does when enough has changed: channels are measured, keywords published, layers built. */
export async function consolidate(corpus: CorpusClient): Promise<void> {
  const { job } = await corpus.upkeep('consolidate')
  await receiptOf(corpus, job)
}

export async function receiptOf(corpus: CorpusClient, job: string | undefined): Promise<Receipt> {
  if (job === undefined) throw new Error('nothing has changed')
  for await (const { status, receipt, error } of corpus.watchJob(job, { seconds: LOOK })) {
    if (status === 'failed') throw new Error(`the job failed: ${error}`)
    if (receipt) return receipt
  }
  throw new Error('the job left no receipt')
}

/** Until nothing is under way. */
export async function settled(corpus: CorpusClient, pause: number): Promise<Corpus> {
  for (;;) {
    const view = await corpus.info()
    if (view.status === 'settled') return view
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}
