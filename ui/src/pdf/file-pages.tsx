/** The pages of a document's file as they look on paper: at first those of the quote, with it marked. Loaded, with pdf.js, when a PDF is opened. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Document } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { Busy } from '../shared/notices'
import { openPdf } from './open'
import { Paper } from './paper'
import { quotedPages } from './quoted-pages'
import { Turner } from './turner'

export interface FilePagesProps {
  readonly corpus: string
  readonly document: Document
  /** The quote in the document's text; nothing is marked if it is empty. */
  readonly start: number
  readonly end: number
  readonly failed: (fault: unknown) => void
}

export function FilePages({ corpus, document: about, start, end, failed }: FilePagesProps) {
  const id = about.document
  const { value: pdf, fault } = useLoad((signal) => openPdf(corpus, id, signal), [corpus, id, about.content_version])
  const quoted = useMemo(() => quotedPages(about, start, end), [about, start, end])
  const [turned, turn] = useState<number | null>(null)
  const [found, note] = useState<ReadonlyMap<number, boolean>>(new Map())
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    turn(null)
    note(new Map())
  }, [quoted])
  useEffect(() => {
    if (fault !== undefined) failed(fault)
  }, [fault])
  useEffect(() => {
    if (turned !== null) top.current?.scrollIntoView({ block: 'nearest' })
  }, [turned])
  if (!pdf) return <Busy what="Opening the file" />
  const home = quoted.map(({ page }) => page).filter((page) => page <= pdf.numPages)
  const shown = turned === null ? (home.length > 0 ? home : [1]) : turned === home[0] ? home : [turned]
  const [first = 1, last = first] = [shown[0], shown.at(-1)]
  const isLost = shown === home && home.length > 0 && home.every((page) => found.get(page) === false)
  return (
    <div class="papers" ref={top}>
      <Turner first={first} last={last} of={pdf.numPages} turn={turn} />
      {home.length > 0 && !home.includes(first) && (
        <p class="fine">
          <button type="button" class="small" onClick={() => turn(null)}>
            To the quote, on page {home[0]}
          </button>
        </p>
      )}
      {isLost && (
        <p class="fine" role="status">
          The quote could not be located on {home.length > 1 ? 'these pages' : 'this page'}; it is marked under Text.
        </p>
      )}
      {shown.map((number) => (
        <Paper
          key={number}
          pdf={pdf}
          number={number}
          quoted={quoted.find(({ page }) => page === number)}
          scrolls={number === home.find((page) => found.get(page) !== false)}
          looked={(page, isFound) => note((before) => new Map(before).set(page, isFound))}
          failed={failed}
        />
      ))}
    </div>
  )
}
