/** What to do about a job: cancel it while possible, try it again, or look where its obstacle is explained. */

import { useState } from 'preact/hooks'
import type { Job } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { faultWords } from './fault-words'
import { follow, hasEnded } from './followed'

const REFUSED = 'refused: '
const OF_DOCUMENTS = new Set(['ingest', 'batch']) // failed work of these can be requested again

interface Props {
  readonly corpus: string
  readonly job: Job
  readonly label: string
}

export function JobAdvice({ corpus, job, label }: Props) {
  const [fault, fail] = useState<unknown>()
  const act = async (action: 'cancel' | 'retry') => {
    fail(undefined)
    try {
      await corpusAt(corpus)[action](job.job)
      await follow(corpus, job.job, label)
    } catch (error) {
      fail(error)
    }
  }
  const { status, error, kind } = job
  return (
    <>
      {error && !error.startsWith(REFUSED) && <p class="failure">It failed: {faultWords(error)}.</p>}
      {error?.startsWith(REFUSED) && (
        <p class="failure">
          It was refused, and the graph was left unchanged: {error.slice(REFUSED.length)}.{' '}
          <a href={to(['c', corpus, 'checks'], { view: 'probes' })}>What the probes found</a>
        </p>
      )}
      {status === 'paused_budget' && (
        <p class="failure">
          The budget is used up. <a href={to(['c', corpus, 'usage'])}>Raise it</a>, and the work continues.
        </p>
      )}
      <Failure fault={fault} />
      {status === 'failed' && OF_DOCUMENTS.has(kind) && (
        <p>
          <button type="button" class="small" disabled={lacking('write') !== ''} title={lacking('write')} onClick={() => act('retry')}>
            Try again
          </button>
        </p>
      )}
      {(status === 'paused_budget' || !hasEnded(job)) && kind !== 'drop' && (
        <p>
          <button
            type="button"
            class="small quiet"
            disabled={lacking('write') !== ''}
            title={lacking('write')}
            onClick={() => act('cancel')}
          >
            Cancel it
          </button>
        </p>
      )}
    </>
  )
}
