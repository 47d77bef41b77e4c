/**
 * What a run of the production configuration found, as it is kept: `measured/production.json`, with its date and what stood in for the models. the table of docs/measured.md is
 * made from this file alone (`npm run bench quality/readme`), so no row of it comes from another run or another configuration.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname } from 'node:path'
import { summary } from './measure'
import { type Interval, mean, pairedBootstrap } from './metrics/ranking'
import type { Result } from './report'

export const RECORD = 'bench/quality/measured/production.json'
const BASE = 'hybrid'

export interface Record {
  /** Day of the run. */
  readonly date: string
  /** Processes that waited for the two cores when it ended, on average of the last quarter of an hour. */
  readonly load: number
  readonly embedding: string
  readonly reranker: string
  readonly sets: readonly { readonly name: string; readonly questions: number }[]
  /** Of the re-ranker, where it was measured. */
  readonly weights: readonly { readonly set: string; readonly titles: boolean; readonly weight: number }[]
  readonly rows: readonly RecordRow[]
}

export interface RecordRow {
  readonly contender: string
  readonly titles: boolean
  readonly recall2: number
  /** A summary or report that is shown takes a rank. */
  readonly recall5: number
  readonly bySet: { readonly [set: string]: number }
  /** At 5; absent for the base itself. */
  readonly against?: Interval
}

interface Run {
  readonly results: readonly Result[]
  readonly weights: Record['weights']
  readonly embedding: string
  readonly reranker: string
}

export function record({ results, weights, embedding, reranker }: Run, now = new Date()): Record {
  const sets = [...new Set(results.map((one) => one.set))]
  const conditions = [...new Set(results.map((one) => one.titles))]
  const contenders = [...new Set(results.map((one) => one.contender))]
  const rowsOf = (contender: string, set: string, titles: boolean) =>
    results.find((one) => one.contender === contender && one.set === set && one.titles === titles)?.rows ?? []
  const ranked = (contender: string, set: string, titles: boolean) => rowsOf(contender, set, titles).map((row) => 100 * row.ranked5)
  const rows = conditions.flatMap((titles) =>
    contenders.map((contender): RecordRow => {
      const bySet = sets.map((set) => [set, mean(ranked(contender, set, titles))] as const)
      const pairs = sets.map((set) => ({ a: ranked(contender, set, titles), b: ranked(BASE, set, titles) }))
      return {
        contender,
        titles,
        recall2: mean(sets.map((set) => summary(rowsOf(contender, set, titles)).recall2)),
        recall5: mean(bySet.map(([, value]) => value)),
        bySet: Object.fromEntries(bySet),
        ...(contender === BASE || !contenders.includes(BASE) ? {} : { against: pairedBootstrap(pairs) }),
      }
    }),
  )
  const questions = (name: string) => results.find((one) => one.set === name)?.rows.length ?? 0
  return {
    date: now.toISOString().slice(0, 10),
    load: Math.round(loadavg()[2] ?? 0),
    embedding,
    reranker,
    sets: sets.map((name) => ({ name, questions: questions(name) })),
    weights,
    rows,
  }
}

export function keepRecord(kept: Record): void {
  mkdirSync(dirname(RECORD), { recursive: true })
  writeFileSync(RECORD, `${JSON.stringify(kept, null, 2)}\n`)
}
