/** The passage a citation names, over the page; closing it goes back to where one was. */
import { useEffect, useRef } from 'preact/hooks'
import type { Located } from '../../../src/client/location'
import { to } from '../route'
import { Passage } from './passage'
import { Where } from './where'

/** A quote, or a piece of evidence, at its place. */
export interface Place extends Located {
  /** Where several were asked. */
  readonly corpus?: string
  readonly document: string
  readonly title?: string
  readonly start: number
  readonly end: number
  readonly quote: string
  /** The page or place at the origin. */
  readonly link?: string
}

interface Props {
  readonly corpus: string
  readonly place: Place | null
  readonly close: () => void
}

export function CitationDialog({ corpus: asked, place, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (place) dialog.current?.showModal()
  }, [place])
  if (!place) return null
  const { corpus = asked, document, title, start, end, quote, link } = place
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      aria-labelledby="cited"
      onClose={close}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div class="sheet">
        <p class="row">
          <strong id="cited" class="grow">
            {title || document}
            {corpus !== asked && <span class="tag"> {corpus}</span>}
          </strong>
          <Where place={place} />
          {link && (
            <a href={link} target="_blank" rel="noreferrer noopener">
              Open at its source
            </a>
          )}
          <a href={to(['c', corpus, 'd', document], { start, end })}>Open the document</a>
          <button type="button" class="small" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section class="scroll" tabIndex={0} aria-label="Passage in its document">
          <Passage corpus={corpus} document={document} start={start} end={end} quote={quote} />
        </section>
      </div>
    </dialog>
  )
}
