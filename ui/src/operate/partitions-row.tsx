/** Partitions for a corpus that has none, or another number of them, while it answers. */
import { useState } from 'preact/hooks'
import type { Corpus, RepartitionEstimate } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { follow } from '../jobs/followed'
import { go } from '../route'
import { useConfirm } from '../shared/confirm'
import { corpusAt } from '../shared/loam'
import { count, dollars, plural } from '../shared/numbers'
import { optionalInPartitions } from '../strategies/strategies'

const TAKEN = { min: 2, max: 64 } // by `:repartition`
const FIRST = 4 // proposed for a corpus that has none
const COST =
  'The documents move with their vectors into new partitions, while the corpus answers; nothing is embedded again. Towards the end, changes are told to come again for up to twenty seconds at a time. The list of jobs, the receipts and the place in long lists begin anew.'

export function PartitionsRow({
  corpus: { corpus, partitions, strategies },
  fail,
}: {
  readonly corpus: Corpus
  readonly fail: (fault: unknown) => void
}) {
  const isAlone = partitions === 1
  const [wanted, want] = useState(isAlone ? FIRST : partitions)
  const { ask, dialog } = useConfirm()
  const kept = strategies.filter((name) => optionalInPartitions.includes(name))
  const lost = strategies.filter((name) => !optionalInPartitions.includes(name))
  const loss = isAlone && lost.length > 0 ? ` These strategies end with it, since partitions do not offer them: ${lost.join(', ')}.` : ''
  const final = isAlone ? ' A corpus cannot be made one without partitions again.' : ''
  const divide = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      const cost = costWords(await corpusAt(corpus).repartitionEstimate(wanted))
      const text = `${COST}${loss}${final} ${cost}`
      if (!(await ask({ title: `Divide “${corpus}” among ${wanted} partitions?`, text, yes: 'Divide' }))) return
      const { job } = await corpusAt(corpus).repartition(wanted, isAlone ? kept : undefined)
      go(['c', corpus])
      await follow(corpus, job, isAlone ? `${wanted} partitions` : `${partitions} to ${wanted} partitions`)
    } catch (error) {
      fail(error)
    }
  }
  return (
    <li>
      {dialog}
      <form class="row" onSubmit={divide}>
        <span class="grow">
          {isAlone ? 'One object holds its documents; several hold more' : 'How many objects hold its documents between them'}{' '}
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
