/** What can be checked in a corpus: the receipts of its changes, and the questions that no change of its graph may lose. */
import { lacking } from '../access/rights'
import { IN_PART, seesWhole } from '../access/whole-sight'
import { Probes, ProbesForWriters } from '../checks/probes'
import { Receipts } from '../checks/receipts'
import { Empty } from '../shared/notices'
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
      {!seesWhole(corpus) ? (
        <Empty title="For those who may read all of it">
          <p>{IN_PART}</p>
        </Empty>
      ) : view === 'receipts' ? (
        <Receipts corpus={corpus} query={query} />
      ) : lacking('write') === '' ? (
        <Probes corpus={corpus} query={query} />
      ) : (
        <ProbesForWriters />
      )}
    </>
  )
}
