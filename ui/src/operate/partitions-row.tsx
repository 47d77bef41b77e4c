/** Another number of partitions for a corpus that has some, while it answers. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { follow } from '../jobs/followed'
import { go } from '../route'
import { useConfirm } from '../shared/confirm'
import { corpusAt } from '../shared/loam'

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
    if (!(await ask({ title: `Divide “${corpus}” among ${wanted} partitions?`, text: COST, yes: 'Divide' }))) return
    try {
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
