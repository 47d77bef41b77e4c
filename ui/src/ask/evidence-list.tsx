/** The evidence of an answer, best first. */
import type { Evidence } from '../../../src/client/client'
import { DocumentDates } from '../shared/dates'
import { clip } from '../shared/numbers'
import type { Place } from './source-panel'
import { Way } from './way'
import { Where } from './where'

const SHOWN = 280 // characters in a piece

type Piece = Evidence & { readonly corpus?: string }

interface Props {
  readonly evidence: readonly Piece[]
  readonly question: string
  readonly open: (place: Place) => void
  /** What else to say about a piece of evidence. */
  readonly note?: (piece: Evidence, at: number) => string
}

export function EvidenceList({ evidence, question, open, note }: Props) {
  return (
    <ol class="evidence">
      {evidence.map((piece, at) => (
        <li key={piece.id}>
          <p class="fine row">
            <span class="tag" data-kind={piece.kind}>
              {piece.kind}
              {piece.layer > 0 ? ` · layer ${piece.layer}` : ''}
            </span>
            {piece.corpus && <span class="tag">{piece.corpus}</span>}
            <bdi>{piece.title || piece.document}</bdi>
            <Where place={piece} title={piece.title} />
            <DocumentDates dates={piece.dates} />
            {note && <em>{note(piece, at)}</em>}
          </p>
          {piece.via && <Way question={question} piece={piece} above={evidence.slice(0, at)} />}
          <p dir="auto">{clip(piece.text, SHOWN)}</p>
          <Open piece={piece} open={open} />
        </li>
      ))}
    </ol>
  )
}

function Open({ piece, open }: { readonly piece: Piece; readonly open: Props['open'] }) {
  const { document, start, end, text: quote } = piece
  if (document === null || start === null || end === null) return null
  return (
    <button type="button" class="small quiet" onClick={() => open({ ...piece, document, start, end, quote })}>
      Read in place
    </button>
  )
}
