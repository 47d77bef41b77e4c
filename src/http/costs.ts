/** What corpora have cost by corpus, key, day and stage: rows of their objects, added up as was asked. */
import type { CostRow } from '../contract/usage'
import { atOnce } from '../core/at-once'
import { NEURON_USD } from '../flows/prices'
import { workerLimits } from '../platform-limits'
import type { CorpusRecord } from '../ports/catalogue'
import type { DayRange } from '../ports/seeing'
import type { Ctx } from './context'
import { limitOf, type Parameter } from './parameters'
import { Problem } from './problem'
import type { Wired } from './wired'

const DAY = 86_400_000 // ms
const USUAL = 30 // days
const MAX_DAYS = 400
export const GROUPS = ['corpus', 'key', 'day', 'stage'] as const
export type Group = (typeof GROUPS)[number]
const NO_KEY = 'none' // instead of a key: no request caused it

export const limitOfCorpora = limitOf(100, 200)
const date = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', format: 'date' },
})
export const costParameters: readonly Parameter[] = [
  {
    name: 'by',
    in: 'query',
    description: 'Costs, grouped by any of corpus, key, day and stage, separated by commas.',
    schema: { type: 'string' },
  },
  date('since', `With \`by\`: from this day (UTC); by default the last ${USUAL} days.`),
  date('until', 'With `by`: up to this day; today by default.'),
  { name: 'corpus', in: 'query', description: 'With `by`: only this corpus.', schema: { type: 'string' } },
  {
    name: 'format',
    in: 'query',
    description: 'With `by`: `csv`, one line per group.',
    schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
  },
]

/** Undefined: costs are not asked for. */
export function groupsOf(c: Ctx): readonly Group[] | undefined {
  const said = c.req.query('by')
  if (said === undefined) {
    const extra = costParameters.find(({ name }) => c.req.query(name) !== undefined)
    if (extra) throw invalid(extra.name, 'needs `by`')
    return undefined
  }
  const words = said.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !GROUPS.some((group) => group === word))
  if (unknown !== undefined) throw invalid('by', GROUPS.join(', '))
  return GROUPS.filter((group) => words.includes(group))
}

export function rangeOf(c: Ctx, key: string | null): DayRange {
  const today = Math.floor(c.get('world').now() / DAY)
  const dayOf = (name: string, usual: number): number => {
    const text = c.req.query(name)
    if (text === undefined) return usual
    const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(at)) throw invalid(name, 'a day such as 2026-11-21')
    return Math.floor(at / DAY)
  }
  const until = dayOf('until', today)
  const from = dayOf('since', until - USUAL + 1)
  if (from > until) throw invalid('since', 'is later than `until`')
  if (until - from >= MAX_DAYS) throw invalid('since', `at most ${MAX_DAYS} days`)
  return { from, until, key }
}

export async function costRows(world: Wired, records: readonly CorpusRecord[], range: DayRange, by: readonly Group[]): Promise<CostRow[]> {
  const one = atOnce(workerLimits.safeConnections)
  const all = await Promise.all(
    records.map(async ({ uid, name }) => ({ corpus: name, rows: await one(() => world.seeing(uid).costs(range)) })),
  )
  const sums = new Map<string, CostRow>()
  for (const { corpus, rows } of all) {
    for (const { calls, in: read, out, embedded, usd, ...row } of rows) {
      const named = { ...row, corpus, key: row.key || NO_KEY }
      const group = Object.fromEntries(by.map((name) => [name, named[name]]))
      const name = JSON.stringify(Object.values(group))
      const held = sums.get(name) ?? { ...group, calls: 0, in: 0, out: 0, embedded: 0, usd: 0, neurons: 0 }
      const dollars = held.usd + usd
      sums.set(name, {
        ...held,
        calls: held.calls + calls,
        in: held.in + read,
        out: held.out + out,
        embedded: held.embedded + embedded,
        usd: dollars,
        neurons: Math.round((dollars / NEURON_USD) * 1000) / 1000,
      })
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/** RFC 4180: a header, then one line per group. Only our own names and numbers: nothing needs quoting, and nothing is a formula. */
export function costsAsCsv(rows: readonly CostRow[], by: readonly Group[]): string {
  const head = [...by, 'calls', 'in', 'out', 'embedded', 'usd', 'neurons'] as const
  return [head.join(','), ...rows.map((row) => head.map((name) => row[name] ?? '').join(',')), ''].join('\r\n')
}

function invalid(path: string, message: string): Problem {
  return new Problem('invalid', 'The query string is not valid; see `errors`.', { errors: [{ path, message }] })
}
