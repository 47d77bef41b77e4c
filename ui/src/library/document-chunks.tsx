/** The indexed content of a document, piece by piece: where each is, what has read it, whom it mentions. Read when it is opened. */
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
  const [place, goOn] = useState<Reading>({ before: NOTHING, upTo: 1 })
  const { value, fault, again } = useLoad((signal) => readOn({ corpus, document, ...place }, signal), [corpus, document, place])
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
                goOn({ before: NOTHING, upTo: value.chunks.length })
                changed()
              }}
            />
          </li>
        ))}
      </ul>
      {value.cursor !== null && (
        <button type="button" onClick={() => goOn({ before: value, upTo: value.chunks.length + 1 })}>
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

const READ = { model: 'read by a model', rules: 'read by rules', brought: 'its entities came with the document' } as const

function readWords({ read: { by, partial } }: DocumentChunk): string {
  const own = READ[by]
  if (partial === undefined) return own
  return partial === 'embed' ? `${own}; in part without vectors` : `${own}; the model returned nothing usable`
}

interface Read {
  readonly chunks: readonly DocumentChunk[]
  /** Where it continues; null before the first page and after the last. */
  readonly cursor: string | null
  /** The version of the document whose chunks they are. */
  readonly version: number
}
const NOTHING: Read = { chunks: [], cursor: null, version: 0 }

interface Reading {
  readonly before: Read
  /** Whole pages, until there are that many. */
  readonly upTo: number
}

/** The ones read before, and what follows them; all again if the document has been indexed again meanwhile. */
async function readOn({ corpus, document, before, upTo }: Place & Reading, signal: AbortSignal): Promise<Read> {
  for (let read = before; ; ) {
    const { cursor, version } = read
    const next = await corpusAt(corpus, signal).chunks(document, { limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    const isOther = cursor !== null && next.content_version !== version
    read = isOther ? NOTHING : { chunks: [...read.chunks, ...next.data], cursor: next.next_cursor, version: next.content_version }
    if (!isOther && (read.cursor === null || read.chunks.length >= upTo)) return read
  }
}
