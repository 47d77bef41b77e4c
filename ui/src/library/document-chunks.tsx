/** What of a document is indexed, piece by piece: where each stands, who has read it, whom it mentions. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { DocumentChunk } from '../../../src/client/client'
import { Where } from '../ask/where'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { clip, count, plural } from '../shared/numbers'
import { CorrectChunk } from './correct-chunk'

const PAGE = 20
const PREVIEW = 160 // characters
const NAMES = 12

interface Place {
  readonly corpus: string
  readonly document: string
}

interface Props extends Place {
  /** It was corrected. */
  readonly changed: () => void
}

export function DocumentChunks(props: Props) {
  const [isOpen, open] = useState(false)
  return (
    <details class="fine" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Chunks</summary>
      {isOpen && <Chunks {...props} />}
    </details>
  )
}

function Chunks({ corpus, document, changed }: Props) {
  const [pages, show] = useState(1)
  const { value, fault, again } = useLoad((signal) => readPages({ corpus, document, pages }, signal), [corpus, document, pages])
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  if (value.chunks.length === 0) return <p>None yet: the document is not indexed.</p>
  return (
    <>
      <ul class="plain linked" aria-label="Chunks, in the order of the text">
        {value.chunks.map((chunk) => (
          <li key={chunk.ordinal}>
            <Chunk corpus={corpus} document={document} chunk={chunk} />
            <CorrectChunk
              key={chunk.chunk}
              corpus={corpus}
              document={document}
              chunk={chunk}
              done={() => {
                again()
                changed()
              }}
            />
          </li>
        ))}
      </ul>
      {value.hasMore && (
        <button type="button" onClick={() => show(pages + 1)}>
          More chunks
        </button>
      )}
    </>
  )
}

function Chunk({ corpus, document, chunk }: Place & { readonly chunk: DocumentChunk }) {
  const { ordinal, start, end, text, passages, entities } = chunk
  return (
    <>
      <p class="row wrap">
        <a href={to(['c', corpus, 'd', document], { start, end })}>{ordinal + 1}</a>
        <span>
          {count(start)}–{count(end)}
        </span>
        <Where place={chunk} /> <span>{plural(passages, 'passage')}</span> <span>{readWords(chunk)}</span>
      </p>
      <p class="break">{clip(text, PREVIEW)}</p>
      {entities.length > 0 && (
        <p class="row wrap">
          {entities.slice(0, NAMES).map(({ id, name }) => (
            <a key={id} href={to(['c', corpus, 'explore'], { node: id })}>
              {name}
            </a>
          ))}
          {entities.length > NAMES && <span>and {count(entities.length - NAMES)} more</span>}
        </p>
      )}
    </>
  )
}

function readWords({ read: { by, partial } }: DocumentChunk): string {
  const own = by === 'model' ? 'read by a model' : 'read by rules'
  if (partial === undefined) return own
  return partial === 'embed' ? `${own}; in part without vectors` : `${own}; the model gave nothing usable`
}

async function readPages({ corpus, document, pages }: Place & { readonly pages: number }, signal: AbortSignal) {
  const chunks: DocumentChunk[] = []
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) {
    const next = await corpusAt(corpus, signal).chunks(document, { limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    chunks.push(...next.data)
    cursor = next.next_cursor
    if (cursor === null) break
  }
  return { chunks, hasMore: cursor !== null }
}
