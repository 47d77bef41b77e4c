/** An answer with its citations in place: a button for each, after the statement it supports. */
import type { ComponentChildren } from 'preact'
import type { Citation } from '../../../src/client/client'

const MARKER = /\s*\[\s*\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*\]/g

interface Props {
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly open: (citation: Citation) => void
}

export function CitedText({ answer, citations, open }: Props) {
  const pieces: ComponentChildren[] = []
  let shown = 0
  const text = (until: number) => {
    // The buttons say what the model's own markers said.
    if (until > shown) pieces.push(answer.slice(shown, until).replace(MARKER, ''))
    shown = Math.max(shown, until)
  }
  for (const [place, group] of byPlace(citations)) {
    text(afterMarkers(answer, place))
    for (const one of group) pieces.push(<Marker key={`${one.marker}-${one.start}-${place}`} citation={one} open={open} />)
  }
  text(answer.length)
  return <div class="answer">{pieces}</div>
}

function Marker({ citation, open }: { readonly citation: Citation; readonly open: Props['open'] }) {
  const { marker, title, document } = citation
  return (
    <button type="button" class="marker" aria-label={`Citation ${marker}: ${title || document}`} onClick={() => open(citation)}>
      {marker}
    </button>
  )
}

function byPlace(citations: readonly Citation[]): readonly (readonly [number, readonly Citation[]])[] {
  const places = new Map<number, Citation[]>()
  for (const one of citations) places.set(one.span.end, [...(places.get(one.span.end) ?? []), one])
  return [...places].sort(([a], [b]) => a - b)
}

/** A marker of the model right after the statement belongs to it. */
function afterMarkers(answer: string, place: number): number {
  const following = new RegExp(`^(?:${MARKER.source})+`).exec(answer.slice(place))
  return place + (following?.[0].length ?? 0)
}
