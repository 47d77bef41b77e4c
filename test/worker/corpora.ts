/** Corpora for tests: each test makes its own, so that one runtime can serve all files. */

import { env } from 'cloudflare:workers'
import { corpusOf, type Namespace } from '../../src/adapters/corpus'
import type { Job } from '../../src/contract/jobs'
import type { Settings } from '../../src/core/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { quantize } from '../../src/core/vectors'
import { vectorizeLimits } from '../../src/platform-limits'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { DocumentInput } from '../../src/ports/documents'
import type { CorpusObject } from '../../src/ports/object'
import type { RetrieveRequest, RetrieveResult } from '../../src/ports/retrieval'
import { ended } from './waiting'

export const DIMENSIONS = 64
/** Documents that share words, by id. */
export const texts = [
  ['mill', 'Bread is baked in the old mill on Tuesdays.'],
  ['heron', 'The heron waits at the pond behind the mill.'],
  ['steel', 'Steel is an alloy of iron and carbon.'],
  ['salt', 'Salt lies in mines under the old town.'],
  ['clock', 'The clock in the town ticks slowly on Tuesdays.'],
  ['sail', 'Sails hold the wind; the wind turns the mill.'],
  ['glass', 'Glass is made of sand, and sand of stone.'],
  ['bridge', 'The bridge of stone crosses the pond at the mill.'],
] as const

interface Bindings {
  readonly CORPUS: Namespace
  readonly AI: { run(model: string, input: { text: string[] }): Promise<{ data: number[][] }> }
}
export const bindings = env as unknown as Bindings

let made = 0

export function uid(): string {
  made++
  return `test${made}x${crypto.randomUUID().slice(0, 8)}`
}

export function config(id: string, strategies: readonly string[] = [], settings: Partial<Settings> = {}): CorpusConfig {
  return { uid: id, name: id, strategies, settings: { ...defaultSettings, dimensions: DIMENSIONS, ...settings }, budget: {} }
}

export async function newCorpus(
  strategies: readonly string[] = [],
  settings: Partial<Settings> = {},
): Promise<{ uid: string; corpus: CorpusObject }> {
  const id = uid()
  const corpus = corpusOf(bindings.CORPUS, id)
  await corpus.configure(config(id, strategies, settings))
  return { uid: id, corpus }
}

export function doc(id: string, text: string, more: Partial<DocumentInput> = {}): DocumentInput {
  return { id, text, title: '', url: null, metadata: {}, ...more }
}

export async function put(corpus: CorpusObject, ...upserts: DocumentInput[]): Promise<Job> {
  const accepted = await corpus.accept({ kind: upserts.length === 1 ? 'ingest' : 'batch', upserts, deletes: [] })
  if (accepted.kind !== 'accepted') throw new Error(`not accepted: ${accepted.kind}`)
  return settled(corpus, accepted.job)
}

export async function remove(corpus: CorpusObject, ...deletes: string[]): Promise<Job> {
  const accepted = await corpus.accept({ kind: 'delete', upserts: [], deletes })
  if (accepted.kind !== 'accepted') throw new Error(`not accepted: ${accepted.kind}`)
  return settled(corpus, accepted.job)
}

/** The vector index's clock stands still: what was written becomes visible when so much of it has passed. */
export async function indexed(): Promise<void> {
  await (env as unknown as { CONTROL: { pass(ms: number): Promise<void> } }).CONTROL.pass(vectorizeLimits.visibleAfterMs)
}

/** Waits for the job's end, whatever it is. */
export async function settled(corpus: CorpusObject, job: string): Promise<Job> {
  return ended(job, async () => {
    const view = await corpus.job(job, 1000)
    if (!view) throw new Error('no such job')
    return view
  })
}

export async function embed(text: string): Promise<Int8Array> {
  const { data } = await bindings.AI.run('hash', { text: [text] })
  return quantize(data[0] ?? [])
}

/** As the Worker asks, but with an index that shows nothing yet: only the object's own tail can find a vector. */
export async function find(
  corpus: CorpusObject,
  text: string,
  strategy = 'hybrid',
  more: Partial<RetrieveRequest> = {},
): Promise<RetrieveResult> {
  const near = { passage: [], summary: [], entity: [], community: [] }
  return corpus.retrieve({ strategy, text, vector: await embed(text), near, topK: 5, budget: 4000, trace: false, options: {}, ...more })
}

export async function foundDocuments(
  corpus: CorpusObject,
  text: string,
  strategy = 'hybrid',
  more: Partial<RetrieveRequest> = {},
): Promise<string[]> {
  const result = await find(corpus, text, strategy, more)
  return result.kind === 'evidence' ? result.evidence.flatMap((one) => one.document ?? []) : [result.kind]
}
