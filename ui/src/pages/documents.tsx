/** What is in the corpus, how more gets in, and what each insertion touched. */
import { useState } from 'preact/hooks'
import type { Document, Job } from '../../../src/client/client'
import { Allowed, lacking } from '../access/rights'
import { faultWords } from '../jobs/fault-words'
import { follow } from '../jobs/followed'
import { Jobs } from '../jobs/jobs'
import { Counts } from '../library/counts'
import { DropZone } from '../library/drop-zone'
import { useOffer } from '../library/estimate'
import { loadSample } from '../library/sample'
import { to } from '../route'
import { keyOrName } from '../session'
import { useLoad } from '../shared/load'
import { corpusAt, pathIn } from '../shared/loam'
import { Busy, Command, Empty, Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { isRemoved, removeLater } from '../shared/removal'
import { StatusWord } from '../shared/status-word'
import type { TabProps } from './tab-props'

export function DocumentsPage({ corpus, again }: TabProps) {
  const name = corpus.corpus
  const [cursor, turn] = useState<string | null>(null)
  const list = useLoad((signal) => corpusAt(name, signal).page(cursor ? { cursor } : {}), [name, cursor, corpus.version])
  const { value, fault } = list
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
      {value?.data.length === 0 && cursor === null && <Nothing corpus={name} />}
      {value && value.data.length > 0 && (
        <Allowed scope="write" silent>
          <Listed corpus={name} documents={value.data} changed={changed} />
        </Allowed>
      )}
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

interface Gone {
  readonly id: string
  readonly job: Job
}

function Forgotten({ corpus, id, job: { status, receipt } }: Gone & { readonly corpus: string }) {
  if (status !== 'succeeded') return <>“{id}” can no longer be found; its deletion is still running.</>
  return (
    <>
      “{id}” is forgotten: none of its text is left in any table, index or answer.{' '}
      {receipt && <a href={to(['c', corpus, 'checks'], { v: receipt.version })}>The receipt</a>}
    </>
  )
}

interface ListedProps {
  readonly corpus: string
  readonly documents: readonly Document[]
  readonly changed: (gone: Gone) => void
}

function Listed({ corpus, documents, changed }: ListedProps) {
  const [fault, fail] = useState<unknown>()
  const [turned, keep] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [switched, tell] = useState('')
  const turn = async (id: string, active: boolean) => {
    fail(undefined)
    keep((known) => new Map(known).set(id, active))
    try {
      const { version } = await corpusAt(corpus).setActive(id, active)
      tell(`“${id}” is switched ${active ? 'on' : 'off'} since version ${version}.`)
    } catch (error) {
      keep((known) => new Map(known).set(id, !active))
      fail(error)
    }
  }
  const remove = (id: string) => {
    const here = corpusAt(corpus)
    const send = async () => {
      const { job } = await here.remove(id)
      changed({ id, job: await follow(corpus, job, `deletion of ${id}`) })
    }
    removeLater({ keys: [keyOf(id)], words: `“${id}” deleted`, send })
  }
  const keyOf = (id: string) => `document ${corpus} ${id}`
  const shown = documents.filter(({ document }) => !isRemoved(keyOf(document)))
  return (
    <>
      <Failure fault={fault} />
      <p role="status">{switched}</p>
      <table class="list">
        <caption class="visually-hidden">Documents</caption>
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Chunks
            </th>
            <th scope="col">In questions</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ document, title, status, chunks, active, error }) => (
            <tr key={document}>
              <td>
                <a href={to(['c', corpus, 'd', document])}>{title || document}</a>
                {title && title !== document && <span class="fine id">{document}</span>}
              </td>
              <td>
                <StatusWord status={status} />
                {error && <span class="fine"> {faultWords(error)}</span>}
              </td>
              <td class="number">
                <span class="visually-hidden">{plural(chunks, 'chunk')}</span>
                <span aria-hidden="true">{chunks}</span>
              </td>
              <td>
                <input
                  type="checkbox"
                  aria-label={`${title || document} takes part in questions`}
                  checked={turned.get(document) ?? active}
                  onChange={(event) => turn(document, event.currentTarget.checked)}
                />
              </td>
              <td class="number">
                <button type="button" class="small quiet" aria-label={`Delete ${title || document}`} onClick={() => remove(document)}>
                  Delete
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
