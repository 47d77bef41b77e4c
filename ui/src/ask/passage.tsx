/** A document's text with one place of it marked, scrolled into view and checked: the marked letters are the quoted ones. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'

const AROUND = 20_000 // characters shown before and after the mark at first; more would make opening slow

interface Props {
  readonly corpus: string
  readonly document: string
  readonly start: number | null
  readonly end: number | null
  /** What should stand there. */
  readonly quote?: string
}

export function Passage({ corpus, document, start, end, quote }: Props) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).document(document), [corpus, document])
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  return <Text text={value.text ?? ''} start={start ?? 0} end={end ?? 0} {...(quote === undefined ? {} : { quote })} />
}

function Text({
  text,
  start,
  end,
  quote,
}: {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quote?: string
}) {
  const mark = useRef<HTMLElement>(null)
  const [whole, show] = useState(false)
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [start, end, text])
  const from = whole ? 0 : Math.max(0, start - AROUND)
  const until = whole ? text.length : Math.min(text.length, end + AROUND)
  const marked = text.slice(start, end)
  return (
    <>
      {quote !== undefined && (
        <p class="fine" role="status">
          {marked === quote
            ? '✓ The quote is here, letter for letter.'
            : '✗ The document has changed: the quote is no longer in this place.'}
        </p>
      )}
      <div class="passage">
        {from > 0 && '… '}
        {text.slice(from, start)}
        {end > start && <mark ref={mark}>{marked}</mark>}
        {text.slice(Math.max(start, end), until)}
        {until < text.length && ' …'}
      </div>
      {!whole && (from > 0 || until < text.length) && (
        <button type="button" onClick={() => show(true)}>
          Show the whole document
        </button>
      )}
    </>
  )
}
