/** A document by the pages of its file: each with its number, the quoted page first, with a page selector. Only the text. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { count } from '../shared/numbers'
import { Decorated } from './decorated'
import { joinLines } from './lines'
import { type Page, pageAt } from './pages'

const AROUND = 2 // pages shown before and after the one that matters
const MORE = 10 // pages added at a time

interface Props {
  readonly text: string
  readonly pages: readonly Page[]
  /** What is marked. */
  readonly start: number
  readonly end: number
}

export function PagedText({ text, pages, start, end }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const centre = pageAt(pages, start)
  const [{ from, until }, show] = useState({ from: centre - AROUND, until: centre + AROUND })
  const [chosen, choose] = useState<number | null>(null)
  useEffect(() => {
    show({ from: centre - AROUND, until: centre + AROUND })
    choose(null)
  }, [centre])
  useEffect(() => {
    if (chosen !== null) frame.current?.querySelector(`[data-page="${pages[chosen]?.page}"]`)?.scrollIntoView({ block: 'start' })
  }, [chosen])
  const go = (at: number) => {
    show({ from: at - AROUND, until: at + AROUND })
    choose(at)
  }
  const shown = pages.slice(Math.max(0, from), until + 1)
  const last = pages.at(-1)?.page ?? 0
  return (
    <div class="pages" ref={frame}>
      <p class="row wrap fine">
        <label class="row">
          Page
          <select aria-label="Page" value={chosen ?? centre} onChange={(event) => go(Number(event.currentTarget.value))}>
            {pages.map(({ page }, i) => (
              <option key={page} value={i}>
                {page}
              </option>
            ))}
          </select>
        </label>
        <span>of {count(last)}</span>
        <span>the text of each page, without its pictures and layout</span>
      </p>
      {from > 0 && (
        <button type="button" class="small" onClick={() => show({ from: from - MORE, until })}>
          Earlier pages
        </button>
      )}
      {shown.map((page) => (
        <Sheet key={page.page} text={text} page={page} start={start} end={end} />
      ))}
      {until + 1 < pages.length && (
        <button type="button" class="small" onClick={() => show({ from, until: until + MORE })}>
          Later pages
        </button>
      )}
    </div>
  )
}

/** A quote that continues on the next page is marked on both. */
function Sheet({ text, page: { page, start: from, end: until }, start, end }: Omit<Props, 'pages'> & { readonly page: Page }) {
  const marked = { start: Math.max(from, start) - from, end: Math.min(until, end) - from }
  const wrap = (inner: ComponentChildren) => <mark>{inner}</mark>
  const shown = new Decorated(joinLines(text.slice(from, until)), marked.end > marked.start ? [{ ...marked, wrap }] : [])
  return (
    <section class="sheet" data-page={page} aria-label={`Page ${page}`}>
      <p class="fine">page {page}</p>
      <div class="passage" dir="auto">
        {shown.whole()}
      </div>
    </section>
  )
}
