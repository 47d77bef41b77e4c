/** A stretch of a document as Markdown, with a place in it marked. */
import type { ComponentChildren } from 'preact'
import { breaksOf } from './breaks'
import { Markdown } from './markdown'
import type { ShownText } from './plain-text'

export function DocumentMarkdown({ document: { text = '', outline }, from, until, start, end }: ShownText) {
  const marked = { start: start - from, end: end - from, wrap: (shown: ComponentChildren) => <mark>{shown}</mark> }
  return (
    <div class="passage rendered">
      {from > 0 && <p>…</p>}
      <Markdown source={text.slice(from, until)} stretches={end > start ? [marked] : []} insets={breaksOf(outline, from, until)} />
      {until < text.length && <p>…</p>}
    </div>
  )
}
