/**
 * A graph derived anew in the object alone, in Node: every turn of the object is timed by its step, so that the longest is known and can be
 * profiled (`node --cpu-prof`); under `node --expose-gc` also what it holds at most. No text model; texts are embedded by the hash of their words.
 */
import { maintain, workOnce } from '../../durable-objects/corpus/care/maintain'
import { writeConfig } from '../../durable-objects/corpus/care/pending'
import { ledgerOf } from '../../durable-objects/corpus/store'
import { unfinished } from '../../durable-objects/corpus/work/jobs'
import { commit, openTasks } from '../../durable-objects/corpus/work/runner'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { quantize } from '../../src/core/vectors'
import { runRound } from '../../src/flows/round'
import type { CorpusObject, Models, TaskResult } from '../../src/ports'
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
}

interface Turn {
  readonly what: string
  readonly seconds: number
  readonly peak?: number
}

export async function derivedReport({ passages, strategies, data, dimensions }: Deriving): Promise<string> {
  const { ledger, ingest } = localObject([], { dimensions })
  const embed = (list: readonly string[]): Int8Array[] => list.map((text) => quantize(hashEmbedding(text, dimensions)))
  const source = data === undefined ? texts() : merged(data).documents.values()
  while (ledger.graph.count('passage') < passages) {
    const documents = take(source, BATCH).filter(Boolean)
    if (documents.length === 0) break
    ingest(
      documents.map((one) => ({ ...one, url: null, metadata: {} })),
      embed,
    )
  }
  const told = `${ledger.graph.count('document')} documents, ${ledger.graph.count('chunk')} chunks, ${ledger.graph.count('passage')} passages`
  const turns: Turn[] = []
  const timed = <T>(what: string, work: () => T): T => {
    const { result, seconds, peak } = watched(work)
    turns.push({ what, seconds, ...(peak === undefined ? {} : { peak }) })
    return result
  }
  ledger.atomically(() => writeConfig(ledger, ledger.config, { ...ledger.config, strategies }))
  Object.assign(ledger, ledgerOf(ledger))
  maintain(ledger, 'reindex')
  const models = hashed(dimensions)
  const corpus = {
    openTasks: async (runner: string, limit: number) => timed('lease', () => openTasks(ledger, runner, limit).round ?? NOTHING),
    commit: async (runner: string, results: readonly TaskResult[]) => {
      const what = `commit of ${kindsOf(results)}`
      const done = timed(what, () => commit(ledger, runner, results))
      return done ? { kind: 'committed' as const, left: done.left } : { kind: 'lost' as const }
    },
  } as Pick<CorpusObject, 'openTasks' | 'commit'> as CorpusObject
  while (unfinished(ledger.sql).some((job) => job.phase !== 'telling')) {
    const before = unfinished(ledger.sql)[0]?.progress
    const step = before ? (JSON.parse(before) as { step: string; builders: string[] }) : undefined
    const name = step?.step === 'whole' ? `whole ${step.builders[0] ?? ''}` : (step?.step ?? 'settling')
    if (timed(name, () => workOnce(ledger))) continue
    if ((await runRound(corpus, models, 'bench', TEXTS)).left === 0 && unfinished(ledger.sql)[0]?.phase !== 'staging') break
  }
  const { graph } = ledger
  const made = ['entity', 'keyword', 'summary', 'community'].map((kind) => `${graph.count(kind as 'entity')} ${kind}`).join(', ')
  return [
    `${strategies.join(', ')} switched on at ${told}, ${dimensions} dimensions; made ${made}, ${graph.edgeCount()} edges; state ${graph.state}`,
    ...summary(turns),
  ].join('\n')
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
    const most = Math.max(...own.map((one) => one.seconds))
    const peak = own[0]?.peak === undefined ? '' : `, ${Math.max(...own.map((one) => one.peak ?? 0))} MB at most`
    return `${what}: ${own.length} turns, ${sum.toFixed(1)} s, the longest ${most.toFixed(2)} s${peak}`
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
