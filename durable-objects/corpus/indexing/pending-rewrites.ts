/**
 * Texts that were extracted because the text model was unavailable. Their nodes are remembered by id, and when the model is back it is asked for them, a
 * limited number per tick; while it is unavailable, for one now and then. What has been requested is forgotten here: its task represents it from then on,
 * and if the reply is extracted once more, it is remembered again.
 */
import type { CorpusHealth } from '../../../src/contract/health'
import { kindOf } from '../../../src/core/ids'
import type { TaskResult } from '../../../src/ports/tasks'
import type { Sql } from '../../sql'
import { isBudgetExhausted } from '../billing/admission'
import { isIntegrating } from '../jobs/integration-state'
import { publish } from '../jobs/publish'
import { addTasks } from '../jobs/tasks'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { WriterOutage } from '../tables/meta-values'
import { CANDIDATE_PREFIX, hasAnyTask } from '../tables/task'
import {
  countUnwrittenWithout,
  deleteAllUnwritten,
  deleteUnwritten,
  hasUnwritten,
  insertUnwritten,
  listUnwritten,
} from '../tables/unwritten'

const AT_ONCE = 100 // texts requested in one tick when the model is available
const CONSIDERED = 1000 // rows from which these are chosen
const FIRST_PAUSE = 600_000 // ms until an unavailable model is tried; then twice as long each time
const MAX_PAUSE = 6 * 3_600_000 // ms

/**
 * What these results, whose texts were accepted, tell about the text model, and about the texts still pending. `writer`: is there one for
 * this builder?
 */
export function recordWrittenText(context: CorpusContext, builder: string, { reply, spent }: TaskResult, writer: boolean): void {
  const { sql } = context
  const answered = spent.in + spent.out > 0
  if (answered) deleteMeta(sql, metaKeys.writerOutage)
  if (!('generator' in reply)) return
  // Extracted although the model has answered: its reply was unusable, and would be tomorrow too.
  if (reply.generator === 'model' || answered || !writer) {
    deleteUnwritten(sql, builder, [reply.node])
    return
  }
  insertUnwritten(sql, { builder, node: reply.node })
  recordOutage(context)
}

function recordOutage({ sql, now }: CorpusContext): void {
  const known = readOutage(sql)
  if (known && known.due > now()) return // the same outage: nothing new
  const pause = known ? Math.min(MAX_PAUSE, 2 * known.pause) : FIRST_PAUSE
  writeMeta(sql, metaKeys.writerOutage, { due: now() + pause, pause })
}

function readOutage(sql: Sql): WriterOutage | undefined {
  return readMeta(sql, metaKeys.writerOutage)
}

/** Texts still pending in the served graph, counted up to `most`. */
export function pendingRewrites({ sql }: Pick<CorpusContext, 'sql'>, most: number): CorpusHealth['owed'] {
  return { texts: countUnwrittenWithout(sql, CANDIDATE_PREFIX, most), retry_at: readOutage(sql)?.due ?? null }
}

/** When a text may be requested again; null: none is remembered, or nothing may be spent on it. */
export function nextRewriteAt(context: CorpusContext): number | null {
  const { sql } = context
  if (!hasUnwritten(sql) || isBudgetExhausted(context) || hasAnyTask(sql)) return null
  return readOutage(sql)?.due ?? 0
}

/** Requests some of them, inside the schedule's transaction; true if there were any. No job waits for them. */
export function requestRewrites(context: CorpusContext): boolean {
  const { sql, config, now } = context
  if (!config.settings.writer) deleteAllUnwritten(sql) // there is no text model
  const out = readOutage(sql)
  if ((out && out.due > now()) || isBudgetExhausted(context) || isIntegrating(context) || hasAnyTask(sql)) return false
  const chosen = chooseRewrites(context, out ? 1 : AT_ONCE)
  let hasRequested = false
  for (const [builder, nodes] of chosen) {
    deleteUnwritten(sql, builder, nodes)
    const update = context.builders.find((one) => one.name === builder)?.again?.(context.graph, nodes, config.settings)
    if (!update || update.patch.length + update.tasks.length === 0) continue
    if (update.patch.length > 0) {
      context.graph.apply(update.patch, context.graph.version + 1)
      publish(context, [], update.patch)
    }
    addTasks(sql, update.tasks, [])
    hasRequested ||= update.tasks.length > 0
  }
  return hasRequested
}

/** Those below one text are requested together, so that it is rewritten once; descriptions of entities before everything written from them. By builder. */
function chooseRewrites({ sql, graph }: CorpusContext, limit: number): ReadonlyMap<string, readonly string[]> {
  const rows = listUnwritten(sql, CONSIDERED)
  const entities = rows.filter(({ node }) => kindOf(node) === 'entity')
  const placed = (entities.length > 0 ? entities : rows).map((row) => ({
    ...row,
    place: [...textsAbove(graph, row.node)].reverse().join(' '),
  }))
  const order = placed.sort((a, b) => (a.place === b.place ? (a.node < b.node ? -1 : 1) : a.place < b.place ? -1 : 1))
  const chosen = new Map<string, string[]>()
  for (const { builder, node } of order.slice(0, limit)) chosen.set(builder, [...(chosen.get(builder) ?? []), node])
  return chosen
}

/** A node and the texts it is part of, from the bottom up. */
function* textsAbove(graph: CorpusContext['graph'], node: string): Generator<string> {
  const kind = kindOf(node) === 'entity' ? 'community' : kindOf(node)
  for (let at: string | undefined = node; at !== undefined; ) {
    yield at
    at = graph.edges('member', at).find((edge) => kindOf(edge.target) === kind)?.target
  }
}
