/** A series as Prometheus writes it, and which series an event adds to. Pure. */
import type { Labels } from '../ports/metrics'
import { families } from './families'

/** `name{label="value"}`, with labels in the order the family declares; throws for an undeclared family or label. */
export function seriesOf(
  family: string,
  labels: Labels,
  { suffix = '', le }: { readonly suffix?: string; readonly le?: string } = {},
): string {
  const declared = families[family]
  if (!declared) throw new Error(`metrics: ${family} is not declared`)
  const given = declared.labels.map((name) => {
    const value = labels[name]
    if (value === undefined) throw new Error(`metrics: ${family} lacks the label ${name}`)
    return `${name}="${escaped(value)}"`
  })
  const all = le === undefined ? given : [...given, `le="${le}"`]
  return `${family}${suffix}${all.length > 0 ? `{${all.join(',')}}` : ''}`
}

/** The series that one observation adds to, each with its amount: cumulative buckets, sum and count. */
export function observed(family: string, labels: Labels, seconds: number): readonly (readonly [series: string, by: number])[] {
  const buckets = families[family]?.buckets ?? []
  const within = buckets.map((le): [string, number] => [
    seriesOf(family, labels, { suffix: '_bucket', le: String(le) }),
    seconds <= le ? 1 : 0,
  ])
  return [
    ...within,
    [seriesOf(family, labels, { suffix: '_bucket', le: '+Inf' }), 1],
    [seriesOf(family, labels, { suffix: '_sum' }), seconds],
    [seriesOf(family, labels, { suffix: '_count' }), 1],
  ]
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
