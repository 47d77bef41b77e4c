/** A file of texts, each sorted into one of the labels: as a table to look through, and as a file with one more column. */
import { useRef, useState } from 'preact/hooks'
import type { Classified } from '../../../src/client/client'
import { atOnce } from '../../../src/core/at-once'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { clip, percent, plural } from '../shared/numbers'
import { saveAs } from '../shared/save-as'
import { MOST_TEXTS, type Texts, tableText, textColumn, textsIn } from './texts-to-sort'

const SHOWN = 120 // letters of a text
const AT_ONCE = 4 // texts asked about
const LOOK = 300 // ms between two updates of the results: each draws the whole table

type Sorted = Pick<Classified, 'label' | 'confidence'>

export function ClassifyMany({ name }: { readonly name: string }) {
  const [file, choose] = useState<{ readonly name: string; readonly texts: Texts } | null>(null)
  const [column, pick] = useState(0)
  const [sorted, keep] = useState<ReadonlyMap<number, Sorted>>(new Map())
  const [fault, fail] = useState<unknown>()
  const running = useRef<AbortController | null>(null)
  const [busy, work] = useState(false)
  const read = async (chosen: File | undefined) => {
    if (!chosen) return
    fail(undefined)
    keep(new Map())
    try {
      const texts = await textsIn(chosen)
      if (texts.rows.length > MOST_TEXTS)
        throw new Error(
          `It has ${plural(texts.rows.length, 'text')}; at most ${MOST_TEXTS} are sorted here. \`loam classify -\` sorts any number.`,
        )
      pick(textColumn(texts))
      choose({ name: chosen.name, texts })
    } catch (error) {
      choose(null)
      fail(error instanceof TypeError ? new Error('It is not UTF-8. Save it as UTF-8 and choose it again.') : error)
    }
  }
  const rows = file?.texts.rows ?? []
  const textOf = (at: number): string => rows[at]?.[column] ?? ''
  const sort = async () => {
    const stop = new AbortController()
    running.current = stop
    fail(undefined)
    keep(new Map())
    work(true)
    const slot = atOnce(AT_ONCE)
    const found = new Map<number, Sorted>()
    let shown = 0
    const one = async (at: number) => {
      if (stop.signal.aborted || textOf(at).trim() === '') return
      const { label, confidence } = await corpusAt(name, stop.signal).classify({ text: textOf(at) })
      found.set(at, { label, confidence })
      if (performance.now() - shown < LOOK) return
      shown = performance.now()
      keep(new Map(found))
    }
    try {
      await Promise.all(rows.map((_, at) => slot(() => one(at))))
    } catch (error) {
      if (!stop.signal.aborted) fail(error)
      stop.abort() // texts not begun yet
    }
    keep(new Map(found))
    work(false)
  }
  const save = () => {
    if (!file) return
    const head = [...file.texts.columns.map((one) => one || 'text'), 'label', 'confidence']
    const body = rows.map((row, at) => {
      const found = sorted.get(at)
      return [...head.slice(0, -2).map((_, i) => row[i] ?? ''), found?.label ?? '', found ? found.confidence.toFixed(3) : '']
    })
    saveAs(new Blob([tableText([head, ...body])], { type: 'text/csv' }), `${file.name.replace(/\.\w+$/, '')}-labels.csv`)
  }
  return (
    <section class="card" aria-labelledby="classify-many">
      <h2 id="classify-many">Classify a file</h2>
      <label for="texts-file" class="fine">
        A table (CSV, TSV) with a text in each row, or a file with a text on each line
      </label>
      <input
        id="texts-file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        disabled={busy}
        onChange={(event) => read(event.currentTarget.files?.[0])}
      />
      <Failure fault={fault} />
      {file && (
        <>
          <div class="row wrap">
            {file.texts.columns.length > 1 && (
              <>
                <label for="texts-column">Text</label>
                <select id="texts-column" value={column} disabled={busy} onChange={(event) => pick(Number(event.currentTarget.value))}>
                  {file.texts.columns.map((one, at) => (
                    <option key={`${at} ${one}`} value={at}>
                      {one}
                    </option>
                  ))}
                </select>
              </>
            )}
            <span class="grow" role="status">
              {busy || sorted.size > 0 ? `${sorted.size} of ${plural(rows.length, 'text')} classified` : plural(rows.length, 'text')}
            </span>
            {busy ? (
              <button type="button" onClick={() => running.current?.abort()}>
                Stop
              </button>
            ) : (
              <button type="button" class="primary" disabled={rows.length === 0} onClick={sort}>
                Classify all
              </button>
            )}
            {!busy && sorted.size > 0 && (
              <button type="button" onClick={save}>
                Save as CSV
              </button>
            )}
          </div>
          {sorted.size > 0 && <Results sorted={sorted} textOf={textOf} />}
        </>
      )}
    </section>
  )
}

interface ResultsProps {
  readonly sorted: ReadonlyMap<number, Sorted>
  readonly textOf: (at: number) => string
}

/** The least certain first: these are the ones to check. */
function Results({ sorted, textOf }: ResultsProps) {
  const rows = [...sorted].sort(([a, one], [b, other]) => one.confidence - other.confidence || a - b)
  const counts = new Map<string, number>()
  for (const [, { label }] of rows) counts.set(label ?? 'no label', (counts.get(label ?? 'no label') ?? 0) + 1)
  return (
    <>
      <p class="row wrap">
        {[...counts]
          .sort(([, a], [, b]) => b - a)
          .map(([label, many]) => (
            <span key={label} class="tag">
              {label} {many}
            </span>
          ))}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll sorted" tabIndex={0} aria-label="What was classified, the least certain first">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Label</th>
              <th scope="col" class="number">
                Sure
              </th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([at, { label, confidence }]) => (
              <tr key={at}>
                <td>{label ?? <span class="fine">no label</span>}</td>
                <td class="number">{percent(confidence)}</td>
                <td dir="auto">{clip(textOf(at), SHOWN)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
