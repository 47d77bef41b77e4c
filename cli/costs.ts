/** `loam usage --by key,day`: what was spent, grouped, over all pages of corpora. */
import type { CostRow } from '../src/client/client'
import type { Connection } from './connect'
import { misuse } from './failure'
import { fields, type Output } from './output'
import { table } from './table'

const GROUPS = ['corpus', 'key', 'day', 'stage'] as const
type Group = (typeof GROUPS)[number]

interface Asked {
  readonly connection: Connection
  readonly corpus: string | undefined
  readonly values: {
    readonly by: string
    readonly since?: string | undefined
    readonly until?: string | undefined
    readonly csv?: boolean | undefined
  }
  readonly out: Output
}

export async function showCosts({ connection: { loam }, corpus, values, out }: Asked): Promise<void> {
  const by = groupsIn(values.by)
  const rows = new Map<string, CostRow>()
  let cursor: string | undefined
  do {
    const { costs = [], next_cursor } = await loam.costs(by, { since: values.since, until: values.until, corpus, cursor })
    for (const row of costs) {
      const name = JSON.stringify(by.map((group) => row[group]))
      const held = rows.get(name)
      rows.set(name, held ? sumOf(held, row) : row)
    }
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined)
  const all = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const cells = (row: CostRow) => [...by.map((group) => row[group] ?? ''), row.calls, row.in, row.out, row.embedded, row.usd.toFixed(6)]
  const head = [...by, 'calls', 'in', 'out', 'embedded', 'usd']
  const csv = (): string => [head, ...all.map(cells)].map((line) => line.join(',')).join('\n')
  out.result(all, {
    people: () => (values.csv ? csv() : all.length > 0 ? table(head, all.map(cells), out) : 'Nothing was spent in this period.'),
    plain: () => (values.csv ? csv() : all.map((row) => fields(...cells(row))).join('\n')),
  })
}

function groupsIn(text: string): Group[] {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !GROUPS.some((group) => group === word))
  if (unknown !== undefined) throw misuse(`--by ${unknown}: expected any of ${GROUPS.join(', ')}`)
  return GROUPS.filter((group) => words.includes(group))
}

function sumOf(a: CostRow, b: CostRow): CostRow {
  const sum = (name: 'calls' | 'in' | 'out' | 'embedded' | 'usd' | 'neurons'): number => a[name] + b[name]
  return { ...a, calls: sum('calls'), in: sum('in'), out: sum('out'), embedded: sum('embedded'), usd: sum('usd'), neurons: sum('neurons') }
}
