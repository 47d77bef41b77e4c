/** A corpus on node:sqlite, worked on by the real rounds with scripted models: what is asked of them is counted on both sides. */

import { remainingBudget } from '../../../durable-objects/corpus/billing/usage'
import { chargeStages, reserveHolds, usageView } from '../../../durable-objects/corpus/billing/usage-recorder'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, endLease, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { viewOf } from '../../../durable-objects/corpus/jobs/job'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { runMaintenanceSlice } from '../../../durable-objects/corpus/maintenance/maintain'
import { isMaintenanceOpen } from '../../../durable-objects/corpus/maintenance/under-way'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { metaKeys, readMeta, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import type { Job } from '../../../src/contract/jobs'
import type { Spent } from '../../../src/contract/usage'
import type { Settings } from '../../../src/core/settings'
import { countTokens } from '../../../src/core/text/tokens'
import { type RoundOutcome, runRound } from '../../../src/flows/round'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Accepted } from '../../../src/ports/jobs'
import type { Message, Models } from '../../../src/ports/models'
import type { CorpusObject } from '../../../src/ports/object'
import type { UsageView } from '../../../src/ports/spending'
import { fakeCorpus, hashed } from '../../core/flows/fakes'
import { until } from '../../core/until'
import { DIMENSIONS, mortalWorld } from './mortal-object'

export interface Counted {
  readonly models: Models
  /** What the models would put on the bill. */
  readonly bill: { in: number; out: number; embedded: number; calls: number }
}

/** How many tokens a text is to a model. `room`: those it may be, of a reply. */
export type Count = (text: string, room?: number) => number

/** `say`: what the writer replies to a prompt. */
export function countedModels(say: (prompt: string) => string, count: Count = countTokens): Counted {
  const bill = { in: 0, out: 0, embedded: 0, calls: 0 }
  const paid = (spent: Spent): Spent => {
    bill.in += spent.in
    bill.out += spent.out
    bill.embedded += spent.embedded
    bill.calls++
    return spent
  }
  const total = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + count(text), 0)
  const prompt = (messages: readonly Message[]): string => messages.map((one) => one.content).join('\n')
  return {
    bill,
    models: {
      embedding: { id: 'counted', dimensions: DIMENSIONS, window: 512 },
      text: { id: 'counted', window: 32_000 },
      reranker: null,
      embed: async (texts) => ({
        vectors: texts.map((text) => hashed(text, DIMENSIONS)),
        spent: paid({ in: 0, out: 0, embedded: total(texts) }),
      }),
      write: async (messages, { tokens }) => {
        const text = say(prompt(messages))
        return {
          text,
          spent: paid({ in: total(messages.map((one) => one.content)), out: Math.min(tokens, count(text, tokens)), embedded: 0 }),
        }
      },
      rerank: async (query, texts) => ({
        scores: texts.map(() => 0.5),
        spent: paid({ in: texts.length * count(query) + total(texts), out: 0, embedded: 0 }),
      }),
      stream: async () => Promise.reject(new Error('not asked here')),
    },
  }
}

export interface Spending {
  readonly context: CorpusContext
  /** As a runner sees it. */
  readonly object: CorpusObject
  readonly clock: { now: number }
  /** Every task handed to a runner, with the layer of its node. */
  readonly leased: { readonly kind: string; readonly layer: number }[]
  configure(config: Partial<CorpusConfig>): void
  accept(upserts: readonly DocumentInput[], deletes?: readonly string[]): Accepted
  job(id: string): Job | undefined
  usage(cursor?: string | null, limit?: number): UsageView
  left(): number | null
  /** One round of a runner. */
  round(models: Models, limit?: number): Promise<RoundOutcome>
  /** Rounds until no work is left or the budget is used up. */
  work(models: Models): Promise<void>
  close(): void
}

export function spending(strategies: readonly string[], settings: Partial<Settings> = {}): Spending {
  const world = mortalWorld(strategies)
  const leased: { kind: string; layer: number }[] = []
  let { context } = world.wake()
  const configure: Spending['configure'] = (changes) => {
    const config = readMeta(context.sql, metaKeys.config) as CorpusConfig
    writeMeta(context.sql, metaKeys.config, { ...config, ...changes })
    context = contextOf(context) ?? context
  }
  configure({ settings: { ...context.config.settings, writer: true, models: 'counted', ...settings } })
  const object: CorpusObject = {
    ...fakeCorpus(),
    openTasks: async (runner, limit, turn) => {
      const round = openTasks(context, runner, limit, turn) ?? { tasks: [], left: 0, paused: false }
      leased.push(...round.tasks.map(({ brief, node }) => ({ kind: brief.kind, layer: context.graph.node(node)?.layer ?? 0 })))
      return round
    },
    reserve: async (holds) => reserveHolds(context, holds),
    charge: async (stages, holds) => chargeStages(context, stages, holds),
    commit: async (runner, results) => {
      const done = commitRound(context, runner, results)
      return done ? { kind: 'committed', left: done.left } : { kind: 'lost' }
    },
    release: async (runner) => void endLease(context, runner),
  }
  return {
    get context() {
      return context
    },
    object,
    leased,
    clock: world.clock,
    configure,
    accept: (upserts, deletes = []) => accept(context, { kind: upserts.length > 0 ? 'batch' : 'delete', upserts, deletes }),
    job: (id) => {
      const job = findJob(context.sql, id)
      return job && viewOf(job)
    },
    usage: (cursor = null, limit = 100) => usageView(context, cursor, limit),
    left: () => remainingBudget(context).tokens,
    round: (models, limit = 1024) => runRound(object, models, { runner: 'one', texts: limit }),
    async work(models) {
      for (let rounds = 0; rounds < 2000; rounds++) {
        until(() => !commitNext(context))
        until(() => !isMaintenanceOpen(context) || !runMaintenanceSlice(context))
        const { left, paused } = await runRound(object, models, { runner: 'one', texts: 1024 })
        if (paused || (left === 0 && !commitNext(context))) return
      }
      throw new Error('it does not come to an end')
    },
    close: world.close,
  }
}

const NAMES = ['Ada Lovelace', 'Karl Benz', 'Mary Anning', 'Emil Nolde', 'Rosa Parks', 'Alan Turing', 'Lise Meitner', 'Max Born']
const PLACES = ['Port Ellis', 'Green Mill', 'North Quay', 'Old Town', 'West Hill', 'Stone Bridge']
const THINGS = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry', 'organ', 'sail']

/** As they stand in a text: a test may write another letter behind each (estimate.test.ts). */
const NAMED = new RegExp(`\\b(?:${NAMES.join('|')})[a-l]?\\b`, 'g')

/** A small document about a few people and places; `n` makes it another one. */
export function letter(n: number, sentences = 12): DocumentInput {
  const at = <T>(list: readonly T[], i: number): T => list[(n * 7 + i * (3 + (n % 5))) % list.length] as T
  const said = Array.from({ length: sentences }, (_, i) => {
    const [who, other, place, thing] = [at(NAMES, i), at(NAMES, i + 3), at(PLACES, i), at(THINGS, i)]
    return `${who} met ${other} in ${place} and wrote on page ${i} of letter ${n} that the ${thing} was finished in ${1800 + ((n * 13 + i) % 150)}.`
  })
  return { id: `letter-${n}`, text: said.join(' '), title: `Letter ${n}`, url: null, metadata: {} }
}

/** Replies in the forms asked for, drawn from the prompt itself, as long as a model's: units restate, summaries and reports are short. */
export function scribe(prompt: string): string {
  const sentences = [...new Set(prompt.match(/[A-Z][a-z]+ [A-Z][a-z]+ met [^.]+\./g) ?? [])]
  const names = [...new Set(prompt.match(NAMED) ?? [])].sort()
  if (prompt.includes('"findings"')) {
    const findings = names.slice(0, 3).map((name) => ({ summary: `${name} wrote.`, explanation: `${name} met others and wrote letters.` }))
    return JSON.stringify({ title: names.slice(0, 2).join(' and '), summary: 'People who met and wrote letters.', rating: 5, findings })
  }
  const units = prompt.includes('"knowledge_units"') ? { knowledge_units: sentences } : {}
  if (prompt.includes('"entities"')) {
    const entities = names.map((name) => ({ name, type: 'person', description: `${name} met others and wrote letters.` }))
    const relations = names.slice(1).map((name, i) => ({ source: names[i], target: name, description: 'They met.', strength: 5 }))
    return JSON.stringify({ ...units, entities, relations })
  }
  if (prompt.includes('"knowledge_units"')) return JSON.stringify(units)
  return sentences.length > 0 ? sentences.slice(0, 3).join(' ') : `${names.slice(0, 3).join(', ')} wrote letters.`
}
