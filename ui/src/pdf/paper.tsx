/** One page of a file as it looks on paper, as wide as there is room, with the quote marked in the text that lies over its picture. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { holdInView } from '../shared/in-view'
import { useLoad } from '../shared/load'
import { Busy } from '../shared/notices'
import { type LaidText, layText, pictureOf, release, sizeOf } from './draw'
import { findQuote } from './find-quote'
import { markPieces } from './mark-pieces'
import type { Pdf, PdfPage } from './open'
import type { QuotedPage } from './quoted-pages'
import { useWidth } from './use-width'

const A4 = { width: 595, height: 842 } // until the page's own size is known

interface Props {
  readonly pdf: Pdf
  readonly number: number
  /** What is marked on it. */
  readonly quoted: QuotedPage | undefined
  /** Only the first of several. */
  readonly scrolls: boolean
  /** Once its text is there: whether the quote is in it. */
  readonly looked: (page: number, isFound: boolean) => void
  readonly failed: (fault: unknown) => void
}

export function Paper({ pdf, number, quoted, scrolls, looked, failed }: Props) {
  const { value: page, fault } = useLoad(() => pdf.getPage(number), [pdf, number])
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const size = page ? sizeOf(page) : A4
  useEffect(() => {
    if (fault !== undefined) failed(fault)
  }, [fault])
  useEffect(() => () => void page?.cleanup(), [page])
  return (
    <section class="paper" ref={frame} aria-label={`Page ${number}`} style={{ aspectRatio: `${size.width} / ${size.height}` }}>
      {page && width > 0 ? (
        <>
          <Picture page={page} width={width} failed={failed} />
          <Words page={page} zoom={width / size.width} quoted={quoted} scrolls={scrolls} looked={looked} />
        </>
      ) : (
        <Busy what={`Drawing page ${number}`} />
      )}
    </section>
  )
}

interface PictureProps extends Pick<Props, 'failed'> {
  readonly page: PdfPage
  readonly width: number
}

/** The picture before stays until the next one is drawn. */
function Picture({ page, width, failed }: PictureProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const aborted = new AbortController()
    pictureOf(page, width, aborted.signal).then(
      (canvas) => {
        if (aborted.signal.aborted) return release(canvas)
        canvas.setAttribute('aria-hidden', 'true') // its text lies over it
        release(place.current?.firstChild)
        place.current?.replaceChildren(canvas)
      },
      (fault) => aborted.signal.aborted || failed(fault),
    )
    return () => aborted.abort()
  }, [page, width])
  useEffect(() => {
    const shown = place.current
    return () => release(shown?.firstChild)
  }, [])
  return <div ref={place} />
}

interface WordsProps extends Pick<Props, 'quoted' | 'scrolls' | 'looked'> {
  readonly page: PdfPage
  readonly zoom: number
}

function Words({ page, zoom, quoted, scrolls, looked }: WordsProps) {
  const layer = useRef<HTMLDivElement>(null)
  const [laid, set] = useState<LaidText>()
  useEffect(() => {
    const into = layer.current
    if (!into) return
    const aborted = new AbortController()
    layText(page, into, aborted.signal).then(
      (text) => aborted.signal.aborted || set(text),
      () => aborted.signal.aborted || set({ runs: [], places: [] }), // the picture can be read without it
    )
    return () => {
      aborted.abort()
      into.replaceChildren()
    }
  }, [page])
  useLayoutEffect(() => layer.current?.style.setProperty('--total-scale-factor', String(zoom)), [zoom])
  useEffect(() => {
    if (!laid) return undefined
    const mark = markPieces(laid, quoted ? findQuote(laid.runs, quoted.quote, quoted.before) : [])
    if (quoted) looked(page.pageNumber, mark !== undefined)
    return scrolls && mark ? holdInView(mark) : undefined
  }, [laid, quoted])
  return <div class="words" ref={layer} />
}
