/**
 * Complete answers, kept for anyone who asks the same with the same rights, models and options: bounded in number, size and time, and
 * deleted with the version they were given at, in the transaction that changes it (open-store.ts). So nothing of a deleted document stays
 * in one. One is given no longer when a document has come into force or gone out of it since.
 */
import type { AnswerToKeep, KeptAnswer, NotKept, Recall } from '../../../src/ports/kept-answers'
import { DAY, daysOf } from '../indexing/earlier-statements'
import type { CorpusContext } from '../store'
import { hasBorder } from '../tables/dated'
import { hasEarlierBetween } from '../tables/earlier'
import {
  countKeptAnswers,
  deleteAllAnswers,
  deleteAnswersBefore,
  deleteOldAnswers,
  readKeptAnswer,
  writeKeptAnswer,
} from '../tables/kept-answer'
import { incrementMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'

export const keptLimits = {
  answers: 200, // per corpus
  bytes: 64 * 1024, // in one answer
} as const

type Context = Pick<CorpusContext, 'sql' | 'graph' | 'now' | 'atomically' | 'config'>

export function recallAnswer(context: Context, { key, seconds, minVersion = 0 }: Recall): KeptAnswer | NotKept {
  const { sql, graph, atomically } = context
  const now = context.now()
  if (graph.version < minVersion) return { generation: generationOf(sql), asked: now }
  const row = readKeptAnswer(sql, key)
  const age = row ? now - row.made : 0
  if (row?.version !== graph.version || age > seconds * 1000 || isOvertaken(context, row.made, now)) {
    atomically(() => noteLookup(sql))
    return { generation: generationOf(sql), asked: now }
  }
  const kept = JSON.parse(row.answer) as Pick<AnswerToKeep, 'result' | 'saved'>
  atomically(() => noteLookup(sql, kept.saved))
  return { ...kept, age }
}

/** Between these times a document came into force or went out of it, or what a document said before is told no longer. Three lookups along indexes. */
function isOvertaken({ sql, config }: Context, since: number, now: number): boolean {
  const kept = daysOf({ config }) * DAY
  return hasBorder(sql, since, now) || (kept > 0 && hasEarlierBetween(sql, since - kept, now - kept))
}

const generationOf = (sql: Context['sql']): number => readMeta(sql, metaKeys.answersGeneration) ?? 0

const NOTHING: AnswerToKeep['saved'] = { in: 0, out: 0, embedded: 0, calls: 0, usd: 0 }

/** `found`: what the answer had cost; absent: none was found. Inside a transaction. */
function noteLookup(sql: Context['sql'], found?: AnswerToKeep['saved']): void {
  const { hits, misses = 0, saved } = readMeta(sql, metaKeys.keptAnswers) ?? { hits: 0, saved: NOTHING }
  const more = found ?? NOTHING
  writeMeta(sql, metaKeys.keptAnswers, {
    hits: hits + (found ? 1 : 0),
    misses: misses + (found ? 0 : 1),
    saved: {
      in: saved.in + more.in,
      out: saved.out + more.out,
      embedded: saved.embedded + more.embedded,
      calls: saved.calls + more.calls,
      usd: saved.usd + more.usd,
    },
  })
}

/** Nothing is kept that was made at another version than the served one, or before kept answers were last discarded. */
export function keepAnswer(
  { sql, graph, now, atomically }: Context,
  { key, seconds, version, generation, asked, result, saved }: AnswerToKeep,
): null {
  const answer = JSON.stringify({ result, saved })
  if (version !== graph.version || generation !== generationOf(sql) || new TextEncoder().encode(answer).length > keptLimits.bytes)
    return null
  atomically(() => {
    deleteAnswersBefore(sql, now() - seconds * 1000)
    writeKeptAnswer(sql, { key, version, made: asked, answer })
    if (countKeptAnswers(sql) > keptLimits.answers) deleteOldAnswers(sql, keptLimits.answers)
  })
  return null
}

/** Answers may differ now, although the version is the same. Inside a transaction. */
export function forgetAnswers({ sql }: Pick<CorpusContext, 'sql'>): void {
  deleteAllAnswers(sql)
  incrementMeta(sql, metaKeys.answersGeneration)
}
