/** What the corpus has cost on each of the last 30 days, as bars, with the keys that cost most. */
import type { CostRow } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { loam } from '../shared/loam'
import { Failure } from '../shared/notices'
import { dollars, plural } from '../shared/numbers'

const DAYS = 30
const DAY = 86_400_000 // ms
const MOST_KEYS = 5
const HEIGHT = 80 // of the tallest bar
const STEP = 10 // from bar to bar

export function DaysCard({ corpus, version }: { readonly corpus: string; readonly version: number }) {
  const { value, fault, again } = useLoad((signal) => loam({ signal }).costs(['key', 'day'], { corpus }), [corpus, version])
  const rows = value?.costs ?? []
  const days = lastDays(rows)
  const keys = Object.entries(sumBy(rows, ({ key = 'none' }) => key)).toSorted(([, a], [, b]) => sizeOf(b, rows) - sizeOf(a, rows))
  return (
    <section class="card" aria-labelledby="days">
      <h2 id="days">The last {DAYS} days</h2>
      <Failure fault={fault} again={again} />
      {value && rows.length === 0 && <p class="fine">Nothing was spent on these days.</p>}
      {rows.length > 0 && (
        <>
          <Plot days={days} rows={rows} />
          <DayTable days={days} />
          <table class="list">
            <caption>Most expensive keys</caption>
            <tbody>
              {keys.slice(0, MOST_KEYS).map(([key, one]) => (
                <Row key={key} name={key === 'none' ? 'no key' : key} isId of={one} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

type Sum = Pick<CostRow, 'usd' | 'in' | 'out' | 'embedded'>

interface PlotProps {
  readonly days: readonly (readonly [day: string, sum: Sum])[]
  readonly rows: readonly CostRow[]
}

function Plot({ days, rows }: PlotProps) {
  const most = Math.max(...days.map(([, one]) => sizeOf(one, rows)), 1e-12)
  const all = days.reduce((sum, [, one]) => sum + one.usd, 0)
  return (
    <svg class="days" viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`} role="img" aria-label={`${dollars(all)} in ${DAYS} days`}>
      {days.map(([day, one], i) => {
        const height = (HEIGHT * sizeOf(one, rows)) / most
        return (
          <rect key={day} x={i * STEP} y={HEIGHT - height} width={STEP - 2} height={height}>
            <title>{`${day}: ${dollars(one.usd)}, ${plural(tokensOf(one), 'token')}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

interface RowProps {
  readonly name: string
  readonly isId?: boolean
  readonly of: Sum
}

function Row({ name, isId, of }: RowProps) {
  return (
    <tr>
      <th scope="row" class={isId ? 'id' : undefined}>
        {name}
      </th>
      <td class="number">
        {dollars(of.usd)} <span class="fine">{plural(tokensOf(of), 'token')}</span>
      </td>
    </tr>
  )
}

/** The plot's content, in figures. */
function DayTable({ days }: Pick<PlotProps, 'days'>) {
  return (
    <details>
      <summary>As a table</summary>
      <table class="list">
        <caption class="visually-hidden">Cost and tokens by day; days without any are left out</caption>
        <tbody>
          {days
            .filter(([, one]) => one.usd > 0 || tokensOf(one) > 0)
            .map(([day, one]) => (
              <Row key={day} name={day} of={one} />
            ))}
        </tbody>
      </table>
    </details>
  )
}

function lastDays(rows: readonly CostRow[]): PlotProps['days'] {
  const sums = sumBy(rows, ({ day = '' }) => day)
  const today = Math.floor(Date.now() / DAY)
  return Array.from({ length: DAYS }, (_, i) => {
    const day = new Date((today - DAYS + 1 + i) * DAY).toISOString().slice(0, 10)
    return [day, sums[day] ?? { usd: 0, in: 0, out: 0, embedded: 0 }] as const
  })
}

function sumBy(rows: readonly CostRow[], nameOf: (row: CostRow) => string): { readonly [name: string]: Sum } {
  const sums: { [name: string]: Sum } = {}
  for (const row of rows) {
    const held = sums[nameOf(row)] ?? { usd: 0, in: 0, out: 0, embedded: 0 }
    sums[nameOf(row)] = {
      usd: held.usd + row.usd,
      in: held.in + row.in,
      out: held.out + row.out,
      embedded: held.embedded + row.embedded,
    }
  }
  return sums
}

/** Dollars; tokens if everything is free. */
const sizeOf = (one: Sum, rows: readonly CostRow[]): number => (rows.every(({ usd }) => usd === 0) ? tokensOf(one) : one.usd)
const tokensOf = (one: Sum): number => one.in + one.out + one.embedded
