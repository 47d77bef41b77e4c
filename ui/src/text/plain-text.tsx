/** A stretch of a document as written, with its pages named where they begin. */
import type { ComponentChildren } from 'preact'
import type { Document } from '../../../src/client/client'
import { breaksOf } from './breaks'
import { Decorated } from './decorated'

export interface ShownText {
  readonly document: Document
  /** The part of the text that is shown. */
  readonly from: number
  readonly until: number
  /** The part that is marked. */
  readonly start: number
  readonly end: number
}

export function PlainText({ document: { text = '', outline }, from, until, start, end }: ShownText) {
  const marked = { start: start - from, end: end - from, wrap: (shown: ComponentChildren) => <mark>{shown}</mark> }
  const shown = new Decorated(text.slice(from, until), end > start ? [marked] : [], breaksOf(outline, from, until))
  return (
    <div class="passage" dir="auto">
      {from > 0 && '… '}
      {shown.whole()}
      {until < text.length && ' …'}
    </div>
  )
}
