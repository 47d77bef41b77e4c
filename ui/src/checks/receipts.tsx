/** The receipts of a corpus, newest first, and the check of their chain. */
import { useEffect, useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { ChainCheck } from './chain-check'
import { receiptsUpTo } from './latest-receipts'
import { ReceiptEntry } from './receipt-entry'

const SHOWN = 20

interface Props {
  readonly corpus: Corpus
  readonly query: URLSearchParams
}

export function Receipts({ corpus, query }: Props) {
  const { corpus: name, version, counts } = corpus
  const wanted = Number(query.get('v')) || 0
  const [upto, turn] = useState(wanted || version)
  useEffect(() => turn(wanted || version), [wanted, version])
  const list = useLoad((signal) => receiptsUpTo(name, upto, SHOWN, signal), [name, upto])
  const jobs = useLoad((signal) => corpusAt(name, signal).jobs({ limit: 200 }), [name, version])
  if (version === 0) {
    return (
      <Empty title="No receipts yet">
        <p>
          Every change leaves a receipt of what it touched. <a href={to(['c', name])}>Add a document</a> to see the first one.
        </p>
      </Empty>
    )
  }
  const known = new Map((jobs.value?.data ?? []).map((job) => [job.job, job]))
  const { value, fault, again } = list
  return (
    <div class="columns even">
      <section class="card" aria-labelledby="receipts">
        <h2 id="receipts">Receipts</h2>
        <p class="fine">
          One per change, newest first: what was added, forgotten or consolidated, and what that touched. They contain no text and are kept
          as long as the corpus.
        </p>
        <Failure fault={fault} again={again} />
        {!value && !fault && <Busy />}
        <ul class="plain linked receipts">
          {value?.map((one) => (
            <ReceiptEntry key={one.version} corpus={name} receipt={one} jobs={known} counts={counts} open={one.version === wanted} />
          ))}
        </ul>
        {(upto < version || upto > SHOWN) && (
          <p class="row">
            {upto < version && (
              <button type="button" onClick={() => turn(version)}>
                Newest
              </button>
            )}
            {upto > SHOWN && (
              <button type="button" onClick={() => turn(upto - SHOWN)}>
                Older
              </button>
            )}
          </p>
        )}
      </section>
      <ChainCheck corpus={name} />
    </div>
  )
}
