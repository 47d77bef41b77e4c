/** A running Loam for benches: started by the same code as `npm start`, in a state folder of its own, and asked over HTTP. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Loam {
  readonly url: string
  readonly key: string
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  memory(): Promise<Memory>
  /** What everything is kept in, until it is stopped. */
  readonly state: string
  stop(): Promise<void>
}

export interface Receipt {
  readonly rows_written: number
  readonly ms: number
  readonly touched: { readonly [kind: string]: number }
  readonly tokens: { readonly embedded: number }
}

/** Of the product's isolate, at most since it was started; bytes (scripts/lib/memory.mjs). */
export interface Memory {
  readonly heap: number
  readonly buffers: number
  /** Both, after collections of everything. */
  readonly live: number
  /** Both, after any collection, with what nobody reaches any more. */
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
    call: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await fetch(`${started.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${started.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer: unknown = await response.json()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      return answer as T
    },
    memory: started.memory,
    state,
    stop: async () => {
      await started.stop()
      rmSync(state, { recursive: true, force: true })
    },
  }
}

/** Puts documents in as one batch and waits for the job. */
export async function ingest(loam: Loam, corpus: string, upserts: readonly unknown[]): Promise<{ receipt: Receipt; seconds: number }> {
  const since = performance.now()
  const { job } = await loam.call<{ job: string }>('POST', `/v1/corpora/${corpus}/documents:batch`, { upserts, deletes: [] })
  return { receipt: await finished(loam, corpus, job), seconds: (performance.now() - since) / 1000 }
}

/** What the schedule does when enough has changed: channels are measured, keywords published, layers built. */
export async function consolidated(loam: Loam, corpus: string): Promise<void> {
  const { job } = await loam.call<{ job: string }>('POST', `/v1/corpora/${corpus}:consolidate`, {})
  await finished(loam, corpus, job)
}

async function finished(loam: Loam, corpus: string, job: string): Promise<Receipt> {
  for (;;) {
    const view = await loam.call<{ status: string; receipt?: Receipt; error?: string }>('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=20`)
    if (view.status === 'failed') throw new Error(`the job failed: ${view.error}`)
    if (view.receipt) return view.receipt
  }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}
