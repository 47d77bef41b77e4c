/** What newer documents replaced, and where documents contradict each other. */
import type { QueryResult } from '../../../src/client/client'
import { DocumentDates } from '../shared/dates'
import { clip } from '../shared/numbers'
import type { Place } from './source-panel'

const SHOWN = 200 // characters of a statement

type Told = Pick<QueryResult, 'superseded' | 'conflicts'>
type Statement = NonNullable<Told['conflicts']>[number]['statements'][number]

interface Props {
  readonly told: Told
  readonly open: (place: Place) => void
}

export function Disagreements({ told: { superseded = [], conflicts = [] }, open }: Props) {
  return (
    <>
      {conflicts.map(({ statements }) => (
        <section class="notice" key={statements.map((one) => one.id).join()}>
          <p>The documents contradict each other:</p>
          <Statements statements={statements} open={open} />
        </section>
      ))}
      {superseded.map(({ current, replaced, earlier = [] }) => (
        <section class="fine" key={current.id + current.start}>
          <p>
            {replaced.length > 0 ? 'A newer document contradicts an older one:' : 'A newer version of this document says something else:'}
          </p>
          <Statements statements={[current, ...replaced]} open={open} />
          {earlier.length > 0 && <Earlier statements={earlier} />}
        </section>
      ))}
    </>
  )
}

/** What older versions of the same document said: it is in no document any more, so there is nothing to open. */
function Earlier({
  statements,
}: {
  readonly statements: readonly NonNullable<NonNullable<Told['superseded']>[number]['earlier']>[number][]
}) {
  return (
    <ul>
      {statements.map((one) => (
        <li key={one.replaced_at + one.quote}>
          “{clip(one.quote, SHOWN)}” <span class="fine">an older version, until {one.replaced_at.slice(0, 10)}</span>
        </li>
      ))}
    </ul>
  )
}

function Statements({ statements, open }: { readonly statements: readonly Statement[]; readonly open: Props['open'] }) {
  return (
    <ul>
      {statements.map((one) => (
        <li key={one.id + one.start}>
          <button type="button" class="small quiet" onClick={() => open(one)}>
            “{clip(one.quote, SHOWN)}”
          </button>{' '}
          <span class="fine">{one.title || one.document}</span> <DocumentDates dates={one.dates} />
        </li>
      ))}
    </ul>
  )
}
