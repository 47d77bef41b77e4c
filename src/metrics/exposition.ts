/**
 * Prometheus's text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/): each family once, with HELP and TYPE
 * before its series, buckets in ascending order with `+Inf` last. Pure.
 */
import type { Samples } from '../ports/metrics'
import { type Family, families } from './families'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** All series given, family by family in the order of declaration; series of undeclared families are left out. */
export function exposition(samples: Samples): string {
  const byFamily = new Map<string, [string, number][]>()
  for (const [series, value] of Object.entries(samples)) {
    const family = familyOf(series)
    if (family === undefined) continue
    const rows = byFamily.get(family) ?? []
    byFamily.set(family, rows)
    rows.push([series, value])
  }
  const blocks = Object.entries(families).flatMap(([name, family]) => {
    const rows = byFamily.get(name)
    return rows ? [blockOf(name, family, rows)] : []
  })
  return `${blocks.join('\n')}\n`
}

function blockOf(name: string, { help, type }: Family, rows: [string, number][]): string {
  rows.sort(([a], [b]) => compare(sortKey(a), sortKey(b)))
  const lines = rows.map(([series, value]) => `${series} ${valueText(value)}`)
  return [`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`, ...lines].join('\n')
}

function familyOf(series: string): string | undefined {
  const name = /^[a-z_]+/.exec(series)?.[0] ?? ''
  if (families[name]) return name
  const base = name.replace(/_(bucket|sum|count)$/, '')
  return families[base]?.type === 'histogram' ? base : undefined
}

/** Series with the same labels together: buckets by their bound, then sum and count. */
function sortKey(series: string): readonly [labels: string, part: number, bound: number] {
  const [, suffix = '', labels = '', le] = /^[a-z_]+?(_bucket|_sum|_count)?(?:\{(.*?)(?:,?le="([^"]*)")?\})?$/.exec(series) ?? []
  const part = ['', '_bucket', '_sum', '_count'].indexOf(suffix)
  return [labels, part, le === undefined ? 0 : le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)]
}

function compare(a: ReturnType<typeof sortKey>, b: ReturnType<typeof sortKey>): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1
  if (a[1] !== b[1]) return a[1] - b[1]
  return a[2] === b[2] ? 0 : a[2] < b[2] ? -1 : 1
}

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}
