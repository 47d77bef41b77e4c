/**
 * The progress of jobs: documents, chunks and texts are counted separately, in the transactions that change them, so that reading it takes
 * one row and a restart loses nothing. The corpus's row counts what was accepted and done since it was last settled, and how long such work
 * took lately; a job remembers where its own work ends in that sequence, since work is done in the order of acceptance.
 */
import type { Count, Progress } from '../../../src/contract/jobs'
import type { Placed } from '../../../src/core/graph/types'
import type { Sql } from '../../sql'
import { PART } from '../limits'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Ahead, CorpusProgress, Unit } from '../tables/meta-values'

/** What a job brings, and how much of it is done. */
export interface Counted {
  readonly documents: { done: number; total: number }
  readonly chunks: { done: number; total: number }
  readonly texts: { done: number; total: number }
  /** Open tasks whose texts are counted here. */
  embeds: number
  /** Where its work ends in the corpus's sequence. */
  ends: Ahead
}

const NONE: Count = { done: 0, total: 0 }
export const NO_PROGRESS: CorpusProgress = {
  documents: NONE,
  chunks: NONE,
  texts: NONE,
  tasks: 0,
  accepted: { chunks: 0, texts: 0 },
  past: { chunks: 0, texts: 0 },
  pace: {},
}
const LATEST = 0.3 // weight of the latest measurement in a pace
const PAUSE = 120_000 // ms; a longer gap is an interruption, and says nothing about a pace

export const emptyCounts = (): Counted => ({
  documents: { done: 0, total: 0 },
  chunks: { done: 0, total: 0 },
  texts: { done: 0, total: 0 },
  embeds: 0,
  ends: { chunks: 0, texts: 0 },
})

export function readProgress(sql: Sql): CorpusProgress {
  return readMeta(sql, metaKeys.progress) ?? NO_PROGRESS
}

/** A job before and after, as far as it is counted. */
export interface CountChange {
  readonly before: { readonly counted: Counted; readonly open: number }
  readonly now: { readonly counted: Counted; readonly open: number }
}

/** Adds what jobs have received and done to the corpus's row. When all jobs have ended, counting starts again. */
export function advanceProgress(sql: Sql, jobs: readonly CountChange[], isSettled: boolean): void {
  const before = readProgress(sql)
  const line = jobs.reduce(advanced, before)
  const next = isSettled ? { ...NO_PROGRESS, pace: line.pace } : line
  if (JSON.stringify(next) !== JSON.stringify(before)) writeMeta(sql, metaKeys.progress, next)
}

function advanced(line: CorpusProgress, { before, now }: CountChange): CorpusProgress {
  const [was, is] = [before.counted, now.counted]
  const sum = (name: 'documents' | 'chunks' | 'texts'): Count => ({
    done: line[name].done + is[name].done - was[name].done,
    total: line[name].total + is[name].total - was[name].total,
  })
  const more = (name: keyof Ahead): number => Math.max(0, is[name].total - was[name].total)
  const less = (name: keyof Ahead): number => Math.max(0, is[name].done - was[name].done) + Math.max(0, was[name].total - is[name].total)
  const accepted = { chunks: line.accepted.chunks + more('chunks'), texts: line.accepted.texts + more('texts') }
  const past = { chunks: line.past.chunks + less('chunks'), texts: line.past.texts + less('texts') }
  if (more('chunks') + more('texts') > 0) is.ends = accepted
  const tasks = line.tasks + (now.open - is.embeds) - (before.open - was.embeds)
  return { ...line, documents: sum('documents'), chunks: sum('chunks'), texts: sum('texts'), tasks, accepted, past }
}

/** A version that its job will not complete. */
export function uncountRevision(counted: Counted, { placed }: { readonly placed: string }): void {
  counted.documents.total--
  counted.chunks.total -= new Set((JSON.parse(placed) as Placed[]).map((one) => one.chunk)).size
}

/** This many took this long. */
export function notePace(sql: Sql, unit: Unit, count: number, ms: number): void {
  if (count <= 0 || ms <= 0 || ms > PAUSE) return
  const line = readProgress(sql)
  const known = line.pace[unit]
  const latest = ms / count
  const pace = { ...line.pace, [unit]: rounded(known === undefined ? latest : known + LATEST * (latest - known)) }
  writeMeta(sql, metaKeys.progress, { ...line, pace })
}

/** For a job whose other tasks are `tasks`; for the corpus, of all jobs. */
export function progressOfJob(line: CorpusProgress, { documents, chunks, texts, ends }: Counted, tasks: number, isOpen: boolean): Progress {
  const ahead = (name: keyof Ahead, own: Count): number => Math.max(own.total - own.done, ends[name] - line.past[name])
  const left = isOpen ? secondsLeft(line, { chunks: ahead('chunks', chunks), texts: ahead('texts', texts) }, tasks) : undefined
  return { documents, chunks, texts, ...rateOf(line, isOpen), ...(left === undefined ? {} : { seconds_left: left }) }
}

export function progressOfCorpus(line: CorpusProgress): Progress {
  const { documents, chunks, texts } = line
  const ahead = { chunks: chunks.total - chunks.done, texts: texts.total - texts.done }
  const left = secondsLeft(line, ahead, line.tasks)
  return { documents, chunks, texts, ...rateOf(line, true), ...(left === undefined ? {} : { seconds_left: left }) }
}

/**
 * Undefined where it is not known, or nothing is left that has a pace. What is taken in at once is timed with its texts; more than that takes
 * a time of its own, of which the texts say nothing.
 */
function secondsLeft({ pace }: CorpusProgress, ahead: Ahead, tasks: number): number | undefined {
  if (ahead.texts > 0 && pace.text === undefined) return undefined
  if (ahead.chunks > PART && pace.chunk === undefined) return undefined
  const ms = ahead.texts * (pace.text ?? 0) + ahead.chunks * (pace.chunk ?? 0) + Math.max(0, tasks) * (pace.task ?? 0)
  return ms > 0 ? Math.ceil(ms / 1000) : undefined
}

function rateOf({ pace }: CorpusProgress, isOpen: boolean): Pick<Progress, 'rate'> {
  if (!isOpen || (pace.text === undefined && pace.chunk === undefined && pace.task === undefined)) return {}
  const perSecond = (unit: Unit, name: string) => (pace[unit] ? { [name]: rounded(1000 / pace[unit]) } : {})
  return { rate: { ...perSecond('text', 'texts'), ...perSecond('chunk', 'chunks'), ...perSecond('task', 'tasks') } }
}

/** To three digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
