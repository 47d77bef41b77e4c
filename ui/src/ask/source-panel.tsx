/**
 * The passage that a citation names, in its document, next to the answer: both are read together. On a small screen it is a sheet at the
 * bottom of the window, and the page above it still scrolls. Escape closes it and returns to the previous place.
 */
import { useEffect, useRef } from 'preact/hooks'
import type { Located } from '../../../src/client/location'
import { to } from '../route'
import { Passage } from './passage'
import { Where } from './where'

/** A quote, or a piece of evidence, at its place. */
export interface Place extends Located {
  /** If several were asked. */
  readonly corpus?: string
  readonly document: string
  readonly title?: string
  readonly start: number
  readonly end: number
  readonly quote: string
  /** The page or place in the original. */
  readonly link?: string
}

interface Props {
  readonly corpus: string
  readonly place: Place | null
  readonly close: () => void
}

export function SourcePanel({ corpus: asked, place, close }: Props) {
  const panel = useRef<HTMLElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (!place) return
    const active = document.activeElement
    if (active instanceof HTMLElement && !panel.current?.contains(active)) opener.current = active
    opener.current?.scrollIntoView({ block: 'nearest' }) // the sheet may cover it
    panel.current?.focus({ preventScroll: true })
  }, [place])
  if (!place) return null
  const { corpus = asked, document: id, title, start, end, quote, link } = place
  const leave = () => {
    close()
    opener.current?.focus()
  }
  return (
    <aside ref={panel} class="source" tabIndex={-1} aria-labelledby="source" onKeyDown={(event) => event.key === 'Escape' && leave()}>
      <header class="row">
        <h2 id="source" class="grow">
          {title || id}
          {corpus !== asked && <span class="tag"> {corpus}</span>}
        </h2>
        <button type="button" class="small quiet" aria-label="Close the source" onClick={leave}>
          Close
        </button>
      </header>
      <p class="row wrap fine">
        <Where place={place} />
        {link && (
          <a href={link} target="_blank" rel="noreferrer noopener">
            Open the original
          </a>
        )}
        <a href={to(['c', corpus, 'd', id], { start, end })}>Open the document</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Passage in its document">
        <Passage key={`${corpus} ${id}`} corpus={corpus} document={id} start={start} end={end} quote={quote} />
      </section>
    </aside>
  )
}
