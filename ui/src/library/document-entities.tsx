/** The names found in a document, most frequent first, each a link into the graph. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { DocumentChunk } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, plural } from '../shared/numbers'
import { namesIn } from './names-in'

const PAGE = 100
const MOST = 500 // chunks that are looked through
const SHOWN = 60 // names before all are requested

interface Props {
  readonly corpus: string
  readonly document: string
}

export function DocumentEntities({ corpus, document }: Props) {
  const [isOpen, open] = useState(false)
  return (
    <details class="fine" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Names mentioned</summary>
      {isOpen && <Entities corpus={corpus} document={document} />}
    </details>
  )
}

function Entities({ corpus, document }: Props) {
  const [isWhole, showAll] = useState(false)
  const { value, fault, again } = useLoad((signal) => readChunks({ corpus, document }, signal), [corpus, document])
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { chunks, hasMore } = value
  const names = namesIn(chunks)
  if (chunks.length === 0) return <p>None yet: the document is not indexed.</p>
  if (names.length === 0) return <p>No person, place or term was found in it.</p>
  const shown = isWhole ? names : names.slice(0, SHOWN)
  return (
    <>
      <p>
        {plural(names.length, 'name')} in {hasMore ? `the first ${count(chunks.length)} chunks` : plural(chunks.length, 'chunk')}. Each
        links to its place in the graph; the number is how many chunks mention it.
      </p>
      <ul class="plain row wrap chips" aria-label="Names in this document">
        {shown.map(({ id, name, chunks: n }) => (
          <li key={id}>
            <a class="chip" href={to(['c', corpus, 'explore'], { node: id })} title={`in ${plural(n, 'chunk')}`}>
              {name} <span class="fine">{count(n)}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <button type="button" class="small" onClick={() => showAll(true)}>
          All {count(names.length)}
        </button>
      )}
    </>
  )
}

async function readChunks({ corpus, document }: Props, signal: AbortSignal) {
  const chunks: DocumentChunk[] = []
  let cursor: string | null = null
  do {
    const next = await corpusAt(corpus, signal).chunks(document, { limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    chunks.push(...next.data)
    cursor = next.next_cursor
  } while (cursor !== null && chunks.length < MOST)
  return { chunks, hasMore: cursor !== null }
}
