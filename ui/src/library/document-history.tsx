/** What was done to a document, when and by whom, from the audit log; for keys that may see that. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, plural, when } from '../shared/numbers'

const PAGE = 200
const LOOKED = 2000 // log entries that are searched at a time: the log is ordered only by time

const WORDS: Readonly<Record<string, string>> = {
  'document.put': 'stored',
  'document.delete': 'deleted',
  'document.access': 'given other readers',
  'document.active': 'switched on or off',
  'document.language': 'given another language',
  'document.correct': 'corrected',
  'label.learn': 'used to teach a label',
  'label.unlearn': 'no longer used to teach a label',
}

const DOORS: Readonly<Record<string, string>> = {
  http: 'over the API',
  page: 'on this page',
  mcp: 'by an agent',
  openai: 'by OpenAI’s interface',
  hook: 'by a webhook',
  source: 'by a source that is followed',
  cron: 'by the schedule',
}

interface Props {
  readonly corpus: string
  readonly document: string
}

export function DocumentHistory({ corpus, document }: Props) {
  const [isOpen, open] = useState(false)
  return (
    <details class="fine" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>History</summary>
      {isOpen && (lacking('admin') === '' ? <Entries corpus={corpus} document={document} /> : <ForAdministrators />)}
    </details>
  )
}

function Entries({ corpus, document }: Props) {
  const [before, goOn] = useState<Looked>(NOTHING)
  const { value, fault, again } = useLoad((signal) => lookOn({ corpus, document, before }, signal), [corpus, document, before])
  if (isStatus(fault, 403)) return <ForAdministrators />
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { entries, looked, cursor } = value
  const hasMore = cursor !== null
  return (
    <>
      {entries.length === 0 ? (
        <p>{hasMore ? 'Nothing yet' : 'Nothing'} about it in the audit log.</p>
      ) : (
        <ul class="plain linked" aria-label="What was done to this document, latest first">
          {entries.map(({ n, at, key, door, action, outcome }) => (
            <li key={n}>
              <span>{when(at)}</span>: {WORDS[action] ?? action}
              {outcome !== 'done' && `, ${outcome}`} {DOORS[door] ?? door}, key <code>{key}</code>
            </li>
          ))}
        </ul>
      )}
      <p>
        {hasMore ? `Looked through the latest ${plural(looked, 'entry', 'entries')} of the audit log. ` : ''}
        Entries are kept for as long as the corpus says (<code>audit.days</code>).
      </p>
      {hasMore && (
        <button type="button" class="small" onClick={() => goOn(value)}>
          Look through {count(LOOKED)} more
        </button>
      )}
    </>
  )
}

const ForAdministrators = () => <p>The audit log, which administrators see, says who changed it.</p>

interface Looked {
  readonly entries: readonly AuditEntry[]
  /** Entries of any document, including these. */
  readonly looked: number
  /** Where it continues; null before the first page and after the last. */
  readonly cursor: string | null
}
const NOTHING: Looked = { entries: [], looked: 0, cursor: null }

/** The ones found before, and those in the next block of entries: the log is not kept by document and is read from its end. */
async function lookOn({ corpus, document, before }: Props & { readonly before: Looked }, signal: AbortSignal): Promise<Looked> {
  const entries = [...before.entries]
  let { looked, cursor } = before
  do {
    const next = await corpusAt(corpus, signal).audit({ limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    entries.push(...next.data.filter((one) => one.document === document))
    looked += next.data.length
    cursor = next.next_cursor
  } while (cursor !== null && looked < before.looked + LOOKED)
  return { entries, looked, cursor }
}
