/** What can be checked of a corpus: the receipts of what became of it, and the questions no change of its graph may lose. */
import { Probes } from '../checks/probes'
import { Receipts } from '../checks/receipts'
import { to } from '../route'
import type { TabProps } from './corpus'

const VIEWS = [
  ['receipts', 'Receipts'],
  ['probes', 'Probes'],
] as const

export function ChecksPage({ corpus, query }: TabProps) {
  const view = query.get('view') === 'probes' ? 'probes' : 'receipts'
  return (
    <>
      <h1 class="visually-hidden">Checks of {corpus.corpus}</h1>
      <nav class="views" aria-label="What to check">
        {VIEWS.map(([piece, name]) => (
          <a key={piece} href={to(['c', corpus.corpus, 'checks'], { view: piece })} aria-current={view === piece ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {view === 'probes' ? <Probes corpus={corpus} query={query} /> : <Receipts corpus={corpus} query={query} />}
    </>
  )
}
