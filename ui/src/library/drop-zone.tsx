/** Where files are dropped or chosen, and a text can be pasted. */
import { useRef, useState } from 'preact/hooks'
import { LabelsField } from '../access/labels-field'
import { ReaderTags } from '../access/reader-tags'
import { type DefaultAccess, faultOf, labelsIn, readersOf } from '../access/readers'
import { lacking } from '../access/rights'
import { messageOf } from '../shared/advice'
import { Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { BroughtIn } from './brought'
import { filesIn } from './dropped-files'
import { useOffer } from './estimate'
import { readable } from './estimates'
import { FileList, RefusedFiles } from './file-list'
import type { FileState, Refused } from './file-state'
import type { Read } from './read-files'
import type { Text } from './text-batches'
import type { Brought, Watch } from './uploads'

const takingIn = () => import('./taking-in')

interface Props {
  readonly corpus: string
  readonly defaults: DefaultAccess
}

export function DropZone({ corpus, defaults }: Props) {
  const [over, hover] = useState(false)
  const [files, list] = useState<readonly FileState[]>([])
  const [sending, send] = useState(false)
  const stops = useRef(new Map<string, AbortController>())
  const [refused, refuse] = useState<readonly Refused[]>([])
  const [same, recognise] = useState(0)
  const [brought, bring] = useState<readonly Brought[]>([])
  const [labels, label] = useState('')
  const given = labelsIn(labels)
  const access = given.length > 0 ? given : undefined
  const input = useRef<HTMLInputElement>(null)
  const { agreed, question } = useOffer(corpus)
  const folder = useRef<HTMLInputElement>(null)
  const [accepted, accept] = useState<string>()
  const expect = () =>
    takingIn().then(
      ({ ACCEPTED }) => accept(ACCEPTED),
      () => undefined, // whoever drops something gets the error
    )
  const take = (dropped: readonly File[]) =>
    takeIn(dropped).catch((fault: unknown) => {
      send(false)
      refuse(dropped.map((file) => ({ name: file.name, file, why: fault instanceof Error ? messageOf(fault) : '' })))
    })
  const takeIn = async (dropped: readonly File[]) => {
    if (dropped.length === 0 || lacking('write') !== '') return
    refuse([])
    recognise(0)
    bring([])
    const fault = faultOf(given)
    if (fault) return refuse([{ name: 'Labels', why: fault }])
    const { filesOf, read, upload } = await takingIn()
    const whole = await read(dropped)
    if (await wanted(whole)) {
      refuse(whole.refused)
      const stopping = new Map(filesOf(whole).map(({ name }) => [name, new AbortController()]))
      stops.current = stopping
      send(true)
      list(filesOf(whole).map((one) => ({ ...one, phase: 'waiting' })))
      const tell: Watch['tell'] = (names, state) =>
        list((known) => known.map((one) => (names.includes(one.name) ? { name: one.name, file: one.file, ...state } : one)))
      const signalOf = (name: string) => (stopping.get(name) ?? new AbortController()).signal
      const { refused: not, unchanged, brought } = await upload(corpus, whole, { access, tell, signalOf })
      list((known) => known.filter(({ name }) => !not.some((one) => one.name === name)))
      refuse(not)
      bring(brought)
      recognise(unchanged)
      send(false)
    } else refuse(whole.refused)
  }
  const cancelAll = () => {
    for (const one of stops.current.values()) one.abort()
  }
  const wanted = async (whole: Read) => {
    const { texts, unread } = await readable(whole)
    return agreed(texts, unread)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; the button inside does the same by keyboard */}
      <div
        class="drop"
        data-over={over}
        onPointerEnter={expect}
        onFocusIn={expect}
        onDragOver={(event) => {
          event.preventDefault()
          hover(true)
          if (!over) void expect()
        }}
        onDragLeave={() => hover(false)}
        onDrop={(event) => {
          event.preventDefault()
          hover(false)
          void filesIn(event.dataTransfer).then(take)
        }}
      >
        <p>
          <strong>Drop files here</strong> or{' '}
          <button type="button" class="small" onClick={() => input.current?.click()}>
            choose files
          </button>{' '}
          or{' '}
          <button type="button" class="small" onClick={() => folder.current?.click()}>
            a folder
          </button>
        </p>
        <p class="fine">
          Text, Markdown, HTML, PDF, Office, EPUB, mail, tables and code; pictures, recordings and videos, if a model reads them (Usage and
          settings); exports of Loam, Slack and Notion; zipped folders of GraphRAG and LightRAG; graphs (.graphml). A file replaces the
          document of the same name. A long text or table becomes several documents.
        </p>
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          multiple
          accept={accepted}
          tabIndex={-1}
          aria-label="Files to add"
          onChange={(event) => {
            void take([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <input
          ref={folder}
          class="visually-hidden"
          type="file"
          {...{ webkitdirectory: true }}
          tabIndex={-1}
          aria-label="A folder to add"
          onChange={(event) => {
            void take([...(event.currentTarget.files ?? [])].filter(({ name }) => !name.startsWith('.')))
            event.currentTarget.value = ''
          }}
        />
      </div>
      <details class="access">
        <summary>
          New documents can be read by <ReaderTags readers={readersOf(given, defaults)} />
        </summary>
        <div class="stack">
          <LabelsField id="upload-labels" name="Labels" text={labels} change={label}>
            Anyone who holds one of them may read it. Without labels:{' '}
            {defaults === null ? 'everyone who reads this corpus' : 'the corpus’s default'}; a document already here keeps its labels, and
            an export of Loam brings its own.
          </LabelsField>
        </div>
      </details>
      <Paste corpus={corpus} access={access} agreed={agreed} recognise={recognise} />
      {/* Last, since it grows and shrinks: nothing that can be pressed above moves under the pointer. */}
      <div class="taken">
        {question}
        <BroughtIn brought={brought} />
        <p role="status">{sending ? `Sending ${plural(files.length, 'file')} …` : recognisedWords(same, given.length > 0)}</p>
        <FileList
          corpus={corpus}
          files={files}
          cancel={(name) => stops.current.get(name)?.abort()}
          cancelAll={sending ? cancelAll : undefined}
          again={(file) => void take([file])}
        />
        <RefusedFiles refused={refused} retry={(some) => void take(some)} />
      </div>
    </>
  )
}

/** Nothing happens then, so a message says so. */
function recognisedWords(same: number, labelled: boolean): string {
  if (same === 0) return ''
  const here = `${plural(same, 'document')} ${same === 1 ? 'was' : 'were'} already here, letter for letter`
  return labelled ? `${here}: the labels apply, and nothing was read or paid for again.` : `${here}: nothing was done or paid for again.`
}

interface PasteProps {
  readonly corpus: string
  readonly access: readonly string[] | undefined
  readonly agreed: (texts: readonly Text[]) => Promise<boolean>
  readonly recognise: (same: number) => void
}

function Paste({ corpus, access, agreed, recognise }: PasteProps) {
  const [title, rename] = useState('')
  const [text, write] = useState('')
  const [fault, fail] = useState<unknown>()
  const add = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      const pasted = { id: title.trim(), title: title.trim(), text }
      if (!(await agreed([pasted]))) return
      const { put } = await takingIn()
      recognise((await put(corpus, pasted, access)).same)
      rename('')
      write('')
    } catch (error) {
      fail(error)
    }
  }
  return (
    <details>
      <summary>Paste text</summary>
      <form onSubmit={add} class="stack">
        <label>
          Title
          <input required maxLength={80} value={title} onInput={(event) => rename(event.currentTarget.value)} />
        </label>
        <label>
          Text
          <textarea required rows={6} value={text} onInput={(event) => write(event.currentTarget.value)} />
        </label>
        <Failure fault={fault} />
        <button type="submit">Add</button>
      </form>
    </details>
  )
}
