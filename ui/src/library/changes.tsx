/** What new versions changed, in a document or in a whole corpus: what statements said, and where they are now. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { Change } from '../../../src/client/client'
import { to } from '../route'
import { DocumentDates } from '../shared/dates'
import { filled } from '../shared/filled'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { clip } from '../shared/numbers'

const PAGE = 20
const SHOWN = 300 // characters of a statement

interface Props {
  readonly corpus: string
  /** Undefined: in all of them. */
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
  const [before, goOn] = useState<Read>(NOTHING)
  const { value, fault, again } = useLoad((signal) => readOn({ corpus, document, before }, signal), [corpus, document, before])
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  if (value.days === 0)
    return (
      <p>This corpus does not keep what older versions said. To change that, see “What new versions changed” under Usage and settings.</p>
    )
  const { changes, cursor } = value
  if (changes.length === 0 && cursor === null) return <p>No new version has changed a number, date or name in a sentence.</p>
  return (
    <>
      {changes.length === 0 && <p>None among those looked through so far.</p>}
      <ul class="plain linked" aria-label="Changes, latest first">
        {changes.map((one) => (
          <li key={`${one.document} ${one.replaced_at} ${one.earlier.quote}`}>
            <Row corpus={corpus} change={one} isNamed={document === undefined} />
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" onClick={() => goOn(value)}>
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

interface Read {
  readonly changes: readonly Change[]
  /** Where it continues; null before the first page and after the last. */
  readonly cursor: string | null
}
const NOTHING: Read = { changes: [], cursor: null }

/** The ones read before, and one more page. */
async function readOn(
  { corpus, document, before }: Props & { readonly before: Read },
  signal: AbortSignal,
): Promise<Read & { days: number }> {
  const of = { limit: PAGE, ...(document === undefined ? {} : { document }) }
  const { data, next_cursor, days } = await filled((from) => corpusAt(corpus, signal).changes({ ...of, ...from }), before.cursor)
  return { changes: [...before.changes, ...data], cursor: next_cursor, days }
}
