/** What new versions changed, of a document or of a whole corpus: what statements said, and where they stand now. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { Change } from '../../../src/client/client'
import { to } from '../route'
import { DocumentDates } from '../shared/dates'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { clip } from '../shared/numbers'

const PAGE = 20
const SHOWN = 300 // characters of a statement

interface Props {
  readonly corpus: string
  /** Undefined: of all. */
  readonly document?: string
}

export function Changes({ summary, ...props }: Props & { readonly summary: string }) {
  const [isOpen, open] = useState(false)
  return (
    <details class="fine" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <List {...props} />}
    </details>
  )
}

function List({ corpus, document }: Props) {
  const [pages, show] = useState(1)
  const { value, fault, again } = useLoad((signal) => readPages({ corpus, document, pages }, signal), [corpus, document, pages])
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  if (value.days === 0)
    return <p>This corpus keeps nothing of older versions. Under Usage, “What new versions changed” says for how long it does.</p>
  if (value.changes.length === 0) return <p>No number, date or name in a sentence was changed by a new version.</p>
  return (
    <>
      <ul class="plain linked" aria-label="Changes, the latest first">
        {value.changes.map((one) => (
          <li key={`${one.document} ${one.replaced_at} ${one.earlier.quote}`}>
            <Row corpus={corpus} change={one} isNamed={document === undefined} />
          </li>
        ))}
      </ul>
      {value.hasMore && (
        <button type="button" onClick={() => show(pages + 1)}>
          More changes
        </button>
      )}
    </>
  )
}

function Row({ corpus, change, isNamed }: { readonly corpus: string; readonly change: Change; readonly isNamed: boolean }) {
  const { document, title, active, replaced_at, replaced_in, earlier, current } = change
  return (
    <>
      <p class="row wrap">
        <time dateTime={replaced_at}>{replaced_at.slice(0, 10)}</time>
        {isNamed && <a href={to(['c', corpus, 'd', document])}>{title || document}</a>}
        {!active && <span>switched off</span>}
        {replaced_in > 0 && <span>by content {replaced_in}</span>}
      </p>
      <p class="break">
        <del>{clip(earlier.quote, SHOWN)}</del> <DocumentDates dates={earlier.dates} />
      </p>
      <p class="break">
        <a href={to(['c', corpus, 'd', document], { start: current.start, end: current.end })}>{clip(current.quote, SHOWN)}</a>
      </p>
    </>
  )
}

async function readPages({ corpus, document, pages }: Props & { readonly pages: number }, signal: AbortSignal) {
  const changes: Change[] = []
  let [cursor, days]: [string | null, number] = [null, 0]
  for (let page = 0; page < pages; page++) {
    const where = { ...(document === undefined ? {} : { document }), ...(cursor === null ? {} : { cursor }) }
    const next = await corpusAt(corpus, signal).changes({ ...where, limit: PAGE })
    changes.push(...next.data)
    cursor = next.next_cursor
    days = next.days
    if (cursor === null) break
  }
  return { changes, days, hasMore: cursor !== null }
}
