/** Restores a backup from its file, under a free name. What was deleted since it was taken stays deleted, unless the form says otherwise. */
import { useState } from 'preact/hooks'
import { type BackupBegin, backupBegin, backupParts, linesOf, type Restored } from '../../../src/client/client'
import { isThere } from '../library/is-there'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { count, plural } from '../shared/numbers'

interface Chosen {
  readonly file: File
  readonly head: BackupBegin
  /** The corpus that it was taken of exists, and can be asked what was deleted since. */
  readonly hasOrigin: boolean
}

export function RestoreBackup({ done }: { readonly done: () => void }) {
  const [chosen, choose] = useState<Chosen | null>(null)
  const [name, rename] = useState('')
  const [replays, replay] = useState(true)
  const [sent, tell] = useState<number | null>(null)
  const [restored, end] = useState<Restored | null>(null)
  const [fault, fail] = useState<unknown>()
  const look = async (file: File | undefined) => {
    fail(undefined)
    choose(null)
    end(null)
    if (!file) return
    try {
      const head = await backupBegin(linesOf(file))
      if (head?.type !== 'backup' || head.corpus === undefined)
        throw new Error(`${file.name} is not a Loam backup. Add an export under Documents.`)
      const hasOrigin = await isThere(head.corpus)
      rename(hasOrigin ? await freeName(head.corpus) : head.corpus)
      replay(hasOrigin)
      choose({ file, head, hasOrigin })
    } catch (error) {
      fail(error)
    }
  }
  const restore = async (event: Event) => {
    event.preventDefault()
    if (!chosen) return
    fail(undefined)
    tell(0)
    try {
      let characters = 0
      const taken = ({ text }: { readonly text: string }) => {
        characters += text.length
        tell(characters)
      }
      const origin = replays ? chosen.head.corpus : undefined
      const options = { taken, isNew: !(await isThere(name)), ...(origin === undefined ? {} : { replay: origin }) }
      end(await corpusAt(name).restore(backupParts(linesOf(chosen.file)), options))
      choose(null)
      done()
    } catch (error) {
      fail(error)
    }
    tell(null)
  }
  return (
    <form class="card" onSubmit={restore}>
      <h2>Restore a backup</h2>
      <label for="backup-file">
        A file from Download under Usage and settings, or from <code>loam backup</code>.
      </label>
      <input
        id="backup-file"
        type="file"
        accept=".jsonl,application/x-ndjson"
        disabled={sent !== null}
        onChange={(event) => void look(event.currentTarget.files?.[0])}
      />
      {chosen && (
        <>
          <p>
            The corpus <strong>{chosen.head.corpus}</strong>, version {count(chosen.head.version ?? 0)}
            {chosen.head.taken_at && (
              <>
                , as it was <time dateTime={chosen.head.taken_at}>{new Date(chosen.head.taken_at).toLocaleString()}</time>
              </>
            )}
            , {sizeOf(chosen.file.size)}.
          </p>
          <label for="restore-name">Under the name</label>
          <input
            id="restore-name"
            required
            maxLength={63}
            pattern="[a-z0-9][a-z0-9\-]*"
            title="lower-case letters, digits and hyphens"
            autocomplete="off"
            value={name}
            disabled={sent !== null}
            onInput={(event) => rename(event.currentTarget.value)}
          />
          {chosen.hasOrigin ? (
            <label class="check">
              <input type="checkbox" checked={replays} disabled={sent !== null} onChange={(event) => replay(event.currentTarget.checked)} />
              <span>
                What was deleted in “{chosen.head.corpus}” since stays deleted{' '}
                <span class="fine">and labels are as they are there now; otherwise everything comes back as in the backup</span>
              </span>
            </label>
          ) : (
            <p class="notice">
              “{chosen.head.corpus}” is not here, so nobody knows what was deleted since: everything comes back as in the backup. Delete
              again what should stay deleted.
            </p>
          )}
          <p class="row">
            <button type="submit" class="primary" disabled={sent !== null}>
              {sent === null ? 'Restore' : 'Restoring …'}
            </button>
            {sent !== null && <progress max={chosen.file.size} value={sent} aria-label="Restored" />}
          </p>
          {fault !== undefined && <p class="fine">Choose the same file and name again to continue where it stopped.</p>}
        </>
      )}
      {restored && <Back restored={restored} />}
      <Failure fault={fault} />
    </form>
  )
}

function Back({ restored: { corpus, rows, version, replaying, enter_anew: anew } }: { readonly restored: Restored }) {
  return (
    <div class="notice" role="status">
      <p>
        <a href={to(['c', corpus])}>{corpus}</a> is back: {plural(rows, 'row')}, version {count(version ?? 0)}.
        {replaying > 0 && ` ${plural(replaying, 'deletion')} still to be applied; until then it answers nothing.`}
      </p>
      {anew.length > 0 && (
        <>
          <p>Backups contain no secrets. Each of these stays silent until you give it a new one:</p>
          <ul>
            {anew.map(({ kind, id, what }) => (
              <li key={id}>
                {kind} {what}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const sizeOf = (bytes: number): string => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)

/** For a taken name: the next free one. */
async function freeName(taken: string): Promise<string> {
  for (let n = 2; n < 20; n++) {
    const name = `${taken.slice(0, 60)}-${n}`
    if (!(await isThere(name))) return name
  }
  return ''
}
