/** The documents of a corpus: searched, sorted, filtered; several at once deleted or switched off. */
import { useState } from 'preact/hooks'
import type { Document } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count } from '../shared/numbers'
import { isRemoved } from '../shared/removal'
import { arrange, everything, isArranged, kindsOf, type Wanted } from './arrange'
import { DocumentTable } from './document-table'
import { type Gone, keyOf } from './remove-documents'

const PAGE = 200 // documents in one call
const MOST = 5000 // documents that are searched and sorted here
const CALLS = 50 // a page may contain only documents that others may read
const ROWS = 100 // shown at a time
const STATUSES = ['ready', 'indexing', 'queued', 'partial', 'failed', 'off']

interface Props {
  readonly corpus: string
  readonly version: number
  /** The page of the list that is shown here unless something else is requested. */
  readonly documents: readonly Document[]
  readonly changed: (gone: Gone) => void
}

export function Listed({ corpus, version, documents, changed }: Props) {
  const [wanted, want] = useState<Wanted>(everything)
  const [rows, show] = useState(ROWS)
  const isWhole = isArranged(wanted)
  const all = useLoad(async (signal) => (isWhole ? await readAll(corpus, signal) : null), [corpus, version, isWhole])
  const set = (part: Partial<Wanted>) => {
    want({ ...wanted, ...part })
    show(ROWS)
  }
  const listed = isWhole ? (all.value?.documents ?? documents) : documents
  const there = listed.filter(({ document }) => !isRemoved(keyOf(corpus, document)))
  const found = isWhole ? arrange(there, wanted) : there
  return (
    <>
      <Filters wanted={wanted} set={set} kinds={kindsOf(listed)} clear={() => want(everything)} />
      <Failure fault={all.fault} again={all.again} />
      <p role="status" class="fine">
        {isWhole && all.value && `${count(found.length)} of ${count(there.length)} documents`}
        {all.value?.isCut && `; only the first ${count(there.length)} were looked through. \`loam documents\` looks through all.`}
      </p>
      {isWhole && !all.value && !all.fault && <Busy />}
      <DocumentTable
        key={corpus}
        corpus={corpus}
        documents={isWhole ? found.slice(0, rows) : found}
        wanted={wanted}
        set={set}
        changed={changed}
        again={all.again}
      />
      {isWhole && found.length > rows && (
        <button type="button" onClick={() => show(rows + ROWS)}>
          More of these
        </button>
      )}
    </>
  )
}

async function readAll(corpus: string, signal: AbortSignal): Promise<{ readonly documents: readonly Document[]; readonly isCut: boolean }> {
  const documents: Document[] = []
  let cursor: string | undefined
  for (let calls = 1; ; calls++) {
    const { data, next_cursor } = await corpusAt(corpus, signal).page({ limit: PAGE, ...(cursor ? { cursor } : {}) })
    documents.push(...data)
    if (!next_cursor || documents.length >= MOST || calls === CALLS) return { documents, isCut: next_cursor !== null }
    cursor = next_cursor
  }
}

interface FiltersProps {
  readonly wanted: Wanted
  readonly set: (part: Partial<Wanted>) => void
  readonly kinds: readonly string[]
  readonly clear: () => void
}

function Filters({ wanted: { text, status, kind, day, since, ...order }, set, kinds, clear }: FiltersProps) {
  return (
    <search class="row wrap filters">
      <input
        type="search"
        class="grow"
        aria-label="Search documents"
        placeholder="Search titles and ids"
        value={text}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <select aria-label="State" value={status} onChange={(event) => set({ status: event.currentTarget.value })}>
        <option value="">any state</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {one === 'off' ? 'switched off' : one}
          </option>
        ))}
      </select>
      <select aria-label="Kind of file" value={kind} onChange={(event) => set({ kind: event.currentTarget.value })}>
        <option value="">any kind</option>
        {[...new Set([...kinds, ...(kind ? [kind] : [])])].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <select aria-label="Which date" value={day} onChange={(event) => set({ day: event.currentTarget.value as Wanted['day'] })}>
        <option value="published">published</option>
        <option value="updated">updated</option>
      </select>
      <label class="row fine">
        since
        <input type="date" value={since} onInput={(event) => set({ since: event.currentTarget.value })} />
      </label>
      {isArranged({ text, status, kind, day, since, ...order }) && (
        <button type="button" class="small" onClick={clear}>
          Clear
        </button>
      )}
    </search>
  )
}
