/** What can be checked in a corpus: the receipts of its changes, and the questions that no change of its graph may lose. */
import { lacking } from '../access/rights'
import { Probes, ProbesForWriters } from '../checks/probes'
import { Receipts } from '../checks/receipts'
import { Views } from '../shared/views'
import type { TabProps } from './tab-props'

const VIEWS = [
  ['receipts', 'Receipts'],
  ['probes', 'Probes'],
] as const

export function ChecksPage({ corpus, query }: TabProps) {
  const view = query.get('view') === 'probes' ? 'probes' : 'receipts'
  return (
    <>
      <h1 class="visually-hidden">Checks of {corpus.corpus}</h1>
      <Views label="What to check" path={['c', corpus.corpus, 'checks']} views={VIEWS} shown={view} />
      {view === 'receipts' && <Receipts corpus={corpus} query={query} />}
      {view === 'probes' && (lacking('write') === '' ? <Probes corpus={corpus} query={query} /> : <ProbesForWriters />)}
    </>
  )
}
