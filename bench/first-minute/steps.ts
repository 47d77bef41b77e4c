/**
 * The corpus object in Node, on SQLite: processor time of each transaction while a large change is applied to a corpus that is being asked, and of a
 * question before that change, in the middle of it (readers then see the graph as it was) and after it; and the state, which no division may change.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commitNext } from '../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../durable-objects/corpus/indexing/runner'
import { accept } from '../../durable-objects/corpus/ingest/accept'
import { isIntegrating, readIntegration } from '../../durable-objects/corpus/jobs/integration-state'
import { retrieve } from '../../durable-objects/corpus/query/retrieve'
import type { CorpusContext } from '../../durable-objects/corpus/store'
import type { Hit, Vector } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { cosine } from '../../src/core/vectors'
import { embedTexts } from '../../src/flows/embed'
import type { Models } from '../../src/ports/models'
import type { RetrieveRequest } from '../../src/ports/retrieval'
import type { TaskResult } from '../../src/ports/tasks'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject, openSql } from '../lib/object'
import { load } from '../lib/processor'
import { quantile } from '../system/loam'
import { take, texts } from '../system/texts'

const BATCH = 50 // documents of a chunk each
const QUESTIONS = 60
const WINDOW = 256 // tokens
const NEAREST = 100 // passages the index of vectors gives

const spent = { in: 0, out: 0, embedded: 0 }
const encoder = theStaticEncoder()
const models = {
  embedding: { dimensions: STATIC_DIMENSIONS, window: WINDOW },
  embed: async (given: readonly string[]) => ({ vectors: given.map((text) => encoder.encode(text)), spent, calls: 0 }),
} as unknown as Models
const embed = async (given: readonly string[]): Promise<readonly Vector[]> => (await embedTexts(models, given)).vectors

/** `documents`: that are there before. */
export async function timeSteps({ documents = 800 }: { readonly documents?: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-steps-'))
  try {
    const { context: idle } = localObject(defaultStrategies, { dimensions: STATIC_DIMENSIONS }, openSql(join(folder, 'object.db')))
    const asked: CorpusContext = { ...idle, lastQuestion: { at: Number.POSITIVE_INFINITY } }
    const source = texts()
    for (let at = 0; at < documents; at += BATCH) {
      await bring(idle, source)
      while (commitNext(idle)) {}
    }
    const requests = await questionsOf(idle)
    const before = [1, 2, 3].map(() => timed(idle, requests)).pop() ?? []
    await bring(asked, source)
    const steps: number[] = []
    const apply = (): void => void steps.push(cpuOf(() => commitNext(asked)))
    while ((readIntegration(asked)?.part ?? BATCH) < BATCH / 2) apply()
    if (!isIntegrating(asked)) throw new Error('the change is complete already')
    const during = [1, 2, 3].map(() => timed(idle, requests)).pop() ?? []
    while (isIntegrating(asked)) apply()
    const after = [1, 2, 3].map(() => timed(idle, requests)).pop() ?? []
    console.log(`${documents} documents, then ${BATCH} more while it is asked; ${load()}; state ${idle.graph.state}`)
    console.log(`a transaction: ${saidOf(steps)}`)
    for (const [when, all] of Object.entries({ before, 'in the middle': during, after })) console.log(`a question ${when}: ${saidOf(all)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Accepted, with their vectors. */
async function bring(context: CorpusContext, source: ReturnType<typeof texts>): Promise<void> {
  accept(context, { kind: 'batch', upserts: take(source, BATCH).map((one) => ({ ...one, url: null, metadata: {} })), deletes: [] })
  for (;;) {
    const round = openTasks(context, 'node', 1024)
    if (!round || round.tasks.length === 0) return
    const results: TaskResult[] = []
    for (const { id, node, input, brief } of round.tasks) {
      const vectors = await embed('texts' in brief ? brief.texts : [])
      results.push({ id, reply: { node, input, kind: 'embed', vectors }, spent, calls: {} })
    }
    commitRound(context, 'node', results)
  }
}

/** Of words that stand together in chunks spread over the corpus. */
async function questionsOf({ graph }: CorpusContext): Promise<readonly RetrieveRequest[]> {
  const chunks = graph.page('chunk', '', 1e6)
  const passages = chunks.flatMap((id) =>
    (graph.chunk(id)?.passages ?? []).map((_, i) => ({ id: passageId(id, i), vector: graph.vector(passageId(id, i)) })),
  )
  const out: RetrieveRequest[] = []
  for (let i = 0; i < QUESTIONS; i++) {
    const words =
      graph
        .chunk(chunks[(i * 37) % chunks.length] ?? '')
        ?.text.slice(500, 900)
        .split(/\s+/)
        .slice(1, 14) ?? []
    const text = `What is said of ${words.join(' ')}?`
    const [vector] = await embed([text])
    const near = passages
      .map(({ id, vector: own }): Hit => ({ id, score: own && vector ? cosine(vector, own) : -1 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, NEAREST)
    out.push({
      strategy: 'auto',
      text,
      ...(vector ? { vector } : {}),
      near: { passage: near },
      topK: 20,
      budget: 8000,
      trace: false,
      options: {},
    })
  }
  return out
}

function timed(context: CorpusContext, requests: readonly RetrieveRequest[]): number[] {
  return requests.map((request) => cpuOf(() => retrieve(context, request)))
}

/** Milliseconds of processor time. */
function cpuOf(work: () => unknown): number {
  const since = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function saidOf(all: readonly number[]): string {
  const mean = all.reduce((sum, one) => sum + one, 0) / Math.max(all.length, 1)
  return `${all.length} of ${mean.toFixed(1)} ms of processor, p50 ${quantile(all, 0.5).toFixed(1)}, p95 ${quantile(all, 0.95).toFixed(1)}`
}
