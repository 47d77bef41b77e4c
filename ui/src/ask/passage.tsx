/** A document's text with one place in it marked, scrolled into view and checked: the marked letters are the quoted ones. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Document } from '../../../src/client/client'
import { hasPages, PagesOrText } from '../pdf/pages-or-text'
import { holdInView } from '../shared/in-view'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { isMarkdown } from '../text/is-markdown'
import { PagedText } from '../text/paged-text'
import { pagesOf } from '../text/pages'
import { PlainText } from '../text/plain-text'
import { windowAround } from '../text/window'

const AROUND = 20_000 // characters shown before and after the mark at first; more would make opening slow
const MOST = 400_000 // characters that are shown as Markdown; longer texts are shown as written

interface Props {
  readonly corpus: string
  readonly document: string
  readonly start: number
  readonly end: number
  /** The text expected there. */
  readonly quote: string
}

export function Passage({ corpus, document, start, end, quote }: Props) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).document(document), [corpus, document])
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  return <DocumentText corpus={corpus} document={value} start={start} end={end} quote={quote} />
}

const reading = () => import('../text/document-markdown')

interface TextProps {
  readonly corpus: string
  readonly document: Document
  readonly start: number
  readonly end: number
  readonly quote?: string
}

/** For a document that has been read, including its text. */
export function DocumentText({ quote, ...place }: TextProps) {
  const { document: about, start, end } = place
  const isThere = about.text?.slice(start, end) === quote
  const said = quote !== undefined && (
    <span role="status">
      {isThere ? '✓ The quote is here, letter for letter.' : '✗ The document has changed: the quote is no longer in this place.'}
    </span>
  )
  if (!hasPages(about)) return <Written {...place} said={said} />
  return (
    <PagesOrText key={about.document} {...place} said={said}>
      <Written {...place} said={null} />
    </PagesOrText>
  )
}

interface WrittenProps extends Omit<TextProps, 'corpus' | 'quote'> {
  readonly said: ComponentChildren
}

function Written({ document: about, start, end, said }: WrittenProps) {
  const text = about.text ?? ''
  const place = useRef<HTMLDivElement>(null)
  const [whole, show] = useState(false)
  const [asWritten, choose] = useState(false)
  const { from, until } = whole ? { from: 0, until: text.length } : windowAround(text, start, end, AROUND)
  const mayRender = isMarkdown(about.document, text, about.outline) && until - from <= MOST
  const { value: renderer } = useLoad(async () => (mayRender ? { Shown: (await reading()).DocumentMarkdown } : undefined), [mayRender])
  const Shown = renderer && !asWritten ? renderer.Shown : PlainText
  const pages = pagesOf(about.outline, text.length)
  const isPaged = pages.length > 1 && !mayRender && !asWritten
  useEffect(() => {
    const mark = place.current?.querySelector('mark')
    if (mark) return holdInView(mark)
    if (end > start && Shown !== PlainText && !isPaged) choose(true) // the quote is only syntax, which only the plain text shows
    return undefined
  }, [start, end, text, Shown, isPaged])
  return (
    <div ref={place}>
      <p class="fine row wrap">
        {said}
        {(mayRender || pages.length > 1) && (
          <button type="button" class="small quiet" aria-pressed={asWritten} onClick={() => choose(!asWritten)}>
            As written
          </button>
        )}
      </p>
      {isPaged ? (
        <PagedText text={text} pages={pages} start={start} end={end} />
      ) : (
        <Shown document={about} from={from} until={until} start={start} end={end} />
      )}
      {!isPaged && !whole && (from > 0 || until < text.length) && (
        <button type="button" onClick={() => show(true)}>
          Show the whole document
        </button>
      )}
    </div>
  )
}
