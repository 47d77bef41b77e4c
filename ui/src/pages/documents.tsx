/** What is in the corpus, how to add more, and what each insertion touched. */
import { useState } from 'preact/hooks'
import { Allowed, lacking } from '../access/rights'
import { Jobs } from '../jobs/jobs'
import { Counts } from '../library/counts'
import { DropZone } from '../library/drop-zone'
import { useOffer } from '../library/estimate'
import { FirstSteps } from '../library/first-steps'
import { Listed } from '../library/listed'
import type { Gone } from '../library/remove-documents'
import { loadSample } from '../library/sample'
import { to } from '../route'
import { keyOrName } from '../session'
import { filled } from '../shared/filled'
import { useLoad } from '../shared/load'
import { corpusAt, pathIn } from '../shared/loam'
import { Busy, Command, Empty, Failure } from '../shared/notices'
import type { TabProps } from './tab-props'

export function DocumentsPage({ corpus, again }: TabProps) {
  const name = corpus.corpus
  const [cursor, turn] = useState<string | null>(null)
  const list = useLoad((signal) => filled((from) => corpusAt(name, signal).page(from), cursor), [name, cursor, corpus.version])
  const { value, fault } = list
  const isEmpty = value?.data.length === 0 && value.next_cursor === null
  const [gone, tell] = useState<Gone | null>(null)
  const changed = (now: Gone) => {
    tell(now)
    list.again()
    again()
  }
  return (
    <>
      <h1 class="visually-hidden">Documents</h1>
      <div class="columns">
        <div>
          <FirstSteps corpus={name} isEmpty={value && cursor === null ? isEmpty : undefined} />
          <Allowed scope="write">
            <DropZone corpus={name} defaults={corpus.default_access} />
          </Allowed>
          <Jobs corpus={corpus} />
        </div>
        <Counts counts={corpus.counts} version={corpus.version} />
      </div>
      <Failure fault={fault} again={list.again} />
      <p role="status" class={gone ? 'notice' : undefined}>
        {gone && <Forgotten corpus={name} {...gone} />}
      </p>
      {!value && !fault && <Busy />}
      {isEmpty && cursor === null && <Nothing corpus={name} />}
      {value?.data.length === 0 && value.next_cursor !== null && <p>None among those looked through so far.</p>}
      {value && value.data.length > 0 && <Listed corpus={name} version={corpus.version} documents={value.data} changed={changed} />}
      <p class="row">
        {cursor !== null && (
          <button type="button" onClick={() => turn(null)}>
            From the beginning
          </button>
        )}
        {value?.next_cursor && (
          <button type="button" onClick={() => turn(value.next_cursor)}>
            More
          </button>
        )}
      </p>
    </>
  )
}

function Nothing({ corpus }: { readonly corpus: string }) {
  const [fault, fail] = useState<unknown>()
  const { agreed, question } = useOffer(corpus)
  return (
    <Empty title="No documents yet">
      <p>Drop files above, load seven short speeches that come with Loam, or send a text from a terminal:</p>
      <p>
        <button type="button" class="primary" disabled={lacking('write') !== ''} onClick={() => loadSample(corpus, agreed).catch(fail)}>
          Load the sample
        </button>
      </p>
      {question}
      <Failure fault={fault} />
      <Command
        text={`curl -X PUT ${location.origin}${pathIn(corpus, 'documents', 'readme')} \\
  -H "authorization: Bearer ${keyOrName()}" -H 'content-type: text/markdown' --data-binary @README.md`}
      />
    </Empty>
  )
}

function Forgotten({ corpus, what, job: { status, receipt } }: Gone & { readonly corpus: string }) {
  if (status !== 'succeeded') return <>{what} can no longer be found; the deletion is still running.</>
  return (
    <>
      {what} {what.startsWith('“') ? 'is' : 'are'} forgotten: none of {what.startsWith('“') ? 'its' : 'their'} text is left in any table,
      index or answer. {receipt && <a href={to(['c', corpus, 'checks'], { v: receipt.version })}>The receipt</a>}
    </>
  )
}
