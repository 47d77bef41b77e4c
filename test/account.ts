/**
 * An account in virtual time: Workers AI with its limits and latencies, the governor, Workflows that run the real rounds against corpora
 * on node:sqlite, and questions in between. Minutes of an account take seconds here, and every call is counted.
 */
import { processBacklog } from '../durable-objects/corpus/indexing/backlog'
import { commitNext } from '../durable-objects/corpus/indexing/commit'
import { runMaintenanceSlice } from '../durable-objects/corpus/maintenance/maintain'
import { isMaintenanceOpen } from '../durable-objects/corpus/maintenance/under-way'
import { capacityOf, ratesOf } from '../durable-objects/governor/capacity'
import { createLending } from '../durable-objects/governor/lending'
import type { Sql } from '../durable-objects/sql'
import { type AiRules, admit, aiRules, measure, noneBegun } from '../local/workerd/ai-limits'
import { inference } from '../local/workerd/faults'
import { hashEmbedding } from '../local/workerd/hash-embedder'
import { type Asked, read } from '../local/workerd/requests'
import { scriptedReply } from '../local/workerd/scripted'
import { type StepsOptions, stepsStandIn } from '../local/workerd/workflow'
import { callCount } from '../src/adapters/call-count'
import { withGovernor } from '../src/adapters/governor'
import { createTally, questionCalls } from '../src/adapters/question-calls'
import { workersAi } from '../src/adapters/workers-ai'
import { ingest } from '../src/flows/ingest'
import type { GovernorObject } from '../src/ports/call-slots'
import type { AiBinding, Models } from '../src/ports/models'
import { DIMENSIONS } from './node/corpus/mortal-object'
import { type Spending, scribe, spending } from './node/corpus/spending'
import { memorySql } from './node-sqlite'
import { type VirtualTime, virtualTime } from './virtual-time'

const BEGINS = Date.UTC(2026, 0, 1) // midnight
const CONFIG = {
  embedding: { id: '@cf/baai/bge-m3', dimensions: DIMENSIONS, window: 512 },
  text: { id: '@cf/writer', window: 32_000 },
  reranker: { id: '@cf/reranker' },
}

export interface AccountOptions {
  readonly rules?: Partial<AiRules>
  readonly slots?: string
  /** As `MODEL_RATES`. */
  readonly rates?: string
  /** Milliseconds a call takes. */
  readonly latency?: { readonly [kind in Asked['kind']]?: number }
  /** What the text model says to a prompt. */
  readonly say?: (prompt: string) => string
}

export interface Account {
  readonly time: VirtualTime
  readonly governor: GovernorObject
  /** Calls that were answered, and calls that were refused by code. */
  readonly calls: { readonly [kind in Asked['kind']]: number }
  readonly refused: { [code: string]: number }
  /** How many calls of one invocation were open at once, at most. */
  readonly together: () => number
  /** The most calls one instance of the Workflow has made, of models, the governor and the object. */
  readonly callsOfOne: () => number
  /** From now on every call fails with this code; null: none does. */
  fail(code: number | null): void
  corpus(strategies: readonly string[]): Spending
  /** Runners, as the corpus's object starts them, until no work is left. */
  indexed(corpus: Spending, name: string, steps?: StepsOptions['timeouts']): Promise<void>
  /** The models of one question. */
  question(): Models
}

export function account({ rules, slots, rates, latency, say = scribe }: AccountOptions = {}): Account {
  const time = virtualTime(BEGINS)
  const took = { text: 5000, embed: 300, rerank: 300, ...latency }
  const begun = noneBegun()
  const calls = { text: 0, embed: 0, rerank: 0 }
  const refused: { [code: string]: number } = {}
  let [failing, max, mostCalls, made] = [null as number | null, 0, 0, 0]
  const newId = () => `id-${++made}`
  const answer = (model: string, inputs: unknown): Asked => {
    const asked = read(inputs)
    const all = { ...aiRules, ...rules }
    if (failing !== null) throw inference(failing)
    measure(model, asked, all)
    admit(asked, all, begun, time.now())
    calls[asked.kind]++
    return asked
  }
  /** The binding as one invocation has it. */
  const binding = (): AiBinding => {
    let open = 0
    return {
      async run(model, inputs) {
        max = Math.max(max, ++open)
        try {
          const asked = answer(model, inputs)
          await time.sleep(took[asked.kind])
          return replied(asked, say)
        } catch (error) {
          const code = String(error instanceof Error ? error.message : error).slice(0, 4)
          refused[code] = (refused[code] ?? 0) + 1
          throw error
        } finally {
          open--
        }
      },
    }
  }
  const governor = createLending(memory(), {
    capacity: capacityOf(slots),
    rate: ratesOf(rates),
    kept: 150_000,
    now: time.now,
    after: time.after,
    newId,
  })
  const tally = createTally()
  return {
    time,
    governor,
    calls,
    refused,
    together: () => max,
    callsOfOne: () => mostCalls,
    fail: (code) => {
      failing = code
    },
    corpus(strategies) {
      const corpus = spending(strategies, { models: CONFIG.embedding.id })
      Object.defineProperty(corpus.clock, 'now', { get: time.now })
      return corpus
    },
    async indexed(corpus, name, timeouts = {}) {
      const { context, object } = corpus
      for (let instance = 0; instance < 1000; instance++) {
        while (commitNext(context) || processBacklog(context) || (isMaintenanceOpen(context) && runMaintenanceSlice(context))) {} // as the object's alarm does
        if (context.sql.one('SELECT 1 FROM task WHERE urgent = 1') === undefined) return
        const count = callCount()
        const lent = withGovernor(count.governor({ getByName: () => governor }), name, time)
        const models = workersAi({ ai: count.model(binding()) }, CONFIG, time, lent)
        const runner = { corpus: count.each(object), models, name: `${name}-${instance}`, newId, clock: time, calls: count.made }
        await ingest(runner, stepsStandIn({ clock: time, timeouts }))
        mostCalls = Math.max(mostCalls, count.made())
        await time.sleep(1000)
      }
      throw new Error(`${name} does not come to an end`)
    },
    question: () =>
      workersAi(
        { ai: binding() },
        CONFIG,
        time,
        questionCalls({ tally, governor: () => governor, later: (work) => void work.catch(() => undefined), now: time.now }),
      ),
  }
}

function replied(asked: Asked, say: (prompt: string) => string): unknown {
  switch (asked.kind) {
    case 'embed':
      return { shape: [asked.texts.length, DIMENSIONS], data: asked.texts.map((text) => hashEmbedding(text, DIMENSIONS)), pooling: 'cls' }
    case 'rerank':
      return { response: asked.texts.map((_, id) => ({ id, score: 1 / (id + 1) })) }
    case 'text':
      return scriptedReply({ reply: say(asked.messages.map((message) => message.content).join('\n')) }, asked)
  }
}

export function memory(): Sql {
  return memorySql()
}
