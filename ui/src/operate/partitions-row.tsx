/** Another number of partitions for a corpus that has some, while it answers. */
import { useState } from 'preact/hooks'
import type { Corpus, RepartitionEstimate } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { follow } from '../jobs/followed'
import { go } from '../route'
import { useConfirm } from '../shared/confirm'
import { corpusAt } from '../shared/loam'
import { count, dollars, plural } from '../shared/numbers'

const TAKEN = { min: 2, max: 64 } // by `:repartition`: a corpus without partitions cannot be divided in place, nor be made from one with some
const COST =
  'The documents move with their vectors into new partitions, while the corpus answers; nothing is embedded again. Towards the end, changes are told to come again for up to twenty seconds at a time. The list of jobs, the receipts and the place in long lists begin anew.'

export function PartitionsRow({
  corpus: { corpus, partitions },
  fail,
}: {
  readonly corpus: Corpus
  readonly fail: (fault: unknown) => void
}) {
  const [wanted, want] = useState(partitions)
  const { ask, dialog } = useConfirm()
  const divide = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      const cost = costWords(await corpusAt(corpus).repartitionEstimate(wanted))
      if (!(await ask({ title: `Divide “${corpus}” among ${wanted} partitions?`, text: `${COST} ${cost}`, yes: 'Divide' }))) return
      const { job } = await corpusAt(corpus).repartition(wanted)
      go(['c', corpus])
      await follow(corpus, job, `${partitions} to ${wanted} partitions`)
    } catch (error) {
      fail(error)
    }
  }
  return (
    <li>
      {dialog}
      <form class="row" onSubmit={divide}>
        <span class="grow">
          How many objects hold its documents between them{' '}
          <label class="inline">
            Partitions{' '}
            <input
              type="number"
              class="short"
              required
              min={TAKEN.min}
              max={TAKEN.max}
              value={wanted}
              onInput={(event) => want(event.currentTarget.valueAsNumber)}
            />
          </label>
        </span>
        <button type="submit" disabled={wanted === partitions || lacking('admin') !== ''} title={lacking('admin')}>
          Divide
        </button>
      </form>
    </li>
  )
}

export function costWords({ estimate: { documents, rows, bytes, vectors, summaries } }: RepartitionEstimate): string {
  const anew = summaries.calls > 0 ? ` Summaries are written again: at most about ${dollars(summaries.usd)}.` : ''
  return `${plural(documents, 'document')}: ${count(rows.min)} to ${count(rows.max)} rows of the database are written, and until it is done the database holds about ${count(Math.max(1, Math.round(bytes / 1e6)))} MB more and the index ${plural(vectors, 'vector')} more.${anew}`
}
