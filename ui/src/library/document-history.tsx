/** What was done to a document, when and by whom, as the audit log has it; for keys that may see that. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, plural, when } from '../shared/numbers'

const PAGE = 200
const LOOKED = 2000 // entries of the log that are looked through at a time: it is ordered by time alone

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
      {isOpen && <Entries corpus={corpus} document={document} />}
    </details>
  )
}

function Entries({ corpus, document }: Props) {
  const [most, look] = useState(LOOKED)
  const { value, fault, again } = useLoad((signal) => readLog({ corpus, document }, most, signal), [corpus, document, most])
  if (isStatus(fault, 403)) return <p>The audit log, which administrators see, says who changed it.</p>
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { entries, looked, hasMore } = value
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
        <button type="button" class="small" onClick={() => look(most + LOOKED)}>
          Look through {count(LOOKED)} more
        </button>
      )}
    </>
  )
}

/** The log is not kept by document: it is read from its end. */
async function readLog({ corpus, document }: Props, most: number, signal: AbortSignal) {
  const entries: AuditEntry[] = []
  let [looked, cursor]: [number, string | null] = [0, null]
  do {
    const next = await corpusAt(corpus, signal).audit({ limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    entries.push(...next.data.filter((one) => one.document === document))
    looked += next.data.length
    cursor = next.next_cursor
  } while (cursor !== null && looked < most)
  return { entries, looked, hasMore: cursor !== null }
}
