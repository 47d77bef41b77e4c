/** Who may read a document, and how a writer changes that. */
import { useRef, useState } from 'preact/hooks'
import type { Corpus, Document, Patched } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { LabelsField } from './labels-field'
import { ReaderTags } from './reader-tags'
import { faultOf, labelsIn, openTo, readersOf } from './readers'
import { Allowed } from './rights'

interface Props {
  readonly corpus: Corpus
  readonly document: Document
}

export function DocumentAccess({ corpus: { corpus, default_access: defaults }, document }: Props) {
  const part = useRef<HTMLDetailsElement>(null)
  const [changed, keep] = useState<Patched | null>(null)
  const [adding, write] = useState('')
  const [sending, send] = useState(false)
  const [fault, fail] = useState<unknown>()
  const labels = changed?.access ?? document.access
  const readers = readersOf(labels, defaults)
  const change = async (access: readonly string[]) => {
    fail(undefined)
    send(true)
    try {
      keep(await corpusAt(corpus).setAccess(document.document, access))
      write('')
    } catch (error) {
      fail(error)
    }
    send(false)
    part.current?.querySelector('input')?.focus() // the button that was pressed may be gone
  }
  const open = openTo(defaults)
  const added = labelsIn(adding)
  const add = (event: Event) => {
    event.preventDefault()
    void change([...new Set([...labels, ...added])])
  }
  return (
    <details class="fine access" ref={part}>
      <summary>
        Read by <ReaderTags readers={readers} />
        {labels.length === 0 && defaults !== null && ', the corpus’s default for documents without labels'}
      </summary>
      <p>Labels say who may read the document: anyone who holds one of them. Administrators read everything.</p>
      <Allowed scope="write">
        {labels.length > 0 && (
          <ul class="row wrap" aria-label="Labels of this document">
            {labels.map((label) => (
              <li key={label} class="tag">
                {label}{' '}
                <button
                  type="button"
                  class="small quiet"
                  aria-label={`Remove ${label}`}
                  disabled={sending}
                  onClick={() => change(labels.filter((one) => one !== label))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        {labels.length === 1 && (
          <p>
            Without its last label it is read by <ReaderTags readers={readersOf([], defaults)} />.
          </p>
        )}
        <FromSource corpus={corpus} document={document} />
        <form class="stack" onSubmit={add}>
          <LabelsField id="document-labels" name="Add labels" text={adding} change={write}>
            Separate several with commas. Anyone who holds none of them no longer sees the document; that may include you.
          </LabelsField>
          <p class="row wrap">
            <button type="submit" disabled={sending || added.length === 0 || faultOf(added) !== ''}>
              Add
            </button>
            <button type="button" disabled={sending || readers === null} onClick={() => change(open)}>
              Everyone who reads this corpus
            </button>
          </p>
        </form>
      </Allowed>
      <Failure fault={fault} />
      <p role="status">{changed && `In effect since version ${changed.version}.`}</p>
    </details>
  )
}

const MAX_SOURCES = 200 // searched for the one that brings the document

/** A followed page gives its document its own labels. A reader who may not see sources sees nothing of them. */
function FromSource({ corpus, document: { document, url } }: { readonly corpus: string; readonly document: Document }) {
  const { value } = useLoad(
    async (signal) => (url === null ? undefined : (await corpusAt(corpus, signal).sources.list({ limit: MAX_SOURCES })).data),
    [corpus, document, url],
  )
  const source = value?.find((one) => one.document === document)
  if (!source || source.access.length === 0) return null
  return (
    <p>
      It comes from a followed page, which gives it <ReaderTags readers={source.access} />; each time the page changes, it gets them again.
    </p>
  )
}
