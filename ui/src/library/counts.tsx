/** How much there is of everything. */
import { count } from '../shared/numbers'

interface Props {
  readonly counts: Readonly<Record<string, number>>
  readonly version: number
}

export function Counts({ counts, version }: Props) {
  const rows = Object.entries(counts).filter(([, n]) => n > 0)
  if (rows.length === 0) return null
  return (
    <section class="card counts" aria-labelledby="graph">
      <h2 id="graph">The graph</h2>
      <dl>
        {rows.map(([kind, n]) => (
          <div key={kind}>
            <dt>{kind}</dt>
            <dd>{count(n)}</dd>
          </div>
        ))}
      </dl>
      <p class="fine">Version {version}</p>
    </section>
  )
}
