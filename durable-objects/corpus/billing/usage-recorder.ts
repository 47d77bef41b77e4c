/**
 * The accounts: what was called and paid for, by stage and document. Rows name documents by id and contain no text; the cost of a deleted
 * document stays in the sums without a name. A commit gathers its rows and writes each once.
 */

import type { Asker } from '../../../src/core/access/labels'
import { costOf } from '../../../src/core/cost'
import { kindOf } from '../../../src/core/ids'
import type { Hold, StageSpent, StagesSpent, UsageView } from '../../../src/ports/spending'
import type { TaskResult } from '../../../src/ports/tasks'
import { heldBesides, tokensOf } from '../../holds'
import { type Looked, lookThrough } from '../access/look-through'
import { readsAll } from '../access/readable'
import { rowsPublished } from '../outbox/read-model-sink'
import type { CorpusContext } from '../store'
import { readJobKey } from '../tables/job'
import { metaKeys, readMeta } from '../tables/meta'
import { findDocumentAwaiting } from '../tables/revision'
import {
  addToDocument,
  addToTotal,
  listSpendersAfter,
  listSpendingOf,
  listTotals,
  type Spender,
  type SpendingRow,
} from '../tables/spending'
import { BASE, type TaskRow } from '../tables/task'
import { addSpendingOfDay } from './days'
import { lapse, reserve, settle } from './holds'
import { measuredOf, noteRead } from './measured'
import { noteSpentBy, reportSpent } from './partition'
import { NOBODY } from './rows'
import { noteThreshold } from './threshold'
import { addUsage, budgetShare, isCapped, neuronsOf, usage } from './usage'

const EMBED = 'embed'
const NO_KEY = ''

export interface UsageRecorder {
  /** Everything a runner brought back, whether or not it was still wanted. */
  add(row: TaskRow | undefined, result: TaskResult): void
  /** Writes each row once, and each sum once. */
  save(): void
}

export function openUsageRecorder(context: CorpusContext): UsageRecorder {
  const rows = new Map<string, Map<string, StageSpent>>()
  const byKey = new Map<string, { [stage: string]: StageSpent }>()
  const keyOf = keysOfJobs(context)
  const read = { chunks: 0, brought: 0, tokens: 0 }
  const holds: string[] = []
  return {
    add(row, result) {
      if (result.hold !== undefined) holds.push(result.hold)
      if (row?.builder === BASE && result.reply.kind === EMBED) {
        read.chunks++
        if (context.graph.chunk(result.reply.node)?.brought) read.brought++
        read.tokens += result.spent.embedded
      }
      const stages = stagesOf(row, result)
      if (Object.keys(stages).length === 0) return
      const document = ownerOf(context, result.reply.node)
      const own = rows.get(document) ?? new Map<string, StageSpent>()
      rows.set(document, own)
      const key = keyOf(row)
      const ofKey = byKey.get(key) ?? {}
      byKey.set(key, ofKey)
      for (const [stage, spent] of Object.entries(stages)) {
        own.set(stage, plus(own.get(stage), spent))
        ofKey[stage] = plus(ofKey[stage], spent)
      }
    },
    save() {
      if (read.chunks > 0) noteRead(context, read)
      let total: StagesSpent = {}
      for (const [document, stages] of rows) {
        for (const [stage, spent] of stages) {
          addToDocument(context.sql, document, rowOf(context, stage, spent))
          total = { ...total, [stage]: plus(total[stage], spent) }
        }
      }
      addToTotals(context, rowsOf(context, total))
      for (const [key, stages] of byKey) addSpendingOfDay(context, key, rowsOf(context, stages))
      if (rows.size + holds.length > 0) endHolds(context, holds.splice(0))
      rows.clear()
      byKey.clear()
      Object.assign(read, { chunks: 0, brought: 0, tokens: 0 })
    },
  }
}

/** The cost of a question, a label or a classification, and the end of its reservation. */
export function chargeStages(context: CorpusContext, stages: StagesSpent, holds: readonly string[] = [], key = NO_KEY): void {
  context.atomically(() => {
    addForNobody(context, rowsOf(context, stages), key)
    endHolds(context, holds)
  })
}

/** In the transaction that has added what it cost: the end of these reservations, in whichever object they were made. */
function endHolds(context: CorpusContext, holds: readonly string[]): void {
  addForNobody(context, settle(context, holds))
  reportSpent(context, { spent: usage(context), isCapped: isCapped(context), holds })
}

/** What a partition has spent, and the end of its reservations here. Inside the caller's transaction. */
export function takeSpent(context: CorpusContext, partition: string, report: Parameters<typeof noteSpentBy>[2]): void {
  const before = budgetShare(context)
  noteSpentBy(context, partition, report)
  noteThreshold(context, before, budgetShare(context))
  addForNobody(context, settle(context, report.holds))
}

/** Reserves what fits into what is left (holds.ts). */
export function reserveHolds(context: CorpusContext, holds: readonly Hold[]): boolean[] {
  return context.atomically(() => {
    countLapsed(context)
    return reserve(context, holds)
  })
}

/** Reservations that were never settled count as spent from now on. In the caller's transaction. */
export function countLapsed(context: CorpusContext): void {
  addForNobody(context, lapse(context))
}

/**
 * Totals, stages, and one page of documents in order of id; the cursor is the id after which it continues, as for `documents`. The sums are
 * stored separately from the documents, so they cover the whole corpus, however few documents are on the page. O(stages and rows read).
 */
export function usageView(context: CorpusContext, cursor: string | null, limit: number, asker?: Asker): UsageView {
  const { sql, config } = context
  const stages = listTotals(sql)
  const shared = listSpendingOf(sql, NOBODY)
  const { rows: shown, next } = shownAfter(context, cursor ?? NOBODY, limit, asker)
  const data = shown.map(({ id: document }) => {
    const rows = listSpendingOf(sql, document)
    return { document, ...summed(rows), stages: stagesView(rows) }
  })
  const { usd, ...tokens } = usage(context)
  const calls = stages.reduce((sum, row) => sum + row.calls, 0)
  return {
    total: { calls, ...tokens, usd, neurons: neuronsOf(usd) },
    stages: stagesView(stages),
    shared: { ...summed(shared), stages: stagesView(shared) },
    rows_published: rowsPublished(context),
    answers: answersView(sql),
    budget: config.budget,
    held: heldView(sql),
    ...(config.prices ? { prices: config.prices } : {}),
    measured: measuredOf(context),
    data,
    next_cursor: next,
  }
}

function answersView(sql: CorpusContext['sql']): UsageView['answers'] {
  const { hits = 0, misses = 0, saved = { calls: 0, in: 0, out: 0, embedded: 0, usd: 0 } } = readMeta(sql, metaKeys.keptAnswers) ?? {}
  return { hits, misses, saved: { ...saved, neurons: neuronsOf(saved.usd) } }
}

function heldView(sql: CorpusContext['sql']): UsageView['held'] {
  const held = heldBesides(sql)
  return { tokens: tokensOf(held), usd: held.usd }
}

function shownAfter(context: CorpusContext, after: string, limit: number, asker: Asker | undefined): Looked<Spender, string> {
  const reads = readsAll(context, asker)
  const list = {
    behind: (id: string, most: number) => listSpendersAfter(context.sql, id, most),
    isShown: ({ accesses }: Spender) => asker === 'all' || (accesses !== null && reads(accesses)),
    placeOf: ({ id }: Spender) => id,
  }
  return lookThrough(list, after, limit)
}

const amountsOf = ({ calls, read, written, embedded, usd }: Omit<SpendingRow, 'stage'>) => {
  return { calls, in: read, out: written, embedded, usd, neurons: neuronsOf(usd) }
}
const stagesView = (rows: readonly SpendingRow[]): UsageView['stages'] => Object.fromEntries(rows.map((row) => [row.stage, amountsOf(row)]))

function summed(rows: readonly SpendingRow[]): UsageView['total'] {
  const sum = (pick: (row: SpendingRow) => number): number => rows.reduce((total, row) => total + pick(row), 0)
  return amountsOf({
    calls: sum((row) => row.calls),
    read: sum((row) => row.read),
    written: sum((row) => row.written),
    embedded: sum((row) => row.embedded),
    usd: sum((row) => row.usd),
  })
}

/** Rows that belong to no document. */
function addForNobody(context: CorpusContext, rows: readonly SpendingRow[], key = NO_KEY): void {
  for (const row of rows) addToDocument(context.sql, NOBODY, row)
  addToTotals(context, rows)
  addSpendingOfDay(context, key, rows)
}

/** The key that brought the work of a task: with several jobs, that of the first. */
function keysOfJobs({ sql }: CorpusContext): (row: TaskRow | undefined) => string {
  const known = new Map<number, string>()
  return (row) => {
    const [job] = row ? (JSON.parse(row.jobs) as number[]) : []
    if (job === undefined) return NO_KEY
    const key = known.get(job) ?? readJobKey(sql, job)
    known.set(job, key)
    return key
  }
}

/** Adds what was spent to the stages' sums and to the total. */
function addToTotals(context: CorpusContext, rows: readonly SpendingRow[]): void {
  for (const row of rows) addToTotal(context.sql, row)
  addUsage(context, rows)
}

function rowsOf(context: CorpusContext, stages: StagesSpent): SpendingRow[] {
  return Object.entries(stages).map(([stage, spent]) => rowOf(context, stage, spent))
}

function rowOf({ config }: CorpusContext, stage: string, spent: StageSpent): SpendingRow {
  const { calls, in: read, out: written, embedded } = spent
  return { stage, calls, read, written, embedded, usd: costOf(config.prices, stage, spent) }
}

/** Vectors are one stage, whatever they are made for; what a writer read and wrote belongs to the task's own stage. */
function stagesOf(row: TaskRow | undefined, { reply, spent, calls }: TaskResult): StagesSpent {
  const { [EMBED]: embeds = 0, ...others } = calls
  const written = Object.values(others).reduce((sum, n) => sum + n, 0)
  const kind = row?.kind ?? (reply.kind === 'unusable' ? Object.keys(others)[0] : reply.kind) ?? EMBED
  const out: { [stage: string]: StageSpent } = {}
  if (written + spent.in + spent.out > 0) out[kind] = { calls: written, in: spent.in, out: spent.out, embedded: 0 }
  if (embeds + spent.embedded > 0) out[EMBED] = plus(out[EMBED], { calls: embeds, in: 0, out: 0, embedded: spent.embedded })
  return out
}

/** The document that a chunk is read for; if several share it, the first by id. */
function ownerOf({ sql, graph }: CorpusContext, node: string): string {
  if (kindOf(node) !== 'chunk') return NOBODY
  return findDocumentAwaiting(sql, node) ?? graph.placements(node)[0]?.document ?? NOBODY
}

function plus(a: StageSpent | undefined, b: StageSpent): StageSpent {
  return a ? { calls: a.calls + b.calls, in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded } : b
}
