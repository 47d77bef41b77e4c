/**
 * Complete answers, kept for anyone who asks the same with the same rights, models and options: bounded in number, size and time, and
 * deleted with the version they were given at, in the transaction that changes it (open-store.ts). So nothing of a deleted document stays
 * in one.
 */
import type { AnswerToKeep, KeptAnswer, NotKept, Recall } from '../../../src/ports/kept-answers'
import type { CorpusContext } from '../store'
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

type Context = Pick<CorpusContext, 'sql' | 'graph' | 'now' | 'atomically'>

export function recallAnswer({ sql, graph, now, atomically }: Context, { key, seconds, minVersion = 0 }: Recall): KeptAnswer | NotKept {
  if (graph.version < minVersion) return { generation: generationOf(sql) }
  const row = readKeptAnswer(sql, key)
  const age = row ? now() - row.made : 0
  if (row?.version !== graph.version || age > seconds * 1000) {
    atomically(() => noteLookup(sql))
    return { generation: generationOf(sql) }
  }
  const kept = JSON.parse(row.answer) as Pick<AnswerToKeep, 'result' | 'saved'>
  atomically(() => noteLookup(sql, kept.saved))
  return { ...kept, age }
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
  { key, seconds, version, generation, result, saved }: AnswerToKeep,
): null {
  const answer = JSON.stringify({ result, saved })
  if (version !== graph.version || generation !== generationOf(sql) || new TextEncoder().encode(answer).length > keptLimits.bytes)
    return null
  atomically(() => {
    deleteAnswersBefore(sql, now() - seconds * 1000)
    writeKeptAnswer(sql, { key, version, made: now(), answer })
    if (countKeptAnswers(sql) > keptLimits.answers) deleteOldAnswers(sql, keptLimits.answers)
  })
  return null
}

/** Answers may differ now, although the version is the same. Inside a transaction. */
export function forgetAnswers({ sql }: Pick<CorpusContext, 'sql'>): void {
  deleteAllAnswers(sql)
  incrementMeta(sql, metaKeys.answersGeneration)
}
