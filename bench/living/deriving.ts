/**
 * A graph derived anew in the object alone, in Node: every turn of the object is timed by its step, so that the longest is known and can be
 * profiled (`node --cpu-prof`); under `node --expose-gc` also what it holds at most. No text model; texts are embedded by the hash of their words.
 */

import { commitRound, openTasks } from '../../durable-objects/corpus/indexing/runner'
import { unfinishedJobs } from '../../durable-objects/corpus/jobs/jobs'
import { runMaintenanceSlice, startMaintenance } from '../../durable-objects/corpus/maintenance/maintain'
import { writeConfig } from '../../durable-objects/corpus/pending-config'
import { pinProbes } from '../../durable-objects/corpus/quality-gate/probes'
import { type CorpusContext, contextOf } from '../../durable-objects/corpus/store'
import { metaKeys, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { quantize } from '../../src/core/vectors'
import { runRound } from '../../src/flows/round'
import type { Models } from '../../src/ports/models'
import type { CorpusObject } from '../../src/ports/object'
import type { ProbeInput } from '../../src/ports/probes'
import type { TaskResult } from '../../src/ports/tasks'
import { localObject } from '../lib/object'
import { watched } from '../lib/watched'
import { merged } from '../quality/corpora'
import { take, texts } from '../system/texts'

const BATCH = 100 // documents put in at once
const TEXTS = 1024 // texts leased per round, as the Workflow does (src/ingest.ts)
const TELL = 5 // of the longest turns

export interface Deriving {
  readonly passages: number
  /** Switched on once the corpus is there. */
  readonly strategies: readonly string[]
  /** A folder of evaluation sets; without it addresses are read. */
  readonly data?: string
  readonly dimensions: number
  /** Pinned; each expects the document whose title it asks for. */
  readonly probes: number
  /** As after a consolidation, and every sink sent everything: what needs the whole graph is done too. */
  readonly rebuild: boolean
}

interface Turn {
  readonly what: string
  readonly seconds: number
  readonly peak?: number
}

export async function derivedReport(asked: Deriving): Promise<string> {
  const { strategies, dimensions } = asked
  const context = grown(asked)
  const told = `${context.graph.count('document')} documents, ${context.graph.count('chunk')} chunks, ${context.graph.count('passage')} passages`
  context.atomically(() => writeConfig(context, context.config, { ...context.config, strategies }))
  Object.assign(context, contextOf(context))
  if (asked.rebuild) writeMeta(context.sql, metaKeys.isConsolidated, true)
  startMaintenance(context, asked.rebuild ? 'rebuild' : 'reindex')
  const turns = await derived(context, hashed(dimensions))
  const { graph } = context
  const made = ['entity', 'keyword', 'summary', 'community'].map((kind) => `${graph.count(kind as 'entity')} ${kind}`).join(', ')
  return [
    `${strategies.join(', ')} switched on at ${told}, ${dimensions} dimensions; made ${made}, ${graph.edgeCount()} edges; state ${graph.state}`,
    ...summary(turns),
  ].join('\n')
}

/** A corpus without strategies. */
function grown({ passages, data, dimensions, probes }: Deriving): CorpusContext {
  const { context, ingest } = localObject([], { dimensions })
  const embed = (list: readonly string[]): Int8Array[] => list.map((text) => quantize(hashEmbedding(text, dimensions)))
  const source = data === undefined ? texts() : merged(data).documents.values()
  const asked: ProbeInput[] = []
  while (context.graph.count('passage') < passages) {
    const documents = take(source, BATCH).filter(Boolean)
    if (documents.length === 0) break
    asked.push(...documents.map(({ id, title }) => ({ query: title, expect: [id] })))
    ingest(
      documents.map((one) => ({ ...one, url: null, metadata: {} })),
      embed,
    )
  }
  const pinned = asked.slice(0, probes).map((one) => ({ ...one, vector: embed([one.query])[0] as Int8Array }))
  pinProbes(context, pinned, { k: 10, tolerance: 1 })
  return context
}

/** Every turn of the object until nothing is left to do. */
async function derived(context: CorpusContext, models: Models): Promise<Turn[]> {
  const turns: Turn[] = []
  const timed = <T>(what: string, work: () => T): T => {
    const { result, seconds, peak } = watched(work)
    turns.push({ what, seconds, ...(peak === undefined ? {} : { peak }) })
    return result
  }
  const corpus = {
    openTasks: async (runner: string, limit: number) => timed('lease', () => openTasks(context, runner, limit) ?? NOTHING),
    commit: async (runner: string, results: readonly TaskResult[]) => {
      const done = timed(`commit of ${kindsOf(results)}`, () => commitRound(context, runner, results))
      return done ? { kind: 'committed' as const, left: done.left } : { kind: 'lost' as const }
    },
  } as Pick<CorpusObject, 'openTasks' | 'commit'> as CorpusObject
  const open = () => unfinishedJobs(context.sql).find((job) => job.phase !== 'telling')
  for (let job = open(); job; job = open()) {
    const step = job.progress ? (JSON.parse(job.progress) as { step: string; builders: string[] }) : undefined
    const name = step?.step === 'whole' ? `whole ${step.builders[0] ?? ''}` : (step?.step ?? 'settling')
    if (timed(name, () => runMaintenanceSlice(context))) continue
    if ((await runRound(corpus, models, { runner: 'bench', texts: TEXTS })).left === 0 && open()?.phase !== 'staging') break
  }
  return turns
}

const NOTHING = { tasks: [], left: 0, paused: false }

function kindsOf(results: readonly TaskResult[]): string {
  return [...new Set(results.map((one) => `${one.reply.kind} ${one.reply.node.slice(0, 2)}`))].sort().join(' + ')
}

function summary(turns: readonly Turn[]): string[] {
  const names = [...new Set(turns.map((one) => one.what))]
  const lines = names.map((what) => {
    const own = turns.filter((one) => one.what === what)
    const sum = own.reduce((all, one) => all + one.seconds, 0)
    const max = Math.max(...own.map((one) => one.seconds))
    const peak = own[0]?.peak === undefined ? '' : `, ${Math.max(...own.map((one) => one.peak ?? 0))} MB at most`
    return `${what}: ${own.length} turns, ${sum.toFixed(1)} s, the longest ${max.toFixed(2)} s${peak}`
  })
  const longest = [...turns].sort((a, b) => b.seconds - a.seconds).slice(0, TELL)
  const whole = turns.reduce((all, one) => all + one.seconds, 0)
  return [`all: ${whole.toFixed(1)} s`, ...lines, `longest: ${longest.map((one) => `${one.what} ${one.seconds.toFixed(2)} s`).join(', ')}`]
}

function hashed(dimensions: number): Models {
  const never = async (): Promise<never> => {
    throw new Error('no such model here')
  }
  return {
    embedding: { id: 'hash', dimensions, window: 8192 },
    text: null,
    reranker: null,
    embed: async (list) => ({ vectors: list.map((text) => hashEmbedding(text, dimensions)), spent: { in: 0, out: 0, embedded: 0 } }),
    rerank: never,
    write: never,
    stream: never,
  }
}
