/**
 * The same files through the corpus object in Node, on SQLite, with the encoder that comes with Loam: processor time by part, the statements that take most
 * of it, and the state that comes out, which no optimisation may change. `node --cpu-prof scripts/bench.mjs first-minute object` says which functions.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBatches } from '../../cli/ingest/batches'
import { readDocuments } from '../../cli/reading/documents'
import { findFiles, idIn } from '../../cli/reading/files'
import { commitNext } from '../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../durable-objects/corpus/indexing/runner'
import { accept } from '../../durable-objects/corpus/ingest/accept'
import { drainIndex } from '../../durable-objects/corpus/outbox/index-sink'
import { drainModel } from '../../durable-objects/corpus/outbox/read-model-sink'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { embedTexts } from '../../src/flows/embed'
import type { Models } from '../../src/ports/models'
import type { ReadModel } from '../../src/ports/read-model'
import type { TaskResult } from '../../src/ports/tasks'
import type { VectorIndex } from '../../src/ports/vector-index'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject, openSql } from '../lib/object'
import { load } from '../lib/processor'
import { writeFiles } from './files'

const TEXTS = 1024 // of a round
const WINDOW = 256 // tokens
const STATEMENTS = 40 // that are printed

export async function ingestInNode({
  strategies = defaultStrategies,
  bytes,
  statements = false,
}: {
  strategies?: readonly string[]
  bytes?: number
  statements?: boolean
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-object-'))
  try {
    writeFiles(join(folder, 'files'), bytes)
    const batches = await batchesOf(join(folder, 'files'))
    const sql = openSql(join(folder, 'object.db'))
    const { context } = localObject(strategies, { dimensions: STATIC_DIMENSIONS }, sql)
    const encoder = theStaticEncoder()
    const spent = { in: 0, out: 0, embedded: 0 }
    const models = {
      embedding: { dimensions: STATIC_DIMENSIONS, window: WINDOW },
      embed: async (texts: readonly string[]) => ({ vectors: texts.map((text) => encoder.encode(text)), spent, calls: 0 }),
    } as unknown as Models
    const [accepting, leasing, embedding, committing, index, model] = [
      'accept',
      'lease',
      'embed',
      'commit',
      'to the index',
      'to the read model',
    ].map((name) => new Clock(name)) as [Clock, Clock, Clock, Clock, Clock, Clock]
    for (const batch of batches) {
      accepting.time(() => accept(context, { kind: 'batch', upserts: batch, deletes: [] }))
      for (;;) {
        const round = leasing.time(() => openTasks(context, 'node', TEXTS))
        if (!round || round.tasks.length === 0) break
        const since = process.cpuUsage()
        const texts = round.tasks.map(({ brief }) => ('texts' in brief ? brief.texts : []))
        const { vectors } = await embedTexts(models, texts.flat())
        embedding.add(since)
        let at = 0
        const results = round.tasks.map(({ id, node, input }, i): TaskResult => {
          const own = vectors.slice(at, at + (texts[i]?.length ?? 0))
          at += own.length
          return { id, reply: { node, input, kind: 'embed', vectors: own }, spent, calls: {} }
        })
        committing.time(() => commitRound(context, 'node', results))
        while (committing.time(() => commitNext(context))) {}
      }
      const since = process.cpuUsage()
      await drainIndex(context, NO_INDEX, Number.POSITIVE_INFINITY)
      index.add(since)
      const then = process.cpuUsage()
      await drainModel(context, NO_MODEL)
      model.add(then)
    }
    const { graph } = context
    const [chunks, clocks] = [graph.count('chunk'), [accepting, leasing, embedding, committing, index, model]]
    const seconds = clocks.reduce((sum, one) => sum + one.seconds, 0)
    console.log(
      `${graph.count('document')} documents, ${chunks} chunks in ${batches.length} batches; strategies ${strategies.join(', ') || 'none'}: ${seconds.toFixed(1)} s of processor time, ${(chunks / seconds).toFixed(0)} chunks a second of it; ` +
        `${(graph.rowsWritten / chunks).toFixed(0)} rows a chunk; state ${graph.state}; ${load()}`,
    )
    for (const { name, seconds: own } of clocks)
      console.log(`  ${name}: ${own.toFixed(2)} s, ${((1000 * own) / chunks).toFixed(2)} ms a chunk`)
    const all = [...sql.statements].sort(([, a], [, b]) => b.ms - a.ms)
    const sum = (of: 'runs' | 'ms'): number => all.reduce((total, [, one]) => total + one[of], 0)
    console.log(`  of it ${(sum('ms') / 1000).toFixed(2)} s in ${(sum('runs') / chunks).toFixed(0)} statements a chunk`)
    if (statements)
      for (const [query, { runs, ms }] of all.slice(0, STATEMENTS))
        console.log(`${ms.toFixed(0).padStart(7)} ms ${String(runs).padStart(8)} times  ${query.replace(/\s+/g, ' ').slice(0, 160)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function batchesOf(folder: string) {
  async function* documents() {
    for (const file of await findFiles([folder]))
      for await (const one of readDocuments(file, { id: idIn(folder, file.path) })) if ('document' in one) yield one.document
  }
  const out = []
  for await (const batch of toBatches(documents()))
    out.push(batch.map(({ id, text, title = '', url, metadata }) => ({ id, text, title, url: url ?? null, metadata: metadata ?? {} })))
  return out
}

/** Processor time of this process, garbage collection in other threads included. */
class Clock {
  seconds = 0
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  time<T>(work: () => T): T {
    const since = process.cpuUsage()
    const result = work()
    this.add(since)
    return result
  }

  add(since: NodeJS.CpuUsage): void {
    const { user, system } = process.cpuUsage(since)
    this.seconds += (user + system) / 1e6
  }
}

const NO_INDEX = { upsert: async () => {}, remove: async () => {} } as unknown as VectorIndex
const NO_MODEL = { publish: async () => ({ rows: 0, bytes: 0 }) } as unknown as ReadModel
