/** What documents leave behind per chunk, for one strategy: rows of the object and of D1, vectors, bytes. Measured in a local Loam of its own. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Receipt } from '../system/loam'
import type { Text } from '../system/texts'
import type { Held } from './platform'

const GIGABYTE = 1e9

interface Started {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}
interface Counts {
  readonly [kind: string]: number
}

/** Per chunk. The index holds passages and every node that has a vector; of D1 a node is one row, a chunk and an edge are two. */
export async function perChunk(strategies: readonly string[], documents: readonly Text[]): Promise<Held & { readonly embedded: number }> {
  const state = mkdtempSync(join(tmpdir(), 'loam-costs-'))
  try {
    const { receipt, counts, told } = await indexed(state, strategies, documents)
    const of = (kind: string): number => counts[kind] ?? 0
    const chunks = of('chunks')
    const vectors = ['passages', 'entities', 'keywords', 'labels', 'summaries', 'communities'].reduce((sum, kind) => sum + of(kind), 0)
    const row = (kind: string): number => told[kind] ?? 0
    return {
      objectRows: receipt.rows_written / chunks,
      d1Rows: (row('document') + row('node') + 2 * (row('chunk') + row('edge'))) / chunks,
      vectors: vectors / chunks,
      object: bytesIn(join(state, 'data/v3/do/loam-Corpus')) / GIGABYTE / chunks,
      d1: bytesIn(join(state, 'data/v3/d1')) / GIGABYTE / chunks,
      embedded: receipt.tokens.embedded / chunks,
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

async function indexed(state: string, strategies: readonly string[], documents: readonly Text[]) {
  const { startLoam } = (await import(join(process.cwd(), 'scripts/lib/start-loam.mjs'))) as {
    startLoam(options: unknown): Promise<Started>
  }
  const { url, key, stop } = await startLoam({
    port: 0,
    state,
    quiet: true,
    env: { ...process.env, LOCAL_MODEL_URL: 'hash', LOCAL_AI_RATES: 'off' },
  })
  const call = async (method: string, path: string, body?: unknown): Promise<string> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${url}/v1/corpora/c${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status}`)
    return reply.text()
  }
  try {
    await call('PUT', '', { strategies })
    const { job } = JSON.parse(await call('POST', '/documents:batch', { upserts: documents })) as { job: string }
    const receipt = await ended(call, job)
    const { counts } = JSON.parse(await call('GET', '')) as { counts: Counts }
    const last = (await call('GET', '/export')).trimEnd().split('\n').at(-1) ?? '{}'
    return { receipt, counts, told: (JSON.parse(last) as { counts: Counts }).counts }
  } finally {
    await stop()
  }
}

async function ended(call: (method: string, path: string) => Promise<string>, job: string): Promise<Receipt> {
  for (;;) {
    const { receipt, status } = JSON.parse(await call('GET', `/jobs/${job}?wait=20`)) as { receipt?: Receipt; status: string }
    if (status === 'failed') throw new Error('the job failed')
    if (receipt) return receipt
  }
}

/** Databases and what is not yet merged into them. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.sqlite(-wal)?$/.test(name) && !name.includes('metadata'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
